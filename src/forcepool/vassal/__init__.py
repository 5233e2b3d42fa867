"""A reader of VASSAL's files: saves, logs, modules and extensions. It needs nothing else of forcepool.

from forcepool.vassal import read_save, read_module

module = read_module("east.vmod", extensions=["desert.vmdx"])
save = read_save("turn12.vsav")
for piece in save.pieces.values():
    print(piece.shown_name, module.where(piece.at, save.boards))
"""

from forcepool.vassal.errors import BadVassal
from forcepool.vassal.module import Module, read_module
from forcepool.vassal.pieces import Piece, Spot
from forcepool.vassal.reading import read_save
from forcepool.vassal.save import Save
from forcepool.vassal.traits import Trait

__all__ = ["BadVassal", "Module", "Piece", "Save", "Spot", "Trait", "read_module", "read_save"]
