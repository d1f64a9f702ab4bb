"""Covers: ranges of an S3 store that are read from its socket: the bytes are those of fsspec, and whatever else is answered is left to fsspec."""

import http.server
import threading

import pytest

from quchong.io.files import direct_ranges
from quchong.io.files.addresses import path_of
from quchong.io.files.direct_ranges import direct_range, may_be_direct
from quchong.io.files.location import location_of
from quchong.io.files.stores import using_storage_options

BODY = bytes(range(256)) * 2_000


@pytest.fixture
def file(bucket):
    bucket.put("a 中文.bin", BODY)
    with using_storage_options(bucket.options):
        yield location_of(path_of(f"s3://{bucket.name}/a 中文.bin"))


def test_a_range_is_that_of_the_file(file, monkeypatch):
    assert may_be_direct(file.files)
    for start, size in ((0, 1), (0, len(BODY)), (7, 300_000), (len(BODY) - 5, 5)):
        assert direct_range(file.files, file.name, start, size) == BODY[start : start + size]
    asked = []
    monkeypatch.setattr(file.files, "cat_file", lambda *args, **options: asked.append(args))
    assert file.fetch(100, 200_000) == BODY[100:200_100] and not asked


def test_small_ranges_and_stores_with_settings_of_their_own_are_left_to_fsspec(file, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    assert not may_be_direct(file.files)
    monkeypatch.delenv("HTTPS_PROXY")
    monkeypatch.setattr(file.files, "anon", True)
    assert not may_be_direct(file.files)
    assert not may_be_direct(object())


@pytest.mark.parametrize("answer", ["whole", "refused", "short", "long", "gone"])
def test_any_other_answer_is_left_to_fsspec(file, monkeypatch, answer):
    """Covers: the whole file in place of a range, an error, too few bytes, too many, a cut connection."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = {"whole": BODY, "refused": b"no", "short": BODY[:10], "long": BODY[:200_001], "gone": b""}[answer]
            if answer == "gone":
                self.connection.close()
                return
            self.send_response({"whole": 200, "refused": 403}.get(answer, 206))
            self.send_header("Content-Length", str(200_000 if answer == "short" else len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_address[1]}/a"
        monkeypatch.setattr(direct_ranges, "_signed", lambda *args: (address, {}))
        assert direct_range(file.files, file.name, 0, 200_000) is None
        assert file.fetch(0, 200_000) == BODY[:200_000]  # by fsspec
    finally:
        server.shutdown()
        server.server_close()


def test_no_signature_is_in_an_address(file):
    address, headers = direct_ranges._signed(file.files, file.name, 0, 10)
    assert "?" not in address and "Signature" not in address
    assert headers["Range"] == "bytes=0-9" and "Signature=" in headers["Authorization"]


@pytest.mark.parametrize("key", ["plain.jsonl", "a b/中文 +&=?#%.bin", "x(1)*!'~_-.bin", "dir//two.bin", "end/."])
def test_the_place_of_a_bucket_is_asked_for_once_and_serves_all_of_its_keys(bucket, monkeypatch, key):
    for one in ("first.bin", key):
        bucket.put(one, BODY)
    with using_storage_options(bucket.options):
        files = location_of(path_of(f"s3://{bucket.name}/first.bin")).files
        direct_ranges._places.clear()
        assert direct_range(files, f"{bucket.name}/first.bin", 0, 10) == BODY[:10]
        client = direct_ranges._places[files][bucket.name][0]
        monkeypatch.setattr(client, "generate_presigned_url", None)
        assert direct_range(files, f"{bucket.name}/{key}", 5, 70_000) == BODY[5:70_005]
