"""Messages for programs: read what the seat may read, and write from it."""

from forcepool.engine.journal import Entry
from forcepool.web.acting import NotTaken
from forcepool.web.api import requests, shapes
from forcepool.web.api.operations import Asked, Refused
from forcepool.web.here import Here
from forcepool.web.messages import have_read, readable, unread, written

A_PAGE, LARGEST_PAGE = 50, 500


def listed(it: Here, asked: Asked) -> shapes.Messages:
    before, limit = asked.number("before", it.table.seq + 1), min(asked.number("limit", A_PAGE), LARGEST_PAGE)
    fresh = unread(it)
    found = [each for each in reversed(readable(it)) if each.entry < before]
    have_read(it)
    lines = tuple(
        shapes.MessageEntry(each.entry, each.who, each.to, each.text, each.when, each.written) for each in found[:limit]
    )
    return shapes.Messages(fresh, lines, lines[-1].entry if lines and len(found) > limit else None)


def say(it: Here, asked: Asked) -> shapes.Written:
    wish: requests.SayRequest = asked.body
    done = written(it, wish.text, wish.to)
    if isinstance(done, Entry):
        return shapes.Written(done.n)
    if isinstance(done, NotTaken):
        raise Refused(403 if done.reason else 503, done.says)
    raise Refused(403 if done.forbidden else 400, done.says)
