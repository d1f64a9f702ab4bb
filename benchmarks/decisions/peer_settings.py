"""Settings of the peers, as the page of results names them."""

from __future__ import annotations

import sys
from pathlib import Path

from running import PEERS

sys.path.append(str(Path(__file__).resolve().parents[1] / "systems"))
from peer_stock import SETTINGS as STOCK

VERSIONS = {"rensa": "0.5.0", "gaoya": "0.2.2", "datasketch": "2.0.0", "simhash": "2.1.2", "text_dedup": "0.4.0"}
"""Versions that were measured."""
SETTINGS = {
    tool: f"{VERSIONS[module]}, {STOCK[module] if setting == 'stock' else '5 characters, threshold 0.8'}"
    for tool, (module, setting) in PEERS.items()
}
"""Version and setting of every peer."""
