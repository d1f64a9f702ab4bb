"""Covers: a real standalone cluster on this machine: a master and two workers, runs by the command line, the package shipped
to workers that do not have it, and a worker that is killed in mid-job. test_spark.py kills a worker of one process, in the suite.

Compared against: the local engine. Run: pytest -m campaign tests/conformance/test_cluster.py (needs pyspark and Java; else skipped).
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import why_not

import quchong as qc

PACKAGE = Path(qc.__file__).parent
LOOPBACK = "127.0.0.1"


def free_port():
    with socket.socket() as s:
        s.bind((LOOPBACK, 0))
        return s.getsockname()[1]


class Cluster:
    """A master and workers of one core each; every one of them in a process group of its own, with what it starts."""

    def __init__(self, folder, workers):
        import pyspark

        self.folder, self.home = folder, Path(pyspark.__file__).parent
        self.port, self.page = free_port(), free_port()
        self.processes = [self._start("master", "master.Master", "--port", self.port, "--webui-port", self.page)]
        self.until(lambda: self.state() is not None, "the master")
        self.workers = [
            self._start(f"worker{i}", "worker.Worker", "--cores", 1, "--memory", "600m", "--work-dir", folder / f"work{i}",
                        "--webui-port", free_port(), self.url)
            for i in range(workers)
        ]  # fmt: skip
        self.processes += self.workers
        self.until(lambda: self.alive() == workers, "the workers")

    @property
    def url(self):
        return f"spark://{LOOPBACK}:{self.port}"

    def _start(self, name, kind, *args):
        env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SPARK_HOME")}
        env |= {"SPARK_LOCAL_IP": LOOPBACK, "SPARK_DAEMON_MEMORY": "256m"}
        command = [self.home / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", "--host", LOOPBACK, *args]
        with (self.folder / f"{name}.log").open("w") as log:
            return subprocess.Popen(
                [str(c) for c in command], env=env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )

    def state(self):
        address = f"http://{LOOPBACK}:{self.page}/json/"
        with contextlib.suppress(OSError, ValueError), urllib.request.urlopen(address, timeout=5) as page:
            return json.load(page)
        return None

    def alive(self):
        state = self.state()
        return sum(w["state"] == "ALIVE" for w in state["workers"]) if state else 0

    def until(self, done, what, seconds=300):
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, (
                f"{what} did not come up: {[p.read_text()[-800:] for p in self.folder.glob('*.log')]}"
            )
            time.sleep(0.2)

    def kill(self, process):
        """Kills a process and all it started, at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self):
        for process in reversed(self.processes):
            self.kill(process)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if reason := why_not():
        pytest.skip(reason)
    made = Cluster(tmp_path_factory.mktemp("cluster"), 2)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("corpus")
    for part in range(4):
        lines = (json.dumps(r, ensure_ascii=False) for r in rows[part::4])
        (folder / f"{part}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """The package and its compiled module in an archive, as a worker that has only the other libraries needs them."""
    import _quchong

    path = tmp_path_factory.mktemp("shipped") / "quchong.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(PACKAGE, "quchong", filter=lambda m: None if "__pycache__" in m.name else m)
        archive.add(_quchong.__file__, Path(_quchong.__file__).name)
    return path


def start(cluster, corpus, out, shipped, *options):
    settings = {
        "spark.driver.host": LOOPBACK, "spark.driver.bindAddress": LOOPBACK, "spark.driver.memory": "600m",
        "spark.executor.memory": "500m", "spark.executor.cores": 1, "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": 3, "spark.archives": f"file://{shipped}#shipped",
        "spark.executorEnv.PYTHONPATH": "./shipped", "spark.network.timeout": "60s",
    }  # fmt: skip
    command = [
        sys.executable,
        "-m",
        "quchong.cli.main",
        "dedup",
        corpus,
        "-o",
        out,
        "--engine",
        "spark",
        "--format",
        "jsonl",
    ]
    command += ["--master", cluster.url, *options]
    for name, value in settings.items():
        command += ["--spark-conf", f"{name}={value}"]
    env = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": LOOPBACK}
    return subprocess.Popen(
        [str(c) for c in command], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )  # fmt: skip


def ended(job, seconds=600):
    try:
        out, err = job.communicate(timeout=seconds)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.pid, signal.SIGKILL)
    assert job.returncode == 0, (out[-2000:], err[-4000:])
    return out, err


def hold_equal(out, local):
    for name in ("pairs", "ledger", "clusters"):
        found = pq.read_table(out / f"{name}.parquet").to_pylist()
        found.sort(key=lambda r: (r.get("left_id") or r["id"], r.get("right_id") or ""))
        assert found == getattr(local, name).to_pylist(), name
    lines = [line for p in (out / "kept").glob("part-*") for line in p.read_text("utf-8").splitlines()]
    assert sorted(json.loads(line)["id"] for line in lines) == sorted(local.kept["id"].to_pylist())


@pytest.fixture(scope="module")
def local(corpus):
    return qc.dedup(str(corpus / "*.jsonl"), recall_sample=0)


@pytest.mark.campaign
def test_a_worker_killed_in_mid_job_costs_only_time(cluster, corpus, shipped, tmp_path, local):
    """The command on both workers up to the middle, then on one: the answer is that of one machine."""
    out = tmp_path / "out"
    job = start(cluster, corpus, out, shipped)

    def midway():
        assert job.poll() is None, job.communicate()
        return any(tmp_path.glob(".out.quchong-*/new/_stages/*/documents/_SUCCESS"))

    try:
        cluster.until(midway, "the stage of documents")
        cluster.kill(cluster.workers[0])
    finally:  # a job that goes on when the test has failed would wait for a cluster for ever
        printed, err = ended(job)
    assert "Lost executor" in err  # it had one, in the middle
    assert "written to" in printed and not (out / "_stages").exists()
    manifest = json.loads((out / "run.json").read_text("utf-8"))
    assert manifest["counts"]["removed"] == len(local.ledger) and manifest["partitions"] == 3
    assert manifest["config_hash"] == local.manifest["config_hash"]
    hold_equal(out, local)
    assert cluster.alive() == 1 or cluster.state() is not None
