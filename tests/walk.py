"""How much is tried: by `make test` what guards each behaviour once, by `make walk` (WALK=all) every combination."""

import os

WALKS_ALL = os.environ.get("WALK") == "all"
