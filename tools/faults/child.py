"""Runs a command of quchong in a process of its own that is forked off here, so that nothing is imported again."""

from __future__ import annotations

import faulthandler
import importlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import shim

Hook = tuple[str, str, object]
"""Module, attribute, value: set in the child alone."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: exit code (minus the signal that killed it), what it said, the calls it made."""

    code: int
    out: str
    err: str
    changes: int
    reads: int
    fired: bool
    call: str
    late: bool

    @property
    def told(self) -> str:
        """The last line it said."""
        lines = (self.err or self.out).strip().splitlines()
        fatal = [line for line in lines if line.startswith("Fatal")]
        return (fatal or lines)[-1][:200] if lines else ""


class Child:
    """A running command.

    Args:
        argv: of `quchong`.
        cwd: where it runs.
        root: file calls below it are counted, and may be struck; None: none.
        fault, at: what strikes, and at which call.
        scratch: folder for what it says.
        stdout: file for its standard output, appended to.
        hooks: set before it starts.
    """

    def __init__(
        self, argv: Sequence[str], cwd: Path, scratch: Path, *, root: Path | None = None, fault: shim.Fault | None = None,
        at: int = 0, stdout: Path | None = None, hooks: Sequence[Hook] = (),
    ) -> None:  # fmt: skip
        self.page = shim.page()
        assert self.page is not None, "the shim is not loaded"
        self.counted = root is not None
        if self.counted:
            self._arm(root, fault, at)
        sys.stdout.flush()
        sys.stderr.flush()
        self.out, self.err = stdout or scratch / f"out-{time.monotonic_ns()}", scratch / f"err-{time.monotonic_ns()}"
        self.own_out = stdout is None
        self.pid = os.fork()
        if not self.pid:
            self._be(argv, cwd, hooks)

    def _arm(self, root: Path | None, fault: shim.Fault | None, at: int) -> None:
        page = self.page
        page.pid = page.fired = page.hanging = 0
        page.count[0] = page.count[1] = 0
        page.root, page.what, page.place = str(root).encode(), b"", b""
        page.at = at if fault else 0
        if fault:
            page.kind, page.action, page.number, page.sticky = fault.kind, fault.action, fault.number, fault.sticky

    def _be(self, argv: Sequence[str], cwd: Path, hooks: Sequence[Hook]) -> None:
        """The child: never returns."""
        code = 1
        try:
            os.setpgid(0, 0)
            for number, path in ((0, os.devnull), (1, self.out), (2, self.err)):
                flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND
                os.dup2(os.open(path, flags, 0o644), number)
            os.chdir(cwd)
            faulthandler.enable()  # a crash says where
            faulthandler.register(signal.SIGUSR1)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            for module, name, value in hooks:
                setattr(importlib.import_module(module), name, value)
            sys.argv = ["quchong", *argv]
            from quchong.cli.main import run

            if self.counted:
                self.page.pid = os.getpid()
            run()
        except BaseException:
            traceback.print_exc()
            code = (
                130
                if isinstance(sys.exception() if hasattr(sys, "exception") else sys.exc_info()[1], KeyboardInterrupt)
                else 1
            )
        finally:
            os._exit(code)

    def stopped(self, seconds: float = 20) -> bool:
        """Waits until the child stands still by SIGSTOP; False when it ended instead."""
        return self._wait(seconds, os.WUNTRACED) is None and self._standing

    def hangs(self, seconds: float = 20) -> bool:
        """Waits until a call hangs; False when the child ended instead."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.page.hanging:
                return True
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                return False
            time.sleep(0.003)
        return False

    def ends(self, seconds: float) -> bool:
        """Waits for the end; False when it still runs after so long."""
        return self._status is not None or self._wait(seconds) is not None

    _standing = False

    def _wait(self, seconds: float, flags: int = 0) -> int | None:
        end, pause = time.monotonic() + seconds, 0.001
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG | flags)
            if pid:
                self._standing = os.WIFSTOPPED(status)
                if self._standing:
                    return None
                self._status = status
                return status
            time.sleep(pause)
            pause = min(pause * 1.3, 0.02)
        return None

    _status: int | None = None

    def signal(self, number: int) -> None:
        """Sends a signal."""
        os.kill(self.pid, number)

    def end(self, seconds: float = 240) -> Ended:
        """Waits for the end; when it takes longer every thread says where it is, and it is killed."""
        status = self._status if self._status is not None else self._wait(seconds)
        late = status is None
        if late:
            os.kill(self.pid, signal.SIGUSR1)  # told by faulthandler
            if self._wait(3) is None:
                os.kill(self.pid, signal.SIGKILL)
                _, self._status = os.waitpid(self.pid, 0)
            status = self._status
        page = self.page
        said = self.out.read_text(errors="replace") if self.own_out and self.out.exists() else ""
        wrote = self.err.read_text(errors="replace") if self.err.exists() else ""
        for path in (self.err, *([self.out] if self.own_out else [])):
            path.unlink(missing_ok=True)
        call = f"{page.what.decode()} {page.place.decode(errors='replace')}".strip() if self.counted else ""
        counts = tuple(page.count) if self.counted else (0, 0)
        return Ended(
            os.waitstatus_to_exitcode(status), said, wrote, *counts, bool(self.counted and page.fired), call, late
        )


def run(argv: Sequence[str], cwd: Path, scratch: Path, **more: object) -> Ended:
    """Runs a command to its end."""
    return Child(argv, cwd, scratch, **more).end()  # type: ignore[arg-type]
