"""bsc upload to nginx, which has certificates made on the spot and passes on to `bsc serve --upload-sessions`."""

import collections
import subprocess
import urllib.parse

from .ground import PATIENCE, UNIT, free_port, is_open, open_session, own_address, program, wait_for, want, want_object

# Who listens where: what comes behind `listen`, and the certificate.
DOORS = {
    "h2": ("ssl http2", "good"), "h1": ("ssl", "good"), "other": ("ssl http2", "other"),
    "expired": ("ssl http2", "expired"), "plain": ("", None),
}
REDIRECTS = (301, 307, 308)
# A connection ends behind so many requests, and HTTP/2 says so with GOAWAY: long uploads need a second one.
REQUESTS_PER_CONNECTION = 5


class Gate:
    """nginx in the foreground, with one door for each kind of TLS."""

    def __init__(self, ground):
        nginx, self.openssl = program("nginx", "nginx-light"), program("openssl", "openssl")
        self.ground, self.server, self.address = ground, ground.sessions, own_address()
        self.folder = ground.folder / "gate"
        self.folder.mkdir(exist_ok=True)
        self.make_certificates()
        # On both addresses.
        self.ports = {name: free_port("0.0.0.0") for name in DOORS}
        (self.folder / "nginx.conf").write_text(self.configuration())
        errors = self.folder / "stderr"
        command = [nginx, "-e", "stderr", "-p", self.folder, "-c", self.folder / "nginx.conf"]
        process = ground.start(command, stdout=subprocess.DEVNULL, stderr=errors.open("wb"))
        wait_for(lambda: process.poll() is not None or all(map(is_open, self.ports.values())), "nginx listens")
        want(process.poll() is None, f"nginx does not start: {errors.read_text().strip()}")

    def make_certificates(self):
        self.authority = self.folder / "authority.pem"
        self.run("req", "-x509", *self.key("authority"), "-subj", "/CN=oracle authority", "-days", "2",
                 "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", self.authority)
        good = f"DNS:localhost,IP:127.0.0.1,IP:{self.address}"
        for name, names in {"good": good, "other": "DNS:other.example", "expired": good}.items():
            extensions = self.folder / f"{name}.ext"
            extensions.write_text(f"subjectAltName={names}\n")
            request, certificate = self.folder / f"{name}.csr", self.folder / f"{name}.pem"
            self.run("req", "-new", *self.key(name), "-subj", f"/CN={name}", "-out", request)
            # It ended a day before it began.
            days = "-1" if name == "expired" else "2"
            self.run("x509", "-req", "-in", request, "-CA", self.authority, "-CAkey", self.folder / "authority.key",
                     "-CAcreateserial", "-days", days, "-extfile", extensions, "-out", certificate)

    def key(self, name):
        return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-config", "/dev/null",
                "-keyout", self.folder / f"{name}.key")

    def run(self, *words):
        command = [self.openssl, *map(str, words)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        want(done.returncode == 0, f"openssl {words[0]} failed: {done.stderr.strip()}")

    def configuration(self):
        doors = []
        for name, (kind, certificate) in DOORS.items():
            port = self.ports[name]
            lines = [f"listen {address}:{port} {kind};" for address in ("127.0.0.1", self.address)]
            if certificate:
                lines += [f"ssl_certificate {self.folder}/{certificate}.pem;",
                          f"ssl_certificate_key {self.folder}/{certificate}.key;"]
            lines += [f"location = /moved/{status} {{ return {status} https://localhost:{port}/landing; }}"
                      for status in REDIRECTS]
            # An answer that would end an upload well, for whoever follows.
            lines += ["location = /landing { return 200; }", f"location / {{ proxy_pass {self.server.base}; }}"]
            doors.append(f"server {{ {' '.join(lines)} }}")
        places = "".join(f"{kind}_temp_path {self.folder}/{kind};\n"
                         for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return f"""
            daemon off; master_process off; pid {self.folder}/pid; events {{ worker_connections 128; }}
            http {{
              log_format oracle '$server_port $server_protocol $request_method $uri $status $connection';
              access_log {self.folder}/access.log oracle;
              {places}
              client_max_body_size 0; proxy_request_buffering off; proxy_http_version 1.1;
              proxy_set_header Host 127.0.0.1:{self.server.port};
              keepalive_requests {REQUESTS_PER_CONNECTION};
              {" ".join(doors)}
            }}
        """

    def url(self, door, name, host="localhost"):
        """A new session, as it is reached through the gate, and its token."""
        parts = urllib.parse.urlsplit(open_session(self.server.base, name))
        [token] = urllib.parse.parse_qs(parts.query)["token"]
        scheme = "https" if DOORS[door][1] else "http"
        return parts._replace(scheme=scheme, netloc=f"{host}:{self.ports[door]}").geturl(), token

    Line = collections.namedtuple("Line", "port protocol method path status connection")

    def seen(self, door=None):
        """The requests that came, as nginx noted them."""
        lines = [self.Line(*line.split()) for line in (self.folder / "access.log").read_text().splitlines()]
        return [line for line in lines if door is None or line.port == str(self.ports[door])]

    def seen_of(self, url, count):
        """Those of one upload; nginx notes them behind its answer."""
        path = urllib.parse.urlsplit(url).path
        def of_it():
            return [line for line in self.seen() if line.path == path]
        wait_for(lambda: len(of_it()) >= count, f"{count} requests in nginx's log")
        return of_it()


def gate(ground):
    return ground.keep("gate", lambda: Gate(ground))


def send(ground, door, protocol, **variables):
    place, count = gate(ground), 0
    for size in (1, UNIT, (5 << 20) + 7):
        for flags in (["--chunk-size", "1MiB"], []):
            name, path, data = ground.file(size)
            url, token = place.url(door, name)
            said = ground.upload(path, url, "--cacert", place.authority, *flags, **variables)
            said.want_sent(data)
            said.want_silent(token)
            want_object(place.server.base, name, data)
            lines = place.seen_of(url, said.document["requestCount"] + 1)
            want({line.protocol for line in lines} == {protocol}, f"nginx saw {lines[0].protocol}")
            want([line.status for line in lines] == ["308"] * (len(lines) - 1) + ["200"], f"nginx saw {lines}")
            connections = len({line.connection for line in lines})
            want(connections == -(-len(lines) // REQUESTS_PER_CONNECTION),
                 f"{len(lines)} requests took {connections} connections")
            count += len(lines)
            path.unlink()
    return f"1 byte, 256 KiB, 5 MiB + 7: {count} requests, each {protocol} as nginx says, the same bytes"


def check_http2(ground):
    return send(ground, "h2", "HTTP/2.0", BSC_NETWORK_HTTP="2")


def check_http1(ground):
    """A server that has HTTP/1.1 alone, and one that has both: uploads prefer the older one."""
    send(ground, "h1", "HTTP/1.1", BSC_NETWORK_HTTP="2")
    return send(ground, "h2", "HTTP/1.1")


def check_certificates(ground):
    """What must not be trusted gets no request, and the person hears why."""
    place = gate(ground)
    authority = ["--cacert", place.authority]
    cases = [("h2", [], "issuer"), ("h1", [], "issuer"), ("other", authority, "localhost"),
             ("expired", authority, "expired")]
    for door, flags, word in cases:
        name, path, _ = ground.file(UNIT)
        url, token = place.url(door, name)
        before = len(place.seen())
        # It is no reason to try again: retries would go on for longer than bsc may take.
        said = ground.upload(path, url, *flags, BSC_UPLOAD_RETRY_SECONDS=str(10 * PATIENCE))
        said.want_refused("certificate", "localhost", word, secrets=[token, url])
        want(len(place.seen()) == before, f"a request went to a server that is not trusted: {place.seen()[before:]}")
    return "an unknown authority (HTTP/2 and HTTP/1.1), another name, an expired one: 6, and no request"


def check_redirects(ground):
    """No redirect is followed. A 308 with Location is none in this protocol: it says that nothing is stored."""
    place = gate(ground)
    for status in REDIRECTS:
        _, path, _ = ground.file(UNIT + 1)
        url = f"https://localhost:{place.ports['h2']}/moved/{status}?token=secret-{status}"
        said = ground.upload(path, url, "--cacert", place.authority)
        said.want_refused(*([str(status)] if status != 308 else []), secrets=[f"secret-{status}"])
        lines = place.seen_of(url, 1)
        followed = [line for line in place.seen() if line.path == "/landing"]
        want(not followed, f"a redirect was followed: {followed}")
        want({line.status for line in lines} == {str(status)}, f"nginx answered {lines}")
        want(status == 308 or len(lines) == 1, f"{len(lines)} requests went to what redirects with {status}")
    return "301, 307 and 308 with Location end with 6, and nothing arrives where they lead"


CHECKS = {"tls HTTP/2": check_http2, "tls HTTP/1.1": check_http1, "tls certificates": check_certificates,
          "tls redirects": check_redirects}
