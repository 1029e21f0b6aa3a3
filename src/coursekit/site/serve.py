"""Serve the built site on this machine, compressed, as a good host would: `python -m coursekit serve`."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import sys
import threading
from functools import lru_cache, partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOST = "127.0.0.1"
PORT = 8000
COMPRESSED = {".html", ".css", ".js", ".json", ".svg", ".ipynb", ".md", ".txt", ".xml"}
"""What is sent compressed; pictures and fonts are compressed already."""


@lru_cache(maxsize=256)
def compressed(file: Path, _tag: str) -> bytes:
    """A file's content as gzip, kept for as long as its tag stays the same."""
    return gzip.compress(file.read_bytes(), 6, mtime=0)


class _Quiet(SimpleHTTPRequestHandler):
    """Serve files without a line a request; the browser keeps them, and asks each time whether they are still good.

    Nothing is kept without asking, because the next build may change any file under the same name.
    """

    protocol_version = "HTTP/1.1"  # one connection for many files

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        file = Path(self.translate_path(self.path))
        file = file / "index.html" if self.path.partition("?")[0].endswith("/") else file
        if file.suffix not in COMPRESSED or not file.is_file() or not self._takes_gzip():
            return super().send_head()
        state = file.stat()
        return self._send_compressed(file, f'"{state.st_mtime_ns:x}-{state.st_size:x}-gzip"')

    def _takes_gzip(self) -> bool:
        return "gzip" in self.headers.get("Accept-Encoding", "")

    def _send_compressed(self, file: Path, tag: str) -> io.BytesIO | None:
        known = self.headers.get("If-None-Match") == tag
        body = b"" if known else compressed(file, tag)
        self.send_response(HTTPStatus.NOT_MODIFIED if known else HTTPStatus.OK)
        self.send_header("ETag", tag)
        self.send_header("Vary", "Accept-Encoding")
        if not known:
            self.send_header("Content-Type", self.guess_type(file))
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return None if known else io.BytesIO(body)


class _Server(ThreadingHTTPServer):
    """A server that says nothing of a browser that went away in the middle of an answer."""

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def open_server(site: Path, port: int, say: Callable[[str], None] = print) -> ThreadingHTTPServer:
    """A server of `site` on localhost at `port`, or at a free one if that is taken, which is said; 0 takes any."""
    handler = partial(_Quiet, directory=str(site))
    try:
        return _Server((HOST, port), handler)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        say(f"Port {port} is taken: choosing another.")
        return _Server((HOST, 0), handler)


def address(server: ThreadingHTTPServer) -> str:
    """Where a browser finds the server."""
    return f"http://localhost:{server.server_address[1]}/"


@contextlib.contextmanager
def serving(site: Path, port: int = 0) -> Iterator[str]:
    """Serve `site` in the background for as long as the context lasts, and give its address."""
    with open_server(site, port) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield address(server)
        server.shutdown()
        thread.join()


def serve(site: Path, port: int = PORT) -> None:
    """Serve `site` until Ctrl-C, saying where."""
    with open_server(site, port) as server:
        print(f"\n  The course is at {address(server)}   (Ctrl-C stops it)\n", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    print("\nStopped.")
