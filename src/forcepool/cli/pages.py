"""Pages to print, put into files."""

from pathlib import Path

from forcepool.cli.problems import BadInput, Failed, check_no_campaign
from forcepool.files.disk import refusal, whole_text


def write_page(path: str, page: str) -> None:
    """Put a page into a file."""
    check_no_campaign(path)
    try:
        with whole_text(Path(path)) as file:
            file.write(page)
    except OSError as error:
        raise _unwritable(path, error) from None


def print_page(path: str, page: str) -> None:
    """Print a page into a PDF."""
    from forcepool.report.pdf import CannotPrint, write_pdf

    check_no_campaign(path)
    try:
        write_pdf(page, Path(path))
    except CannotPrint as error:
        raise Failed(str(error)) from None
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str, error: OSError) -> BadInput:
    return BadInput(f"{path} could not be written: {refusal(error, hint='choose another file')}")
