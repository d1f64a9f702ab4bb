"""Covers: a service against its own description: schemathesis finds nothing, and the description is valid OpenAPI 3.1.

Run: pip install schemathesis openapi-spec-validator, in an environment of their own, whose bin/ is named by QUCHONG_API_TOOLS or on PATH;
then pytest tests/fuzz/test_fuzz_service.py -m campaign.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import quchong as qc

pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra serve)")
HOOKS = Path(__file__).with_name("service_hooks.py")
TEXTS = {
    "n002": "今晚八点，老地方，不见不散。",
    "n003": "今晚八点老地方不见不散",
    "a/b": "The council met on Monday to discuss the new tram line.",
}
EXAMPLES = 40


def tool(name):
    path = os.pathsep.join(filter(None, [os.environ.get("QUCHONG_API_TOOLS"), os.environ.get("PATH")]))
    found = shutil.which(name, path=path)
    if found is None:
        pytest.skip(f"{name} is not installed; QUCHONG_API_TOOLS names the folder that has it")
    return found


@pytest.fixture
def service(tmp_path):
    from quchong.serve.server import Server

    with qc.Index.create(tmp_path / "seen") as index:
        for id, text in TEXTS.items():
            index.add({"id": id, "text": text})
        with Server(index, port=0) as server:
            yield server


@pytest.mark.campaign
@pytest.mark.parametrize("seed", [1, 37])
def test_schemathesis_finds_nothing(service, tmp_path, seed):
    for phases in ("examples,coverage,fuzzing", "stateful"):
        # in its sequences schemathesis takes objects for bodies of pages: any bytes are a page, so that none is refused
        left_out = ["--exclude-checks", "negative_data_rejection"] if phases == "stateful" else []
        command = [
            tool("schemathesis"),
            "run",
            f"{service.url}/openapi.json",
            "--seed",
            str(seed),
            "-n",
            str(EXAMPLES),
            "--no-color",
        ]
        ran = subprocess.run(
            [*command, "--generation-database", "none", "--warnings", "off", "--phases", phases, *left_out],
            cwd=tmp_path, env=os.environ | {"SCHEMATHESIS_HOOKS": str(HOOKS)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout[-20_000:] + ran.stderr[-2_000:]
        print(ran.stdout[-1500:])


@pytest.mark.campaign
@pytest.mark.parametrize("html", [None, "page"])
def test_the_description_is_valid(tmp_path, html):
    from quchong.serve.description import description

    python = Path(tool("schemathesis")).with_name("python")
    place = tmp_path / "openapi.json"
    place.write_text(json.dumps(description("text", "id", html)), encoding="utf-8")
    ran = subprocess.run([python, "-m", "openapi_spec_validator", place], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
