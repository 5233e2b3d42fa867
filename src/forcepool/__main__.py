"""`python -m forcepool` is the `forcepool` command."""

from forcepool.cli.main import main

if __name__ == "__main__":
    main()
