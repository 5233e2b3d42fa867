"""What is wrong with a file of VASSAL's, and where in it."""


class BadVassal(Exception):
    """A file that cannot be read; one sentence with the file, the place in it and the remedy if there is one.

    What a player typed is never quoted: beside the text of a save lie the players' passwords.
    """

    def __init__(self, file: str, where: str, message: str, hint: str = "") -> None:
        self.file, self.where, self.message, self.hint = file, where, message, hint
        place = f"{file}: {where}" if where else file
        super().__init__(f"{place}: {message}{f' ({hint})' if hint else ''}")
