"""Whether to test all combinations (`make walk`), or each behaviour once."""

import os

WALKS_ALL = os.environ.get("WALK") == "all"
