"""JSON view of what a method sees: keys and values are English names, numbers exact."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from quchong.engines.local.inspection import MethodSights
from quchong.seam import Marks, Sight, Signature, TextValues, Values
from quchong.views.inspection.items import agreement, in_common, sides


def data(seen: MethodSights) -> dict[str, Any]:
    """Return an inspection as a dict for JSON, without texts; offsets are in characters of the texts."""
    return {
        "method": seen.method,
        "parameters": seen.parameters,
        "documents": [{"name": n, "characters": len(t)} for n, t in zip(seen.names, seen.texts, strict=True)],
        "counted_on": seen.counted,
        "sees": [_sight(sight, seen.texts) for sight in seen.sights],
        "steps": [asdict(gate) for gate in seen.gates],
        "comparison": None if seen.comparison is None else seen.comparison.as_dict(),
    }


def _sight(sight: Sight, texts: tuple[str, ...]) -> dict[str, Any]:
    match sight:
        case Marks():
            return {
                "what": sight.what,
                "shape": "marks",
                "left_out_for": None if sight.counted.all() else sight.why,
                "documents": [
                    {"seen": len(s.items), "counted": s.counted, "common": s.common,
                     "features": [asdict(item) for item in s.items]}
                    for s in sides(sight, texts)
                ],
            }  # fmt: skip
        case Signature():
            return {"what": sight.what, "shape": "signature", "bits": sight.bits, "band": sight.band} | _signed(sight)
        case Values():
            counts, common = in_common(sight)
            return {"what": sight.what, "shape": "values", "documents": counts, "common": common}
        case TextValues():
            return {"what": sight.what, "shape": "said", "documents": list(sight.words)}


def _signed(signature: Signature) -> dict[str, Any]:
    """Return the values of each document: bits as a string, others as hexadecimal strings, because JSON numbers lose digits."""
    rows = [row if d else None for row, d in zip(signature.values.tolist(), signature.defined.tolist(), strict=True)]
    shown: list[Any] = [
        None if row is None else "".join(map(str, row)) if signature.bits else [f"{v:x}" for v in row] for row in rows
    ]
    found = agreement(signature)
    return {
        "documents": shown,
        "agree": None if found is None else int(found.equal.sum()),
        "places": signature.values.shape[1],
        "bands_agree": None if found is None else int(found.bands.sum()),
    }
