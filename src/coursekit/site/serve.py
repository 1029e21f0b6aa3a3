"""Serve the built site on this machine: `python -m coursekit serve`."""

from __future__ import annotations

import contextlib
import errno
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HOST = "127.0.0.1"
PORT = 8000


class _Quiet(SimpleHTTPRequestHandler):
    """Serve files without a line a request, and let the browser ask again after each build."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


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
