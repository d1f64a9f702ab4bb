"""Speaks with a review desk."""

import http.client
import json
from urllib.parse import urlsplit


class Client:
    """Speaks HTTP with a desk, as a browser or anybody else would."""

    def __init__(self, url):
        parts = urlsplit(url)
        self.port, self.path = parts.port, parts.path

    def send(self, method, path, body=None, headers=None, *, bare=False, host=None):
        """Status, headers and body of an answer; `bare` leaves the token out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest(method, path if bare else self.path + path, skip_host=True, skip_accept_encoding=True)
            for one in [f"127.0.0.1:{self.port}"] if host is None else host:
                connection.putheader("Host", one)
            given = dict(headers or {})
            if body is not None and "Content-Length" not in given and "Transfer-Encoding" not in given:
                given["Content-Length"] = str(len(body))
            for name, value in given.items():
                connection.putheader(name, value)
            # All at once: a server that refuses by the head alone closes, and a body that comes later would reset its answer.
            connection.connect()
            held = []
            connection.send = held.append
            connection.endheaders(body)
            connection.sock.sendall(b"".join(held))
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def get(self, path):
        status, _, body = self.send("GET", path)
        assert status == 200, (status, body)
        return json.loads(body)

    def post(self, path, said, status=200):
        found, _, body = self.send("POST", path, json.dumps(said).encode(), {"Content-Type": "application/json"})
        assert found == status, (found, body)
        return json.loads(body)
