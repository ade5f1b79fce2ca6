"""Texts and their blocks, and whether lines are aligned: in the browser and on the server alike."""

CODE = "def feed(cat):\n    return bowl"
TABLE = "Name     Age\nMog        3\nTabby     11"
POEM = "Tyger Tyger, burning bright,\n  In the forests of the night"
PROSE = "A paragraph that goes on,\nand on,\nand on,\nand on,\nand on,\nand on,\nto its end."
TYPED = "One sentence.  Another,  as\nonce typed:  with two spaces.  So\nit goes.  On"

BLOCKS = [
    ("", []),
    (" \n\n \n", []),
    (PROSE, [(PROSE, False)]),
    (f"   {PROSE}", [(f"   {PROSE}", False)]),
    (f"\n \n  one\nline \n \n{PROSE}  \n", [("  one\nline", False), (PROSE, False)]),
    (TYPED, [(TYPED, False)]),
    (CODE, [(CODE, True)]),
    ("a\tb\nc\td", [("a\tb\nc\td", True)]),
    ("a\tb\nc d", [("a\tb\nc d", False)]),
    (f"{PROSE}\n\n{TABLE}\n\n{PROSE}", [(PROSE, False), (TABLE, True), (PROSE, False)]),
    (f"{PROSE}\n\n{POEM}\n \n  {CODE}", [(PROSE, False), (f"{POEM}\n \n  {CODE}", True)]),
    (f"{PROSE}\n\n{CODE}\n\n  end", [(PROSE, False), (f"{CODE}\n\n  end", True)]),
    (f"import bowl\n\n{CODE}", [(f"import bowl\n\n{CODE}", True)]),
    (f"  {'long ' * 24}\n  so", [(f"  {'long ' * 24}\n  so", False)]),
    (f"{CODE}\n\n{'x' * 121}", [(CODE, True), ("x" * 121, False)]),
]
