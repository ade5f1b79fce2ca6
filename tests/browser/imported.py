"""Imports what a server imports; processes are forked from one that has done so."""

import app
import pages.server.run
import pages.shared.navigation

__all__ = ["app", "pages"]
