"""Settings of the peers, as the page of results names them."""

from __future__ import annotations

import sys
from pathlib import Path

from running import PEERS

sys.path.append(str(Path(__file__).resolve().parents[1] / "systems"))
from peer_stock import SETTINGS as STOCK

SETTINGS = {
    tool: STOCK[module] if setting == "stock" else "5 characters, threshold 0.8"
    for tool, (module, setting) in PEERS.items()
}
