"""Makes a whole run folder into one that a stranger could have written, by one to three changes that a seed draws."""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

TABLES = ("ledger", "pairs", "clusters", "documents")
DEAD = 4_000_000
"""No process has this number."""


class Stage:
    """Where a crafted folder stands: `run` is the folder, `outside` what must stay as it is, with a secret text in it."""

    def __init__(self, place: Path, rng: random.Random) -> None:
        self.place, self.rng = place, rng
        self.run, self.outside = place / "box" / "run", place / "outside"
        self.secret = self.outside / "secret.txt"

    def odd_names(self) -> list[str]:
        """Names that no run writes."""
        return [
            "../../outside/secret.txt", str(self.secret), "..", ".", "", "/", "kept", "a/../../../outside/x", "sub/kept.jsonl",
            "kept/../../../outside/secret.txt", "run.json", "kept.jsonl/x", "\x00", "k\x00.jsonl", "\ud800.jsonl", "kept." + "x" * 300,
            "\n", "~/x", "kept/" * 200 + "x", "*", "kept/*.jsonl", "C:\\x", "-o", "documents.parquet", "work/../run.json",
        ]  # fmt: skip

    def odd_values(self) -> list[Any]:
        """Values that no run writes at most places."""
        return [
            None, True, -1, 0, 1 << 63, 1 << 70, 10**400, 1.5, -1e308, 1e308, float("nan"), float("inf"), "", "x", "\ud800", "\x1b[31m",
            "é" * 70_000, [], [None], [[]], {}, {"a": {"b": []}}, _nested(60), _nested(2000), self.odd_names(), str(self.secret),
        ]  # fmt: skip

    def files(self) -> list[Path]:
        """All files of the run folder."""
        return sorted(path for path in self.run.rglob("*") if path.is_file() and not path.is_symlink())

    def manifest(self) -> dict[str, Any]:
        """run.json, or nothing where it is none any more."""
        path = self.run / "run.json"
        if not path.is_file() or path.is_symlink() or path.stat().st_size > 1 << 24:
            return {}
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def write(self, manifest: Any) -> None:
        """Sets run.json down."""
        path = self.run / "run.json"
        if path.is_file() and not path.is_symlink():
            path.write_text(_dumped(manifest), encoding="utf-8")


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def _dumped(value: Any) -> str:
    try:
        return json.dumps(value)
    except RecursionError:
        return "[" * 100_000
    except ValueError:  # an integer of too many digits
        return '{"format": 1' + "0" * 5000 + "}"


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at] if at else []
    if len(at) > 8:
        return found
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        found += _places(one, (*at, key))
    return found


def value_changed(s: Stage) -> None:
    """Some values of run.json are others, or are gone."""
    manifest = s.manifest()
    for _ in range(s.rng.choice([1, 1, 2, 4])):
        places = _places(manifest)
        if not places:
            return
        *above, last = s.rng.choice(places)
        inner: Any = manifest
        for key in above:
            inner = inner[key]
        if s.rng.random() < 0.25:
            del inner[last]
        else:
            inner[last] = s.rng.choice(s.odd_values())
    s.write(manifest)


def manifest_damaged(s: Stage) -> None:
    """run.json is no JSON any more, or another one."""
    path = s.run / "run.json"
    if not path.is_file() or path.is_symlink() or path.stat().st_size > 1 << 24:
        return
    raw = path.read_bytes()
    at = s.rng.randrange(len(raw) + 1)
    path.write_bytes(
        s.rng.choice([
            raw[:at], raw[:at] + b"\xff" + raw[at + 1 :], b"", b"[]", b'"x"', b"[" * 200_000, b"\xef\xbb\xbf" + raw, raw + raw, b"\0" * 50,
            b'{"format": ' + b"9" * 5000 + b"}", b'{"format": 1, "quchong": "0.1.0"}',
        ])
    )  # fmt: skip


def version_changed(s: Stage) -> None:
    """The folder says that it is of another version."""
    manifest = s.manifest()
    manifest["format"] = s.rng.choice([0, -1, 2, 99, "1", None, True, 1.0, [1]])
    s.write(manifest)


def odd_kind(s: Stage) -> None:
    """A file is a link, a pipe, a socket, a device, a folder, empty, or gone."""
    path = s.rng.choice(s.files() or [s.run / "run.json"])
    path.unlink(missing_ok=True)
    kind = s.rng.randrange(12)
    if kind == 0:
        path.symlink_to(s.secret)
    elif kind == 1:
        path.symlink_to(os.path.relpath(s.outside / "rows.jsonl", path.parent))
    elif kind == 2:
        path.symlink_to(path.name)
    elif kind == 3:
        path.symlink_to(
            s.rng.choice(["/dev/zero", "/dev/null", "/proc/kcore", "/proc/self/mem", s.outside, "/dev/tty"])
        )
    elif kind in (4, 5):
        os.mkfifo(path)
    elif kind == 6:
        with socket.socket(socket.AF_UNIX) as one:
            here = os.open(path.parent, os.O_RDONLY)
            try:
                one.bind(f"/proc/self/fd/{here}/{path.name}")
            except OSError:
                path.touch()
            finally:
                os.close(here)
    elif kind == 7 and os.geteuid() == 0:
        try:
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 5))  # zero
        except OSError:
            os.mkfifo(path)
    elif kind == 8:
        path.mkdir()
    elif kind == 9:
        path.touch()
    elif kind == 10:
        with path.open("wb") as file:
            file.truncate(1 << 40)


def linked_folder(s: Stage) -> None:
    """A folder in the run, or one that is looked for, is a link."""
    folders = [one for one in s.run.iterdir() if one.is_dir() and not one.is_symlink() and not one.name.startswith(".")]
    place = s.rng.choice([*folders, s.run / "kept", s.run / "removed", s.run / "skipped", s.run / "work"])
    target = s.outside / place.name
    if place.is_dir() and not place.is_symlink():
        if s.rng.random() < 0.5 and not target.exists():
            shutil.copytree(place, target, symlinks=True)
        shutil.rmtree(place)
    if not os.path.lexists(place):
        place.symlink_to(target if target.exists() else s.outside)


def names_changed(s: Stage) -> None:
    """run.json names other files for its rows."""
    manifest = s.manifest()
    files = manifest.get("files")
    if not isinstance(files, dict):
        return
    name = s.rng.choice(s.odd_names())
    for sides in files.values():
        if isinstance(sides, dict) and sides:
            sides[s.rng.choice(sorted(sides))] = name
    if name.startswith("sub/") and not os.path.lexists(s.run / "sub"):
        (s.run / "sub").symlink_to(s.outside)
    s.write(manifest)


def paths_changed(s: Stage) -> None:
    """run.json says that texts were read at another place, and lists of paths name other files."""
    manifest = s.manifest()
    target = s.rng.choice(
        [
            s.secret,
            s.outside,
            "/",
            "/dev/zero",
            "/proc/kcore",
            s.outside / "pipe",
            "/etc/passwd",
            "relative",
            "\x00",
            "",
        ]
    )
    for side in ("inputs", "against"):
        places = manifest.get(side)
        for one in places if isinstance(places, list) else []:
            if isinstance(one, dict):
                one["path"] = str(target)
                if s.rng.random() < 0.5:
                    one["format"] = s.rng.choice(["txt", "jsonl", "parquet", "html", "warc", "x"])
    for path in s.run.glob("*.txt"):
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 24:
            lines = path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
            odd = [str(s.secret), "secret.txt", "../outside/secret.txt", "../../outside/secret.txt", "pipe"]
            path.write_text("".join(s.rng.choice([line, *odd]) + "\n" for line in lines), encoding="utf-8")
    s.write(manifest)


def table_damaged(s: Stage) -> None:
    """Bytes of a file are others, or its end is gone."""
    path = s.rng.choice(s.files() or [s.run / "run.json"])
    if not path.is_file() or path.stat().st_size > 1 << 24:
        return
    raw = bytearray(path.read_bytes())
    if s.rng.random() < 0.4:
        raw = raw[: s.rng.randrange(len(raw) + 1)]
    for _ in range(s.rng.choice([1, 3, 20])):
        if raw:
            raw[s.rng.randrange(len(raw))] = s.rng.randrange(256)
    path.write_bytes(raw)


def table_changed(s: Stage) -> None:
    """Values of a table are others, or its rows."""
    name = s.rng.choice(TABLES)
    path = s.run / f"{name}.parquet"
    if path.is_dir() and not path.is_symlink():
        path = next(iter(sorted(path.glob("part-*"))), path)
    if not path.is_file() or path.is_symlink():
        return
    try:
        table = pq.read_table(path)
        column = s.rng.randrange(table.num_columns)
        field = table.schema.field(column)
        odd = [
            lambda: table.slice(0, 0), lambda: pa.concat_tables([table, table]), lambda: table.drop_columns([field.name]),
            lambda: table.take(pa.array(s.rng.sample(range(len(table)), len(table)))),
            *[lambda: _with(table, column, field, s) for _ in range(6)],
        ]  # fmt: skip
        pq.write_table(s.rng.choice(odd)(), path)
    except (pa.ArrowException, OSError, ValueError, OverflowError, TypeError):
        return


def _with(table: pa.Table, column: int, field: pa.Field, s: Stage) -> pa.Table:
    kind, n = field.type, len(table)
    if pa.types.is_integer(kind):
        values: list[Any] = [0, -1, 1, 1 << 31, (1 << 63) - 1, 10**9, None]
    elif pa.types.is_floating(kind):
        values = [float("nan"), float("inf"), -1.0, 2.0, 1e300, None]
    elif pa.types.is_boolean(kind):
        values = [True, False, None]
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        values = [
            "",
            "none",
            "d0",
            "d1",
            "exact",
            "variant",
            "contained_in",
            "\x1b[2J",
            "x" * 10_000,
            None,
            *table[column].to_pylist()[:3],
        ]
    else:
        values = [None, [], *table[column].to_pylist()[:3]]
    drawn = [s.rng.choice(values) if s.rng.random() < 0.5 else old for old in table[column].to_pylist()]
    if s.rng.random() < 0.3:
        drawn = [s.rng.choice(values)] * n
    return table.set_column(column, field.with_nullable(True), pa.array(drawn, kind))


def rows_changed(s: Stage) -> None:
    """Files of rows and lists hold other lines."""
    for path in s.files():
        if path.suffix in (".jsonl", ".txt", ".csv") and s.rng.random() < 0.5 and path.stat().st_size < 1 << 24:
            lines = path.read_bytes().split(b"\n")
            odd = [b"", b"{", b"[1]", b'{"source": 1, "row": "x", "line": [], "reason": {}, "raw": 3}', b"null", b"\xff", b'{"text": 5}',
                   b'{"act": "label"}', lines[0], b"[" * 50_000]  # fmt: skip
            lines[s.rng.randrange(len(lines))] = s.rng.choice(odd)
            path.write_bytes(b"\n".join(lines[: s.rng.choice([len(lines), max(1, len(lines) - 2)])]))


def _mark(token: str, place: str, s: Stage) -> str:
    words: dict[str, Any] = {"token": token, "place": place, "host": socket.gethostname(), "pid": DEAD, "start": None}
    if s.rng.random() < 0.3:
        words[s.rng.choice(sorted(words))] = s.rng.choice([None, -1, 0, 1, [], "x", 1 << 70, True])
    return json.dumps(words)


_STAGED = ("kept.jsonl", "run.json", "x", "kept/x", "kept.sh", "kept/x.jsonl", "restored.jsonl", "ledger.parquet")


def restore_left(s: Stage) -> None:
    """A restore seems to have been stopped, with a list of moves of a stranger's."""
    token = f"{s.rng.randrange(1 << 32):08x}"
    folder = s.run / f".restore.quchong-{token}"
    if s.rng.random() < 0.1:
        folder.symlink_to(s.outside)
        return
    folder.mkdir()
    (folder / "owner").write_text(_mark(token, "restore", s), encoding="utf-8")
    if s.rng.random() < 0.1:
        (folder / "owner").unlink()
        os.mkfifo(folder / "owner")
    names: Any = s.rng.choice([
        ["../../outside/secret.txt"], [str(s.secret)], ["kept.jsonl"], ["kept.jsonl", "run.json"], ["removed.jsonl"], ["x"], ["kept/x"],
        ["kept/../../../outside/secret.txt"], [".restore.quchong-00000000/x"], "kept.jsonl", [1], {}, [[]], ["sub/x"], ["\x00"], ["\ud800"],
        ["ledger.parquet"], ["kept.jsonl"] * 3, ["link/x"], ["kept/y/../x"], ["kept.sh"], ["kept/x.jsonl", "restored.jsonl"], [],
    ])  # fmt: skip
    if s.rng.random() < 0.1:
        (folder / "new").symlink_to(s.outside)
    else:
        (folder / "new" / "kept").mkdir(parents=True)
        files = _STAGED if s.rng.random() < 0.5 else [name for name in names if name in _STAGED]
        for name in files:
            (folder / "new" / name).write_text("theirs", encoding="utf-8")
        if files is _STAGED:
            (folder / "new" / "secret.txt").symlink_to(s.secret)
        if s.rng.random() < 0.5:
            (folder / "new" / "removed.jsonl").symlink_to(s.secret)
        elif not list((folder / "new" / "kept").iterdir()):
            (folder / "new" / "kept").rmdir()
    if s.rng.random() < 0.9:
        (folder / "commit").write_text(_dumped(names), encoding="utf-8")
    if s.rng.random() < 0.2:
        for name in ("kept", "link", "sub"):
            if not os.path.lexists(s.run / name):
                (s.run / name).symlink_to(s.outside)
    if s.rng.random() < 0.15:
        folder.chmod(0o777)
    if s.rng.random() < 0.15 and os.geteuid() == 0:
        os.chown(folder, 12345, 12345)


def swap_left(s: Stage) -> None:
    """A run seems to have been stopped while it replaced this one, or beside it."""
    token = f"{s.rng.randrange(1 << 32):08x}"
    folder = s.run.with_name(f".run.quchong-{token}")
    folder.mkdir()
    (folder / "owner").write_text(_mark(token, "run", s), encoding="utf-8")
    how = s.rng.randrange(4)
    if how == 0:
        s.run.rename(folder / "new")
        (folder / "old").mkdir()
    elif how == 1:
        s.run.rename(folder / "old")
        (folder / "new").symlink_to(s.outside)
    elif how == 2:
        (folder / "new").mkdir()
        (folder / "commit").write_text(json.dumps(["../outside/secret.txt", "run/run.json"]), encoding="utf-8")
    else:
        (folder / "old").symlink_to(s.outside)


def another_owner(s: Stage) -> None:
    """Files, or the folder, are another user's, or may not be read."""
    path = s.rng.choice([s.run, *s.files()])
    if os.geteuid() == 0:
        os.chown(path, 12345, 12345)
    path.chmod(s.rng.choice([0o777, 0o666, 0o444] if path != s.run else [0o777, 0o755, 0o700]))


CHANGES: dict[str, Callable[[Stage], None]] = {
    change.__name__: change
    for change in (
        value_changed, value_changed, manifest_damaged, version_changed, odd_kind, linked_folder, names_changed, paths_changed,
        table_damaged, table_changed, rows_changed, restore_left, swap_left, another_owner,
    )
}  # fmt: skip
_WEIGHTS = {
    "value_changed": 4,
    "odd_kind": 4,
    "restore_left": 3,
    "table_changed": 4,
    "paths_changed": 2,
    "names_changed": 2,
}


def craft(template: Path, place: Path, rng: random.Random) -> tuple[Stage, list[str]]:
    """A crafted folder; and the names of what was done to it."""
    stage = Stage(place, rng)
    stage.outside.mkdir(parents=True)
    stage.run.parent.mkdir()
    stage.secret.write_text("SECRET-7391: the combination is not to be shown to anybody.", encoding="utf-8")
    (stage.outside / "rows.jsonl").write_text(
        '{"id": "d0", "text": "SECRET-7391 in a row of another file"}\n', encoding="utf-8"
    )
    os.mkfifo(stage.outside / "pipe")
    shutil.copytree(template, stage.run)
    names = rng.choices(
        sorted(CHANGES), [_WEIGHTS.get(name, 1) for name in sorted(CHANGES)], k=rng.choice([1, 1, 1, 2, 3])
    )
    done = []
    for name in names:
        if stage.run.is_dir():
            CHANGES[name](stage)
            done.append(name)
    return stage, done
