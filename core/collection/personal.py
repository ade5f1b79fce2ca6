"""Attributes of people that are personal, whoever declares them or not."""

PERSONAL = ("age", "sex", "gender", "country", "nationality", "ethnicity", "religion", "disability")


def is_personal(attribute: str) -> bool:
    """Tell whether an attribute is personal by its name.

    Examples
    --------
    >>> is_personal("Age group"), is_personal("expertise")
    (True, False)
    """
    words = "".join(one if one.isalnum() else " " for one in attribute.casefold()).split()
    return any(one in PERSONAL for one in words)
