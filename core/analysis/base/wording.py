"""Words in results, under the name that their importers know."""

from core.wording import count, mark_fact, name_with_role, plain, plain_with_facts

__all__ = ["count", "mark_fact", "name_with_role", "plain", "plain_with_facts"]
