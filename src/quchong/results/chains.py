"""Chains of a run: near-copies by who was made of whom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.chains import Members, chain_table, times_by_links, worth_reading
from quchong.decision.differing import fills_otherwise
from quchong.decision.hypotheses import relation_codes
from quchong.decision.pairs import measured_in
from quchong.errors import Param, UsageError, meant
from quchong.io.missing_columns import empty_column
from quchong.io.usual_columns import USUAL
from quchong.languages import Message
from quchong.plan.plan import Plan
from quchong.policy.times import plain_column, times, wall_clock, zoned
from quchong.relation_codes import PARTIALS
from quchong.relations import PARTIAL
from quchong.results.document_columns import TEXT
from quchong.results.run import Run
from quchong.similarity.relations import EVERY_FACT
from quchong.tables import FIELD

DATED_BY_LINK = b"quchong.dated_by_link"
"""Key of the metadata of CHAINS with the number of documents whose time contradicts the date in their address, which was taken."""


def chains_of(
    run: Run,
    pairs: pa.Table,
    time: str | None = None,
    source: str | None = None,
    title: str | None = None,
    workers: int | None = None,
    time_zone: str | None = None,
    link: str | None = None,
) -> pa.Table:
    """Compute the table CHAINS of some pairs of a run, with the likeliest source of each near-copy.

    Args:
        time, source: columns with the time of publication and the publisher; None for those that the run had.
        title, link: columns with the title and the address; None for the first column with a usual name.
        workers: threads; None for all processors.
        time_zone: name of the zone of times that have none, in which all times are written; None leaves times as the input has them.

    A time that contradicts the date in the address by a week and more is replaced by it; the metadata of the table counts such documents.

    Raises:
        UsageError: the column `time` contains no times, no document has a column that was named, or there is no such zone.
    """
    zone = None if time_zone is None else zone_of(time_zone)
    named = {"time": time, "source": source, "title": title, "link": link}
    time, source = (one or key for one, key in zip((time, source), run.keys[1:], strict=True))
    pairs = _near_on_templates(pairs, run.plan())
    ids = worth_reading(pairs)
    ids = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
    ids = ids.take(pc.sort_indices(ids))
    titles, links = ((given,) if given else _usual(name) for given, name in ((title, "title"), (link, "url")))
    here = run.columns(run.ids.places(ids), tuple(dict.fromkeys((time, source, *titles, *links))))
    _check_named(run, ids, here, named)
    try:
        seconds, has_zone = times(here[time]), zoned(here[time])
    except UsageError as error:
        raise UsageError("{} has no times: {}", Param("time", time), error) from error
    if zone is not None:
        seconds, written = wall_clock(seconds, has_zone, zone), time_zone
    else:
        written = "UTC" if bool((has_zone & np.isfinite(seconds)).any()) else None
    addresses = _first(here, links)
    seconds, wrong = times_by_links(seconds, addresses)
    members = Members(
        ids.cast(pairs["left_id"].type), here[TEXT].combine_chunks(), seconds, _strings(here[source]), _first(here, titles),
        addresses, written,
    )  # fmt: skip
    table = chain_table(members, pairs, workers)
    dated = pc.sum(pc.is_in(pc.unique(table["id"]), members.ids.filter(pa.array(wrong)))).as_py() or 0
    return table.replace_schema_metadata({DATED_BY_LINK: str(dated)}) if dated else table


def chains_with(table: pa.Table, ids: Sequence[str]) -> pa.Table:
    """Return the chains that contain these documents; all chains if no id is given.

    Raises:
        UsageError: a document is in no chain.
    """
    if not ids:
        return table
    column = table["id"].cast(pa.large_string())
    names = pa.array(ids, pa.large_string())
    absent = names.filter(pc.invert(pc.is_in(names, column)))
    if len(absent):
        raise UsageError("{!r} is in no chain: no other document is a copy of it; leave it out, or leave out all ids for all chains",
                         absent[0].as_py())  # fmt: skip
    mine = table["chain_id"].filter(pc.is_in(column, names))
    return table.filter(pc.is_in(table["chain_id"], mine))


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone of a name such as Asia/Shanghai.

    Raises:
        UsageError: there is none, or this machine has no list of time zones.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(
            "this machine does not know the time zone {}: give a name such as Asia/Shanghai or UTC{}",
            Param("time_zone", name),
            _zone_meant(name),
        ) from error


def _zone_meant(name: str) -> Message:
    """Return `; did you mean ...?` for a time zone by its city, in other letters, or by its hours from UTC; an empty message for others.

    >>> print(_zone_meant("asia/shanghai"), _zone_meant("+8"), _zone_meant("tokyo"), _zone_meant("北京时间"), _zone_meant("x"))
    ; did you mean Asia/Shanghai? ; did you mean Etc/GMT-8? ; did you mean Asia/Tokyo? ; did you mean Asia/Shanghai?
    """
    said = name.strip().lower().replace(" ", "_")
    known = sorted(available_timezones())
    if said in _CHINA:
        return Message("; did you mean {}?", "Asia/Shanghai")
    if found := re.fullmatch(r"(?:utc|gmt)?([+-])0?(\d{1,2})(?::?00)?", said):
        zone = f"Etc/GMT{'-' if found[1] == '+' else '+'}{found[2]}"  # their sign is that of POSIX
        return Message("; did you mean {}?", zone) if zone in known else Message("")
    city = next((one for one in known if said in (one.lower(), one.lower().rpartition("/")[2])), None)
    return Message("; did you mean {}?", city) if city else meant(name, known)


_CHINA = frozenset("beijing peking china prc 北京 上海 中国 北京时间 东八区 shenzhen guangzhou".split())
"""Words for the time zone of China that are no names of it."""


def _check_named(run: Run, ids: pa.Array, here: pa.Table, named: Mapping[str, str | None]) -> None:
    """Raise UsageError if a column that was named has no value: a misspelt name would be taken for a column without values."""
    for parameter, name in named.items():
        if name is not None and len(here) and here[name].null_count == len(here):
            known = tuple(dict.fromkeys((*run.keys[1:], *(spelt for one in _ROLES for spelt in _usual(one)))))
            some = run.columns(run.ids.places(ids[:_LOOKED_AT]), known)
            raise empty_column(parameter, name, [one for one in known if some[one].null_count < len(some)])


_ROLES = ("time", "source", "title", "url")
"""Roles of columns whose usual names are looked for when a column has no value."""
_LOOKED_AT = 20
"""Number of documents that are read for these names."""


def _usual(name: str) -> tuple[str, ...]:
    """Return the usual names of a column, in their usual spelling in files."""
    names = (name, *USUAL[name])
    return tuple(dict.fromkeys(spelt for one in names for spelt in (one, one.capitalize(), one.title(), one.upper())))


def _first(here: pa.Table, names: Sequence[str]) -> pa.Array:
    """Return as text the first of the columns `names` in which any document has a value; nulls if there is none."""
    return next((_strings(here[name]) for name in names if here[name].null_count < len(here)), _strings(here[names[0]]))


def _strings(column: pa.ChunkedArray) -> pa.Array:
    values = plain_column(column)
    if pa.types.is_nested(values.type):
        return pa.array([None if v is None else str(v) for v in values.to_pylist()], pa.large_string())
    return values.cast(pa.large_string())


def _near_on_templates(pairs: pa.Table, plan: Plan | None) -> pa.Table:
    """Return the pairs in which records on one template become partial if nothing but the template makes them similar.

    Records on a form may be made of each other, as bulletins are, but only those that their shares or an alignment would accept.
    """
    if "facts" not in pairs.column_names:
        return pairs
    measures = measured_in(pairs)
    some = np.flatnonzero(fills_otherwise(measures, len(pairs)))
    if plan is None or not len(some):
        return pairs
    here = {name: values[some] for name, values in measures.items()}
    codes = relation_codes(plan.method.rule, here | {"facts": here["facts"] & (EVERY_FACT & ~FIELD)})
    far = np.zeros(len(pairs), bool)
    far[some] = PARTIALS[codes]
    relation = pc.if_else(pa.array(far), pa.scalar(PARTIAL, pairs["relation"].type), pairs["relation"])
    return pairs.set_column(pairs.schema.get_field_index("relation"), pairs.schema.field("relation"), relation)
