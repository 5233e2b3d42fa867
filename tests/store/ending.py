"""Where a campaign ends, as another program finds it. Run as a program of its own: ending PATH."""

import sys

from forcepool.store.sqlite import SqliteJournal

if __name__ == "__main__":
    with SqliteJournal.open(sys.argv[1]) as journal:
        print(journal.head()[0])
