"""The server shows the site on localhost alone, and finds another port where its own is taken."""

from __future__ import annotations

import gzip
import os
import re
import signal
import socket
import struct
import subprocess
import sys
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from coursekit.site.serve import open_server, serving

if TYPE_CHECKING:
    from pathlib import Path

GZIP = {"Accept-Encoding": "gzip"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "index.html").write_text("<p>hola")
    return tmp_path


def test_files_are_served_and_not_cached(site: Path) -> None:
    with serving(site) as address:
        assert address.startswith("http://localhost:")
        with urlopen(address) as answer:
            assert answer.read() == b"<p>hola"
            assert answer.headers["Cache-Control"] == "no-cache"
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{address}../secret")


def test_text_is_compressed_for_those_who_can_read_that(site: Path) -> None:
    (site / "picture.png").write_bytes(bytes(1000))
    with serving(site) as address:
        with urlopen(Request(address, headers=GZIP)) as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(answer.read()) == b"<p>hola"
        with urlopen(Request(f"{address}picture.png", headers=GZIP)) as answer:
            assert answer.headers["Content-Encoding"] is None
            assert answer.read() == bytes(1000)
        with pytest.raises(HTTPError, match="404"):
            urlopen(Request(f"{address}gone.html", headers=GZIP))


def test_what_the_browser_has_is_not_sent_again_until_it_changes(site: Path) -> None:
    with serving(site) as address:
        with urlopen(Request(address, headers=GZIP)) as answer:
            known = {**GZIP, "If-None-Match": answer.headers["ETag"]}
        with pytest.raises(HTTPError, match="304"):
            urlopen(Request(address, headers=known))
        (site / "index.html").write_text("<p>adiós", "utf-8")
        with urlopen(Request(address, headers=known)) as answer:
            assert gzip.decompress(answer.read()).decode() == "<p>adiós"


def test_nothing_listens_beyond_this_machine(site: Path) -> None:
    with open_server(site, 0) as server:
        assert server.server_address[0] == "127.0.0.1"


def test_a_taken_port_gives_way_to_another(site: Path) -> None:
    said: list[str] = []
    with open_server(site, 0) as first:
        port = first.server_address[1]
        with open_server(site, port, said.append) as second:
            assert second.server_address[1] != port
    assert said == [f"Port {port} is taken: choosing another."]


def test_a_browser_that_goes_away_is_no_news(site: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (site / "big").write_bytes(bytes(50_000_000))
    with serving(site) as address:
        port = int(re.search(r":(\d+)/", address)[1])
        with socket.create_connection(("127.0.0.1", port)) as browser:
            browser.sendall(b"GET /big HTTP/1.0\r\n\r\n")
            browser.recv(10)
            browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close with a reset
        with urlopen(address) as answer:
            assert answer.status == 200
    assert capfd.readouterr().err == ""


def test_ctrl_c_stops_it_cleanly(site: Path) -> None:
    code = f"from pathlib import Path; from coursekit.site.serve import serve; serve(Path({str(site)!r}), 0)"
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (found := re.search(r"http://localhost:\d+/", server.stdout.readline())):
        assert server.poll() is None
    with urlopen(found[0]) as answer:
        assert answer.status == 200
    os.kill(server.pid, signal.SIGINT)
    out, err = server.communicate(timeout=10)
    assert (server.returncode, err) == (0, "")
    assert "Stopped." in out
