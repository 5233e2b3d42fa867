"""The size of a picture, from its first bytes: a board is as large as its picture."""

from struct import unpack

Size = tuple[int, int]
NO_SIZE: Size = (0, 0)
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def size_of(data: bytes) -> Size:
    """Width and height of a PNG, GIF or JPEG; noughts of anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = unpack(">II", data[16:24])
        return width, height
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        width, height = unpack("<HH", data[6:10])
        return width, height
    return _jpeg(data) if data.startswith(b"\xff\xd8") else NO_SIZE


def _jpeg(data: bytes) -> Size:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if kind in _FRAMES:
            height, width = unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + max(length, 2)
    return NO_SIZE
