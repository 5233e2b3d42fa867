"""What a reinforcement shows on its page, and how the order of battle of a scenario is read."""

import pytest

from forcepool.cases.reading import Case, parse_cases
