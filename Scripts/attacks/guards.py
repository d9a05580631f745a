"""Requests from other sites' web pages, by host name and origin."""

from backend import want

from .wire import WRITES, exchange, request, statuses

READS = ["/", "/health", "/rest/v1/highlights?select=*", "/auth/v1/settings", "/uploads/x", "/stream/x.mp4",
         "/style.css"]


def check_names(place):
    """DNS rebinding: a page whose host name resolves to this server sends its own name."""
    server = place.server
    port = server.port
    names = ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"127.0.0.1@evil.example:{port}",
             "localhost.evil.example", "127.0.0.2.nip.io", "", " ", "127.0.0.1:", "127.0.0.1:x", "[::1", "::1",
             "localhost#.evil.example", "127.0.0.1,evil.example", "169.254.169.254")
    for name in names:
        for method, path in WRITES + [("GET", path) for path in READS]:
            got, is_closed = exchange(
                server, request(method, path, "Content-Length: 2", "Connection: close", body=b"{}", host=name),
                enough=1)
            codes = statuses(got)
            want(codes and 400 <= codes[0] < 500 or is_closed and not codes, f"{method} {path} for {name!r} is {codes}")
    for rest in (b"1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
                 b"1.1\r\nConnection: close\r\n\r\n", b"1.0\r\n\r\n"):
        data = b"GET /rest/v1/highlights HTTP/" + rest
        codes = statuses(exchange(server, data, enough=1)[0])
        want(not codes or 400 <= codes[0] < 500, f"{data[:60]!r} is {codes}")
    for name in f"127.0.0.1:{port}", f"localhost:{port}", "LOCALHOST", f"[::1]:{port}":
        codes = statuses(exchange(server, request("GET", "/health", "Connection: close", host=name))[0])
        want(codes == [200], f"the name {name} is {codes}")
    return f"{len(names)} other names are rejected on all routes"


def check_origins(place):
    server = place.server
    own = server.base
    origins = ("http://evil.example", "null", own.replace("http", "https"), f"{own}.evil.example", "http://127.0.0.1:1",
               "http://localhost", f"{own}@evil.example", "file://", "chrome-extension://x")
    for origin in origins:
        for method, path in WRITES:
            for kind in "application/json", "text/plain", "application/x-www-form-urlencoded":
                headers = {"Origin": origin, "Content-Type": kind, "Idempotency-Key": "k"}
                status = server.ask(method, path, "{}", headers).status_code
                want(status == 403, f"{method} {path} from {origin} is {status}")
        for path in READS:
            headers = server.ask("GET", path, headers={"Origin": origin}).headers
            want(headers.get("Access-Control-Allow-Origin") in (None, own), f"{origin} can read {path}")
            want("Access-Control-Allow-Credentials" not in headers, f"GET {path}: with credentials")
    for path in READS:
        headers = server.ask("GET", path).headers
        want(headers["X-Content-Type-Options"] == "nosniff", f"{path} can be sniffed")
        want(headers["Cross-Origin-Resource-Policy"] == "same-origin", f"{path} can be embedded by other pages")
        want("frame-ancestors 'none'" in headers["Content-Security-Policy"], f"{path} can be framed")
    mine = server.ask("POST", "/auth/v1/token?grant_type=password", {"email": "a@b.c", "password": "x"},
                      {"Origin": own})
    want(mine.status_code == 400, f"the server's own origin is {mine.status_code}")
    return f"{len(WRITES)} writes and {len(READS)} reads from {len(origins)} origins"
