"""``python -m dissent``, the same as the command ``dissent``."""

import sys

from core.command.main import main

if __name__ == "__main__":
    sys.exit(main())
