"""Imports what a server imports; processes are forked from one that has done so."""

from importlib import import_module

for _name in ("pages.server.run", "app", "pages.shared.navigation"):
    import_module(_name)
