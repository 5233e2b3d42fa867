"""The server as it is, but that it takes this machine for one far away, so that receivers here can be rung."""

import sys

from forcepool.cli.main import cli
from forcepool.web.api import hooks

hooks._is_outside = lambda host: True

if __name__ == "__main__":
    cli.main(sys.argv[1:])
