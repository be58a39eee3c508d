"""`python -m dealerless`: the command line, for whoever has the package but not its script on PATH."""

import sys

from dealerless.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
