"""Covers: the files of deploy/: the image's recipe by hadolint, the compose file by its parts, the unit by systemd; the health check runs.

Run: pytest tests/docs/test_deploy.py.
"""

import json
import re
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
WORST = 1.5
"""Exposure of the unit by `systemd-analyze security`, from 0 (none) to 10."""


IMAGES = ["Dockerfile", "command.Dockerfile"]


def instructions(image="Dockerfile"):
    """Instructions of a Dockerfile with their arguments, in order."""
    lines = [line for line in (DEPLOY / image).read_text("utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line]


def last_stage(image="Dockerfile"):
    given = instructions(image)
    return dict(given[max(at for at, (name, _) in enumerate(given) if name == "FROM") :])


@pytest.mark.parametrize("image", IMAGES)
def test_hadolint_finds_nothing(image):
    command = [
        str(Path(sys.executable).with_name("hadolint")),
        "--failure-threshold",
        "style",
        str(DEPLOY / image),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_image_is_built_in_one_stage_and_run_in_another_without_rights():
    stages = [argument for name, argument in instructions() if name == "FROM"]
    assert len(stages) == 2 and stages[0].endswith(" AS build") and "slim" in stages[1]
    final = last_stage()
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", final["USER"])  # a number, by which Kubernetes sees that it is not root
    assert final["VOLUME"] == "/data" and "ADD" not in final
    assert "g++" not in json.dumps(final)


@pytest.mark.parametrize("image", IMAGES)
def test_all_that_is_copied_into_the_build_is_there_and_let_through(image):
    let_through = {
        line[1:] for line in (DEPLOY / f"{image}.dockerignore").read_text("utf-8").splitlines() if line[0] == "!"
    }
    copied = {
        word
        for name, words in instructions(image)
        if name == "COPY" and "--from" not in words
        for word in words.split()[:-1]
    }
    assert copied == let_through
    assert all((ROOT / one).exists() for one in copied)


def test_the_image_of_the_command_is_built_in_one_stage_and_runs_the_command_without_rights():
    stages = [argument for name, argument in instructions("command.Dockerfile") if name == "FROM"]
    final = last_stage("command.Dockerfile")
    assert len(stages) == 2 and stages == [argument for name, argument in instructions() if name == "FROM"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", final["USER"]) and json.loads(final["ENTRYPOINT"]) == ["quchong"]
    assert not {"EXPOSE", "ADD", "VOLUME"} & set(final) and "g++" not in json.dumps(final)
    guide = (ROOT / "docs" / "guide" / "install.md").read_text("utf-8")
    assert "docker build -f deploy/command.Dockerfile -t quchong-command ." in guide


def test_the_health_check_is_content_with_a_ready_service_and_with_no_other():
    check = json.loads(last_stage()["HEALTHCHECK"].partition("CMD ")[2])
    asked = []

    class Ready(BaseHTTPRequestHandler):
        status = 200

        def do_GET(self):
            asked.append(self.path)
            self.send_response(self.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Ready) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        codes = []
        for status in (200, 503):
            Ready.status = status
            code = check[2].replace(":8765/", f":{server.server_port}/")
            done = subprocess.run([sys.executable, check[1], code], capture_output=True, check=False)
            codes.append(done.returncode)
        server.shutdown()
        thread.join()
    assert check[:2] == ["python", "-c"] and asked == ["/health/ready"] * 2
    assert codes == [0, 1]


def test_services_are_read_only_without_rights_and_listen_on_this_machine():
    given = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    services = given["services"]
    assert set(services) == {"create", "serve", "postgres", "create-shared", "serve-shared"}
    own = {name: one for name, one in services.items() if one["image"] == "quchong"}
    assert len(own) == 4
    for name, one in own.items():
        assert one["read_only"] is True and one["cap_drop"] == ["ALL"] and one["tmpfs"] == "/tmp", name
        assert one["security_opt"] == ["no-new-privileges:true"], name
        assert (
            ROOT / "deploy" / one["build"]["context"] / one["build"]["dockerfile"]
        ).resolve() == DEPLOY / "Dockerfile"
        assert all(port.startswith("127.0.0.1:") for port in one.get("ports", ())), name
    for one in services.values():
        assert set(one.get("depends_on", ())) <= set(services)
        named = {mount.partition(":")[0] for mount in one.get("volumes", ()) if not mount.startswith(".")}
        assert named <= set(given["volumes"])
        assert set(one.get("profiles", ())) <= {"shared"}
    assert {name for name, one in services.items() if "profiles" not in one} == {"create", "serve"}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit_and_finds_little_exposed(tmp_path):
    text = (DEPLOY / "quchong.service").read_text("utf-8")
    unit = tmp_path / "quchong.service"
    unit.write_text(text.replace("/opt/quchong/bin/quchong", "/bin/true"), "utf-8")  # which is not installed here
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr.strip(), done.stderr
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", unit], capture_output=True, text=True, check=False
    )
    (score,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert float(score) <= WORST


def test_the_unit_and_the_image_have_the_options_of_the_service():
    serve = pytest.importorskip("quchong.cli.serve", reason="the service is not in this tree yet")
    known = {option for parameter in serve.command.params for option in parameter.opts}
    words = json.loads(last_stage()["CMD"])
    asked = {word for word in words if word.startswith("--")}
    for name in ("quchong.service", "compose.yaml"):
        text = (DEPLOY / name).read_text("utf-8")
        shown = re.findall(r"quchong serve .*|OPTIONS=\"[^\"]+\"", text)
        assert shown, name
        asked |= set(re.findall(r"(?<![\w-])--[a-z-]+", " ".join(shown)))
    assert asked and asked <= known
