"""Command `quchong serve`: an index answered over HTTP."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quchong.cli.index_opening import index_argument, open_index
from quchong.cli.options import LocalPath
from quchong.errors import Param, UsageError, install, shell_word
from quchong.report.visible import Shown

if TYPE_CHECKING:
    from quchong.api.index import Index

FILE = LocalPath(path_type=Path)


@click.command(short_help="Answer over HTTP whether a document was seen before.")
@index_argument
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="Address to listen on; an address that other machines can reach needs --access.")  # fmt: skip
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    metavar="N",
    help="Port to listen on; 0 for any.",
)
@click.option("--access", metavar="FILE", type=FILE, help="File of callers and their roles, written by quchong access.")
@click.option("--cert", metavar="FILE", type=FILE, help="Certificate for TLS, in PEM.")
@click.option("--key", metavar="FILE", type=FILE, help="Private key of the certificate, in PEM.")
@click.option("--read-only", is_flag=True, help="Only answer queries; another process may write to the index.")
@click.option(
    "--rate",
    type=float,
    metavar="N",
    help="Largest number of requests of one caller in a second.  [default: no limit]",
)
@click.option(
    "--max-body",
    default="16M",
    show_default=True,
    metavar="SIZE",
    help="Largest size in bytes of a request, or of a line of a stream.",
)
@click.option("--max-waiting", type=click.IntRange(1), default=2048, show_default=True, metavar="N",
              help=(
                  "Largest number of documents that wait for an answer; further requests are refused, and can "
                  "be sent again after a second."
              ))  # fmt: skip
@click.option(
    "--max-connections",
    type=click.IntRange(1),
    default=1024,
    show_default=True,
    metavar="N",
    help="Largest number of simultaneous connections.",
)
@click.option("--processes", type=click.IntRange(0, 1024), metavar="N",
              help=(
                  "Number of processes that answer queries, besides the process that adds documents.  "
                  "[default: number of processors minus one]"
              ))  # fmt: skip
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Threads.  [default: all processors]")
@click.option("-q", "--quiet", is_flag=True, help="Log errors only.")
def command(
    index: Path, host: str, port: int, access: Path | None, cert: Path | None, key: Path | None, read_only: bool, rate: float | None,
    max_body: str, max_waiting: int, max_connections: int, processes: int | None, workers: int | None,
    quiet: bool,
) -> None:  # fmt: skip
    """Opens INDEX and answers over HTTP: clients add, query, compare, explain and delete documents. GET
    /openapi.json describes all addresses. On the page at / you can paste a text and query it.

    Without --access, the service answers only requests from this machine. Each request is logged as a line of JSON on
    standard error, without texts. After Ctrl-C or SIGTERM, running requests finish before the service ends. Nothing
    that was acknowledged is lost, not even by kill -9.
    """
    try:
        from quchong.serve.server import Server
    except ImportError as error:
        raise UsageError("the service needs these packages too: {}", install("serve")) from error
    from quchong.cli.interrupt import leave_to_command
    from quchong.cli.printing import say
    from quchong.serve.limits import Limits
    from quchong.serve.log import RequestLog

    _check_host(host)
    log = RequestLog(on=not quiet)
    with open_index(index, read_only=read_only, workers=workers) as opened:
        limits = Limits(
            body=_body_size(max_body), waiting=max_waiting, connections=max_connections, rate=rate,
            processes=_processes(processes, opened), workers=workers,
        )  # fmt: skip
        server = Server(opened, host=host, port=port, access=access, cert=cert, key=key, limits=limits, log=log)

        def started() -> None:
            leave_to_command()  # a stop may take longer than the command line waits for one that hangs
            say("{} is served at {}", index, server.url)
            log.event("started", url=server.url, documents=len(opened), read_only=read_only)

        try:
            server.run(started)
        finally:
            server.close()
            log.event("stopped")


def _check_host(said: str) -> None:
    """Raise a UsageError if an address to listen on has a protocol, a port or a path, as that of a page has."""
    found = re.fullmatch(r"(?:\w+://)?(\[[0-9a-fA-F:]+\]|[^:/\[\]]*)(?::(\d+))?/?.*", said)
    of_ipv6 = said.count(":") > 1 and not re.match(r"\w+://|\[", said)
    if re.fullmatch(r"[\d.]+", said) and not _is_ipv4(said):
        raise UsageError(
            "{} is not an address: use an address of this machine, such as {}, or {} for all its addresses",
            Param("host", said),
            "127.0.0.1",
            "0.0.0.0",
        )
    if found is None or of_ipv6 or found[1] == said:
        return
    bare = found[1].strip("[]") or "127.0.0.1"
    raise UsageError(
        "{} may name only an address to listen on: use {}",
        Param("host", said), Shown(f"--host {shell_word(bare)}" + (f" --port {found[2]}" if found[2] else "")),
    )  # fmt: skip


def _is_ipv4(said: str) -> bool:
    """Return True if a text is an address of four numbers."""
    parts = said.split(".")
    return len(parts) == 4 and all(part.isdigit() and int(part) < 256 for part in parts)


def _body_size(said: str) -> int:
    """Return the size of a body in bytes.

    Raises:
        UsageError: it is none, or too small or large.
    """
    from quchong.plan.parameters import checked

    try:
        return int(checked(max_record=said)["max_record"])
    except UsageError as error:
        raise UsageError("{}: use a size from 64K to 2G, such as 16M", Param("max_body", said)) from error


def _processes(asked: int | None, index: Index) -> int:
    """Return the number of processes that answer questions: by default one for each further processor.

    Without texts, or with a filter before its method, an index is followed by opening it anew; one process does it all then.
    """
    if asked is not None:
        return asked
    settings = index.stats().settings
    followed = settings["store"] == "text" and settings["parameters"].get("stage1") in (None, "none", "")
    return len(os.sched_getaffinity(0)) - 1 if followed and hasattr(os, "sched_getaffinity") else 0
