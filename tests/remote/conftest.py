"""An S3 server on this machine (moto), a faulty web server, and retries that do not wait."""

import dataclasses
import hashlib
import http.server
import logging
import re
import socket
import threading

import boto3
import pytest
from moto.server import ThreadedMotoServer

from quchong.io.files import stores


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """The waits between requests, which take no time here."""
    waited = []
    monkeypatch.setattr(stores, "RETRIES", dataclasses.replace(stores.RETRIES, wait=waited.append))
    return waited


@pytest.fixture(scope="session")
def s3_server():
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    yield f"http://127.0.0.1:{port}"
    server.stop()


class Bucket:
    """A new bucket, with the requests that came to it."""

    def __init__(self, url, name):
        self.url, self.name = url, name
        self.client = boto3.client(
            "s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id="key", aws_secret_access_key="secret"
        )
        self.client.create_bucket(Bucket=name)
        self.options = {"endpoint_url": url, "key": "key", "secret": "secret"}

    def put(self, key, body):
        self.client.put_object(Bucket=self.name, Key=key, Body=body)

    def get(self, key):
        return self.client.get_object(Bucket=self.name, Key=key)["Body"].read()

    def keys(self, prefix=""):
        found = self.client.list_objects_v2(Bucket=self.name, Prefix=prefix).get("Contents", [])
        return sorted(one["Key"] for one in found)


_number = iter(range(1_000_000))


@pytest.fixture
def bucket(s3_server, monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    return Bucket(s3_server, f"bucket{next(_number)}")


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """Say nothing of connections that a test cuts."""


class WebServer:
    """Web server whose faults a test chooses.

    Attributes:
        files, types: bodies and kinds of content by path.
        faults: list of faults by path; each GET takes the first: a status, "cut", "short" or "long".
        ranges, lengths: False for a server without them.
        log: (method, path, range) of every request.
    """

    def __init__(self):
        self.files, self.faults, self.log = {}, {}, []
        self.ranges = self.lengths = True
        self.headers, self.posted, self.types = {}, b"", {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def do_HEAD(self):
                self.answer(False)

            def do_POST(self):
                outer.posted = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.answer(True)

            def do_GET(self):
                self.answer(True)

            def answer(self, body):
                path = self.path.split("?")[0]
                asked = self.headers.get("Range")
                outer.log.append((self.command, self.path, asked))
                outer.headers = dict(self.headers)
                faults = outer.faults.get(path, [])
                fault = faults.pop(0) if faults and body else None
                whole = outer.files.get(path)
                if isinstance(fault, int) or whole is None:
                    self.send_response(fault or 404)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                content, status = whole, 200
                found = re.fullmatch(r"bytes=(\d+)-(\d*)", asked or "")
                if found and outer.ranges:
                    end = min(int(found[2] or len(whole) - 1), len(whole) - 1)
                    content, status = whole[int(found[1]) : end + 1], 206
                self.send_response(status)
                self.send_header("ETag", f'"{hashlib.md5(whole).hexdigest()}"')
                if path in outer.types:
                    self.send_header("Content-Type", outer.types[path])
                if outer.ranges:
                    self.send_header("Accept-Ranges", "bytes")
                if status == 206:
                    self.send_header("Content-Range", f"bytes {found[1]}-{end}/{len(whole)}")
                if fault == "short":
                    content = content[: len(content) // 2]
                if outer.lengths:
                    self.send_header("Content-Length", str(len(content)))
                else:
                    self.send_header("Connection", "close")
                    self.close_connection = True
                self.end_headers()
                if not body:
                    return
                if fault == "cut":
                    self.wfile.write(content[: len(content) // 2])
                    self.wfile.flush()
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                else:
                    self.wfile.write(content)

        self.server = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def web():
    server = WebServer()
    yield server
    server.close()
