"""Builds the images of deploy/ with buildah, which needs no daemon, and runs what they are for.

    python tools/images.py                                  both images, on their base from its registry
    python tools/images.py --base rootfs.tar                on a root file system with Python as `python`, where no registry is reached
    python tools/images.py --only command.Dockerfile        one of them

The image of the command removes copies from the sample. That of the service makes an index and an access file, serves them,
answers its health check and a question, and ends by SIGTERM. The command fails if anything of this goes otherwise. Containers
share the network and the kernel of the machine (isolation "chroot"), so it runs as root, also within a container.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "examples" / "news.jsonl"
KEPT = 59
"""Documents of the sample that are kept."""
USER = 10001
"""User of both images, who has no rights."""
ENVIRONMENT = {**os.environ, "BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs"}
PATIENCE = 120
"""Seconds within which the service is to be ready, and to end."""


def buildah(*words: str | Path) -> str:
    """Run buildah; return what it printed. Raises SystemExit with the end of what it said if it fails."""
    done = subprocess.run(
        ["buildah", *map(str, words)], env=ENVIRONMENT, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise SystemExit(
            "\n".join([*said[-30:], f"buildah {shlex.join(map(str, words[:6]))} ... failed with {done.returncode}"])
        )
    return done.stdout.strip()


def base_of(dockerfile: Path) -> str:
    """Return the name of the image that the stages of a Dockerfile begin with."""
    (name,) = set(re.findall(r"^FROM (\S+)", dockerfile.read_text("utf-8"), re.MULTILINE))
    return str(name)


def import_base(archive: Path, name: str) -> None:
    """Make an image of a root file system, under the name that a Dockerfile asks for."""
    container = buildah("from", "scratch")
    buildah("add", "--quiet", container, archive, "/")
    buildah("config", "--env", "PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", container)
    buildah("commit", "--quiet", "--rm", container, name)


@contextmanager
def container_of(image: str) -> Iterator[str]:
    """A container of an image; it is removed at the end."""
    container = buildah("from", "--pull-never", image)
    try:
        yield container
    finally:
        buildah("rm", container)


def within(container: str, folder: Path, mount: str, *words: str) -> list[str]:
    """Return the words that run a command in a container as its user, with a folder of this machine in it."""
    return ["run", "--user", f"{USER}:{USER}", "--volume", f"{folder}:{mount}", container, "--", *words]


def check_command(container: str, folder: Path) -> str:
    """Remove copies from the sample with the image of the command. Raises SystemExit for another answer."""
    shutil.copy(SAMPLE, folder)
    hand_over(folder)
    buildah(*within(container, folder, "/data", "quchong", "doctor"))
    buildah(*within(container, folder, "/data", "quchong", "dedup", "/data/news.jsonl", "-o", "/data/run"))
    kept = len((folder / "run" / "kept.jsonl").read_text("utf-8").splitlines())
    if kept != KEPT:
        raise SystemExit(f"{kept} documents of the sample were kept, where {KEPT} are")
    return f"{kept} documents of the sample kept"


def check_service(container: str, folder: Path) -> str:
    """Serve an index with the image of the service, and ask it. Raises SystemExit for another answer."""
    access = folder / "access.jsonl"
    hand_over(folder)
    buildah(*within(container, folder, "/data", "quchong", "index", "create", "/data/index"))
    said = buildah(
        *within(container, folder, "/data", "quchong", "access", "add", "/data/access.jsonl", "a", "--role", "write")
    )
    token = max(said.split(), key=len)
    port = free_port()
    serve = (
        "quchong",
        "serve",
        "/data/index",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--access",
        f"/data/{access.name}",
    )
    words = ["buildah", *within(container, folder, "/data", *serve)]
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(words, env=ENVIRONMENT, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until_ready(port, process)
            health = health_check(ROOT / "deploy" / "Dockerfile", port)
            buildah(*within(container, folder, "/data", *health))
            text = "今天上午，市图书馆的新馆开放，读者可以在三楼借阅。".encode()
            new = asked(port, "documents?id=1", text, token)
            again = asked(port, "query", text, token)
        finally:
            end_service(port)
            ended = process.wait(PATIENCE)
        log.seek(0)
        words_said = log.read()
    if new["new"] is not True or again["new"] is not False:
        raise SystemExit(f"the service answered {new} and {again}\n{words_said}")
    if ended:
        raise SystemExit(f"the service ended with {ended} after SIGTERM\n{words_said}")
    return "ready, its health check passed, a text was new once, ended by SIGTERM"


def end_service(port: int) -> None:
    """Send SIGTERM to the service alone, as a daemon of containers does; what runs the container passes on how it ended."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # a process that ended meanwhile
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if str(port).encode() in words and (folder / "exe").readlink().name.startswith("python"):
                os.kill(int(folder.name), signal.SIGTERM)


def hand_over(folder: Path) -> None:
    """Give a folder and its files to the user of the images."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, USER, USER)


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


def health_check(dockerfile: Path, port: int) -> Sequence[str]:
    """Return the words of a Dockerfile's health check, for another port."""
    (found,) = re.findall(r"^HEALTHCHECK .*?CMD (\[.*?\])$", dockerfile.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [word.replace(":8765/", f":{port}/") for word in json.loads(found)]


def wait_until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the service says that it is ready. Raises SystemExit if it ends before, or takes too long."""
    for _ in range(PATIENCE * 5):
        if process.poll() is not None:
            raise SystemExit(f"the service ended with {process.returncode} before it was ready")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"the service was not ready after {PATIENCE} seconds")


def asked(port: int, path: str, text: bytes, token: str) -> dict[str, object]:
    """Send a text to the service; return its answer."""
    head = {"Authorization": f"Bearer {token}", "Content-Type": "text/plain; charset=utf-8"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/{path}", text, head)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return dict(json.load(answer))


IMAGES = {"command.Dockerfile": check_command, "Dockerfile": check_service}
"""Files of deploy/, and what is done with the image of each."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--base", type=Path, metavar="TAR", help="root file system instead of the base from its registry"
    )
    parser.add_argument("--only", choices=sorted(IMAGES), help="build and run one image")
    given = parser.parse_args()
    if shutil.which("buildah") is None:
        raise SystemExit("there is no buildah here (Debian, Ubuntu: apt-get install buildah)")
    for name, check in IMAGES.items():
        if given.only not in (None, name):
            continue
        dockerfile = ROOT / "deploy" / name
        if given.base is not None:
            import_base(given.base.resolve(), base_of(dockerfile))
        image = f"quchong-check-{name.partition('.')[0].lower()}"
        buildah("build", "--format", "docker", "--file", dockerfile, "--tag", image, ROOT)
        with container_of(image) as container, tempfile.TemporaryDirectory() as folder:
            print(f"{name}: {check(container, Path(folder))}", flush=True)


if __name__ == "__main__":
    main()
