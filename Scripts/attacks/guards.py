"""Web pages of others, by their names and origins."""

from oracles.ground import want

from .target import request, statuses

WRITES = [
    ("POST", "/uploads"), ("POST", "/functions/v1/uploads"), ("POST", "/rest/v1/highlights"),
    ("PATCH", "/rest/v1/profiles?id=eq.10ca1000-0000-4000-8000-000000000001"),
    ("DELETE", "/rest/v1/highlights?id=eq.10ca1000-0000-4000-8000-000000000001"), ("POST", "/auth/v1/signup"),
    ("PUT", "/auth/v1/user"), ("POST", "/auth/v1/recover"), ("POST", "/auth/v1/verify"),
    ("POST", "/functions/v1/delete-account"),
    ("POST", "/rest/v1/rpc/feed"), ("POST", "/video/v1/uploads"), ("PUT", "/upload/x?token=y"),
]
READS = ["/", "/health", "/rest/v1/highlights?select=*", "/auth/v1/settings", "/uploads/x", "/stream/x.mp4",
         "/style.css"]


def check_names(place):
    """DNS rebinding: a page whose host's name was pointed here sends its own name."""
    server = place.fresh()
    port = server.port
    names = ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"127.0.0.1@evil.example:{port}",
             "localhost.evil.example", "127.0.0.2.nip.io", "0x7f000001.evil.example", "", " ", "127.0.0.1:",
             "127.0.0.1:x", "[::1", "::1", "localhost#.evil.example", "127.0.0.1,evil.example", "169.254.169.254")
    for name in names:
        for method, path in WRITES + [("GET", path) for path in READS]:
            lines = "Content-Length: 2", "Connection: close"
            got, is_closed = server.raw(request(method, path, *lines, body=b"{}", host=name), enough=1)
            codes = statuses(got)
            want(codes and 400 <= codes[0] < 500 or is_closed and not codes, f"{method} {path} for {name!r} is {codes}")
            want(b"[" not in got.partition(b"\r\n\r\n")[2][:1], f"{method} {path} for {name!r} gives rows")
    two = b"GET /rest/v1/highlights HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    none = b"GET /rest/v1/highlights HTTP/1.1\r\nConnection: close\r\n\r\n"
    old = b"GET /rest/v1/highlights HTTP/1.0\r\n\r\n"
    # The name of an absolute target is dropped before anybody can look at it; browsers send none to a server.
    for data in two, none, old:
        codes = statuses(server.raw(data, enough=1)[0])
        want(not codes or 400 <= codes[0] < 500, f"{data[:60]!r} is {codes}")
    for name in f"127.0.0.1:{port}", "127.0.0.1", f"localhost:{port}", "LOCALHOST", f"[::1]:{port}":
        got = server.raw(request("GET", "/health", "Connection: close", host=name))[0]
        want(statuses(got) == [200], f"the name {name} is {statuses(got)}")
    return f"{len(names)} wrong names on all routes; the own ones are heard"


def check_origins(place):
    server = place.server
    own = f"http://127.0.0.1:{server.port}"
    for origin in ("http://evil.example", "https://evil.example", "null", f"https://127.0.0.1:{server.port}",
                   f"{own}.evil.example",
                   "http://127.0.0.1:1", "http://localhost", f"{own}@evil.example", "file://", "chrome-extension://x"):
        for method, path in WRITES:
            # As a form or a script without leave sends it.
            for kind in "application/json", "text/plain", "application/x-www-form-urlencoded":
                headers = {"Origin": origin, "Content-Type": kind, "Idempotency-Key": "k"}
                answer = server.ask(method, path, "{}", headers)
                want(answer.status == 403, f"{method} {path} of {origin} is {answer.status}")
        for path in READS:
            answer = server.ask("GET", path, headers={"Origin": origin})
            allowed = answer.headers.get("Access-Control-Allow-Origin")
            want(allowed in (None, own), f"GET {path} of {origin} may be read: {allowed}")
            want("Access-Control-Allow-Credentials" not in answer.headers, f"GET {path}: with credentials")
    for path in READS:
        headers = server.ask("GET", path).headers
        want(headers["X-Content-Type-Options"] == "nosniff", f"{path} may be taken for another type")
        want(headers["Cross-Origin-Resource-Policy"] == "same-origin", f"{path} may be embedded by other pages")
        want("frame-ancestors 'none'" in headers["Content-Security-Policy"], f"{path} may be framed")
    wrong = {"email": "a@b.c", "password": "x"}
    mine = server.ask("POST", "/auth/v1/token?grant_type=password", wrong, {"Origin": own})
    want(mine.status == 400, f"the own origin is {mine.status}")
    return f"{len(WRITES)} writes and {len(READS)} reads of other origins"


def check_secrets(place):
    """Nothing secret in answers, errors and what the server prints."""
    server = place.fresh()
    keys = server.keys
    secret = {name: keys[name] for name in keys if name not in ("publishable_key", "anon_key", "mux_token_id")}
    told = ""
    for method, path in WRITES + [("GET", path) for path in READS]:
        for headers in ({}, {"Authorization": f"Bearer {keys['service_role_key']}x"},
                        {"apikey": keys["secret_key"] + "x"}):
            answer = server.ask(method, path, "{}", headers | {"Content-Type": "application/json"})
            told += f"{answer.status} {dict(answer.headers)} {answer.text}\n"
    server.kill()
    told += (server.ground.folder / f"{server.name}.log").read_text()
    for name, value in secret.items():
        want(value not in told, f"{name} is told")
    return "no key, no token, no password"


CHECKS = {"guards names": check_names, "guards origins": check_origins, "guards secrets": check_secrets}
