"""Speaks with a service as clients of all kinds do, good and bad: over httpx, and byte by byte over a socket."""

from __future__ import annotations

import json
import random
import socket

HOST = "127.0.0.1"


def connected(server, seconds=60):
    made = socket.create_connection((HOST, server.port), timeout=seconds)
    made.settimeout(seconds)
    return made


def head(method, path, *lines, host="localhost"):
    """The head of a request, as bytes."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, "", ""]).encode()


def sent(server, raw):
    """All that comes back until the other side closes."""
    with connected(server) as one:
        one.sendall(raw)
        return end_of(one)


def end_of(connection):
    """What comes until the other side closes; what came before where it cuts the connection off."""
    found = b""
    try:
        while piece := connection.recv(65536):
            found += piece
    except ConnectionResetError:
        pass
    return found


def answer_of(connection, buffer=b""):
    """Status, head and body of one answer on a connection that stays open, and what came after it."""
    while b"\r\n\r\n" not in buffer:
        piece = connection.recv(65536)
        assert piece, f"closed after {buffer!r}"
        buffer += piece
    top, _, rest = buffer.partition(b"\r\n\r\n")
    names = dict(line.decode("latin-1").split(": ", 1) for line in top.split(b"\r\n")[1:])
    size = int(names.get("content-length", 0))
    while len(rest) < size:
        piece = connection.recv(65536)
        assert piece, f"closed after {buffer!r}"
        rest += piece
    return int(top.split()[1]), names, rest[:size], rest[size:]


def lines(records):
    """Records as JSON lines."""
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in records)


def told(body):
    """The objects of JSON lines."""
    return [json.loads(line) for line in body.splitlines()]


HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


def text_of(number, length=40):
    """A text that resembles no other of another number."""
    return "".join(random.Random(number).choices(HAN, k=length))
