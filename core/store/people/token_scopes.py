"""What a token may allow, and for how long."""

READ, WRITE, JUDGE = "read", "write", "judge"

SCOPES = {"organiser": (READ, WRITE), "assessor": (JUDGE,), "viewer": (READ,)}
"""What a token may allow, by the role of its person."""

LONGEST_DAYS = 366
