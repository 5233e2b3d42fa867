"""A side's own secret for the dice, in a small file beside the campaign that its player keeps and never sends."""

import glob
from collections.abc import Iterator
from pathlib import Path

from forcepool.files.disk import refusal, whole_text
from forcepool.store.errors import CampaignFileError

ENDING = ".dice"
TITLE = "forcepool dice"


def share_file(campaign: Path | str, side: str) -> Path:
    """Where a side's secret lies: 'east.Axis.dice' beside 'east.fp'."""
    path = Path(campaign)
    return path.with_name(f"{path.stem}.{side}{ENDING}")


def keep_share(campaign: Path | str, side: str, secret: bytes) -> Path:
    """Write a side's secret beside the campaign; one from before is kept in the same file."""
    path = share_file(campaign, side)
    title = f"{TITLE}: {side}'s part. Keep this file to yourself; the campaign's dice need it.\n"
    try:
        before = path.read_text("utf-8") if path.exists() else title
        if not before.startswith(TITLE):
            # Nobody would look for a secret in it.
            raise _no_file_of_ours(path)
        # Whole and on the disk before anything is promised: a promise whose secret is gone can never be kept.
        with whole_text(path, mode=0o600) as file:
            file.write(f"{before.rstrip()}\n{secret.hex()}\n")
    except UnicodeDecodeError:
        raise _no_file_of_ours(path) from None
    except OSError as error:
        raise CampaignFileError(f"{path} cannot be written: {refusal(error, hint='choose another folder')}") from None
    return path


def shares_beside(campaign: Path | str) -> Iterator[bytes]:
    """The secrets that lie beside a campaign; what is none is passed over."""
    path = Path(campaign)
    for each in sorted(path.parent.glob(f"{glob.escape(path.stem)}.*{ENDING}")):
        try:
            lines = each.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        if lines and lines[0].startswith(TITLE):
            for line in lines[1:]:
                try:
                    yield bytes.fromhex(line.strip())
                except ValueError:
                    continue


def _no_file_of_ours(path: Path) -> CampaignFileError:
    return CampaignFileError(f"{path} is no file of forcepool; move it away first")
