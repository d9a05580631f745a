"""With `--host`, other machines need the token."""

import subprocess
from pathlib import Path

import psutil
from backend import Skipped, want

from .wire import WRITES

TOKEN = "a-token-of-the-check-0123456789abcdef"
ROUTES = WRITES + [
    ("GET", "/"), ("GET", "/health"), ("GET", "/rest/v1/highlights?select=*"), ("GET", "/auth/v1/settings"),
    ("GET", "/auth/v1/reauthenticate"), ("POST", "/functions/v1/delete-account"), ("GET", "/video/v1/assets"),
    ("PUT", "/upload/x?token=y"), ("GET", "/stream/x.mp4"), ("GET", "/image/x/thumbnail.jpg"), ("GET", "/style.css"),
    ("OPTIONS", "/functions/v1/uploads"), ("GET", "/nothing"), ("HEAD", "/"),
]


def own_address():
    """An address of this machine that other machines can reach."""
    words = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    found = next((word for word in words if word.count(".") == 3 and not word.startswith("127.")), None)
    if found is None:
        raise Skipped("this machine has only loopback addresses")
    return found


def token_file(place, name, text, mode=0o600):
    path = place.folder / name
    path.touch(mode=0o600)
    path.write_text(text)
    path.chmod(mode)
    return path


def check_refusals(place):
    for host in "0.0.0.0", "::", own_address():
        for variables in {}, {"BSC_SERVE_TOKEN": ""}, {"BSC_SERVE_TOKEN": " "}:
            shown = place.fails_to_serve("--host", host, **variables)
            want("BSC_SERVE_TOKEN" in shown, f"the message does not contain how to set a token: {shown}")
    place.fails_to_serve("--host", "0.0.0.0", "--token-file", token_file(place, "empty", "\n"))
    place.fails_to_serve("--host", "0.0.0.0", "--token-file", place.folder / "missing", code=66)
    # Other accounts see the values of options in `ps`.
    want(TOKEN not in place.fails_to_serve("--host", "0.0.0.0", "--token", TOKEN), "the token is shown")
    place.fails_to_serve("--host", "0.0.0.0", "--token-file", token_file(place, "shared", TOKEN, 0o644), code=5)
    return "no other address without a token"


def check_guards(place):
    file = str(token_file(place, "token", TOKEN))
    wrong = (None, "Bearer wrong", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", "Basic d3Jvbmc=", "Digest x", "Bearer",
             f"Bearer {TOKEN.upper()}")
    for flags, environment in ([], {"BSC_SERVE_TOKEN": TOKEN}), (["--token-file", file], {}):
        server = place.fresh("--host", "0.0.0.0", *flags, environment=environment)
        for method, path in ROUTES:
            for value in wrong:
                headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
                headers |= {"Authorization": value} if value else {}
                answer = server.ask(method, path, "{}" if method in ("POST", "PUT") else None, headers)
                # An upload's URL contains its own secret.
                codes = (401, 403, 404) if path.startswith("/upload/") else (401,)
                want(answer.status_code in codes, f"{method} {path} with {value!r} is {answer.status_code}")
                want(TOKEN not in answer.text, "the token is in a response")
        for base in server.base, f"http://{own_address()}:{server.port}":
            for headers, status in ({}, 401), ({"Authorization": f"Bearer {TOKEN}"}, 200):
                found = server.ask("GET", f"{base}/health", headers=headers).status_code
                want(found == status, f"{base} with {len(headers)} tokens: {found}")
        command = psutil.Process(server.process.pid).cmdline()
        want(TOKEN not in Path(server.log).read_text() + " ".join(command), "the token is in the output or in `ps`")
        server.kill()
    return f"{len(ROUTES)} routes require it; from the environment and from a file"
