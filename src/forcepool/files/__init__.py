"""Reading the files people write, with the line and column of everything that is wrong."""

from forcepool.files.problems import BadFile, Position, Problem
from forcepool.files.shape import shape
from forcepool.files.yamltext import Document, Path, Plain, read_yaml, read_yaml_file

__all__ = ["BadFile", "Document", "Path", "Plain", "Position", "Problem", "read_yaml", "read_yaml_file", "shape"]
