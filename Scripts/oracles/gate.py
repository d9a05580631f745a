"""`bsc upload` through nginx, which has new certificates and passes requests to `bsc serve`, and through tinyproxy.

bsc uses a proxy for this machine's own address, but never for loopback, so nginx listens on both.
"""

import collections
import datetime
import functools
import subprocess
import urllib.parse

import trustme

from .harness import MIB, PATIENCE, UNIT, free_port, is_open, open_session, program, wait_for, want, want_object

# Parameters of `listen`, and the certificate.
DOORS = {"h2": ("ssl http2", "good"), "h1": ("ssl", "good"), "other": ("ssl http2", "other"),
         "expired": ("ssl http2", "expired"), "plain": ("", None)}
REDIRECTS = (301, 307, 308)
# Then nginx closes a connection, and with HTTP/2 sends GOAWAY: long uploads need a second connection.
REQUESTS_PER_CONNECTION = 5
PASSWORD = "correct-horse"
LOCK = f"BasicAuth rally {PASSWORD}"
Line = collections.namedtuple("Line", "protocol path status connection")


class Gate:
    """nginx with a server for each kind of TLS."""

    def __init__(self, tools):
        self.tools, self.server, self.folder = tools, tools.sessions, tools.folder / "gate"
        addresses = subprocess.check_output(["hostname", "-I"], text=True).split()
        self.address = next((each for each in addresses if each.count(".") == 3), None)
        want(self.address, "this machine has no IPv4 address besides loopback")
        self.folder.mkdir()
        authority, names = trustme.CA(), ("localhost", "127.0.0.1", self.address)
        past = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
        for name, certificate in {"good": authority.issue_cert(*names), "other": authority.issue_cert("other.example"),
                                  "expired": authority.issue_cert(*names, not_after=past)}.items():
            certificate.private_key_and_cert_chain_pem.write_to_path(self.folder / f"{name}.pem")
        authority.cert_pem.write_to_path(self.folder / "authority.pem")
        self.trust = "--cacert", self.folder / "authority.pem"
        self.ports = {name: free_port("0.0.0.0") for name in DOORS}
        (self.folder / "nginx.conf").write_text(self.configuration())
        tools.start([program("nginx", "nginx-light"), "-e", self.folder / "errors", "-p", self.folder, "-c",
                     self.folder / "nginx.conf"])
        wait_for(lambda: all(map(is_open, self.ports.values())), "nginx listens")

    def configuration(self):
        servers = ""
        for name, (kind, certificate) in DOORS.items():
            port = self.ports[name]
            servers += "server {" + "".join(f"listen {each}:{port} {kind};" for each in ("127.0.0.1", self.address))
            if certificate:
                servers += "".join(f"{key} {self.folder}/{certificate}.pem;"
                                   for key in ("ssl_certificate", "ssl_certificate_key"))
            servers += "".join(f"location = /moved/{status} {{ return {status} https://localhost:{port}/landing; }}"
                               for status in REDIRECTS)
            # It would end an upload.
            servers += "location = /landing { return 200; }"
            servers += f"location / {{ proxy_pass {self.server.base}; }} }}\n"
        folders = "".join(f"{kind}_temp_path {self.folder}/{kind};\n"
                          for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return f"""
            daemon off; master_process off; pid {self.folder}/pid; events {{ worker_connections 128; }}
            http {{
              log_format oracle '$server_protocol $uri $status $connection'; access_log {self.folder}/access.log oracle;
              client_max_body_size 0; proxy_request_buffering off; proxy_http_version 1.1;
              proxy_set_header Host 127.0.0.1:{self.server.port}; keepalive_requests {REQUESTS_PER_CONNECTION};
              {folders} {servers}
            }}"""

    def session(self, door, size, host=None):
        """A new upload through a server: the object's name, a file, its bytes, the URL, and its secret token."""
        name, path, data = self.tools.file(size)
        parts = urllib.parse.urlsplit(open_session(self.server.base, name))
        [token] = urllib.parse.parse_qs(parts.query)["token"]
        scheme, address = "https" if DOORS[door][1] else "http", f"{host or self.address}:{self.ports[door]}"
        return name, path, data, parts._replace(scheme=scheme, netloc=address).geturl(), token

    def requests(self):
        return [Line(*line.split()) for line in (self.folder / "access.log").read_text().splitlines()]

    def requests_of(self, url, count):
        """nginx logs them after its response."""
        def found():
            return [line for line in self.requests() if line.path == urllib.parse.urlsplit(url).path]

        wait_for(lambda: len(found()) >= count, f"{count} requests in nginx's log")
        return found()


@functools.cache
def gate(tools):
    return Gate(tools)


class Proxy:
    def __init__(self, tools, *lines):
        self.port = free_port()
        self.log, configuration = (tools.folder / f"tinyproxy-{self.port}.{kind}" for kind in ("log", "conf"))
        configuration.write_text("\n".join([f"Port {self.port}", "Listen 127.0.0.1", f'LogFile "{self.log}"',
                                            "LogLevel Connect", *lines, ""]))
        self.process = tools.start([program("tinyproxy", "tinyproxy"), "-d", "-c", configuration],
                                   stdout=subprocess.DEVNULL)
        wait_for(lambda: is_open(self.port), "tinyproxy listens")

    def url(self, user=""):
        return f"http://{user}127.0.0.1:{self.port}"

    def count(self, method):
        """How many requests it has received."""
        return sum("Request (file descriptor" in line and f": {method} " in line
                   for line in self.log.read_text().splitlines())


@functools.cache
def shared_proxy(tools, *lines):
    return Proxy(tools, *lines)


def send(tools, doors, proxy=None):
    """Uploads through these (server, version to use, version that nginx logs)."""
    place, count = gate(tools), 0
    variables, host = ({"https_proxy": proxy.url()}, None) if proxy else ({}, "localhost")
    for door, version, protocol in doors:
        for size, flags in ((1, []), (UNIT, []), (5 * MIB + 7, []), (5 * MIB + 7, ["--chunk-size", "1MiB"])):
            name, path, data, url, token = place.session(door, size, host)
            before = proxy and proxy.count("CONNECT")
            result = tools.upload(path, url, *place.trust, *flags, BSC_NETWORK_HTTP=version, **variables)
            result.want_sent(data)
            result.want_no(token)
            want_object(place.server.base, name, data)
            lines = place.requests_of(url, result.document["requestCount"] + 1)
            want({line.protocol for line in lines} == {protocol}, f"nginx received {lines[0].protocol}")
            want([line.status for line in lines] == ["308"] * (len(lines) - 1) + ["200"], f"nginx answered {lines}")
            connections = len({line.connection for line in lines})
            want(connections == -(-len(lines) // REQUESTS_PER_CONNECTION), f"{connections} connections for {lines}")
            want(not proxy or proxy.count("CONNECT") == before + connections, "too many CONNECTs")
            want(not proxy or token not in proxy.log.read_text(), "the proxy's log contains the token")
            count += len(lines)
    return f"{count} requests as {', '.join(sorted({door[2] for door in doors}))}: the same bytes"


def check_versions(tools):
    return send(tools, [("h2", "2", "HTTP/2.0"), ("h1", "2", "HTTP/1.1"), ("h2", "", "HTTP/1.1")])


def check_tunnel(tools):
    """The proxy never receives the token."""
    return send(tools, [("h2", "2", "HTTP/2.0"), ("h2", "1.1", "HTTP/1.1")], shared_proxy(tools))


def check_certificates(tools):
    """A server that is not trusted receives no request, directly and through CONNECT, and nothing is retried."""
    place, proxy = gate(tools), shared_proxy(tools)
    for variables, host in (({}, "localhost"), ({"https_proxy": proxy.url()}, place.address)):
        for door, flags, word in (("h2", (), "issuer"), ("h1", (), "issuer"), ("other", place.trust, host),
                                  ("expired", place.trust, "expired")):
            _, path, _, url, token = place.session(door, UNIT, host)
            before = len(place.requests()), proxy.count("CONNECT")
            result = tools.upload(path, url, *flags, BSC_UPLOAD_RETRY_SECONDS=str(10 * PATIENCE), **variables)
            result.want_failed("certificate", host, word, secrets=[token])
            want(len(place.requests()) == before[0], "a request is sent to a server that is not trusted")
            want((proxy.count("CONNECT") > before[1]) == bool(variables), "the proxy is not used as expected")
    return "an unknown issuer, another name and an expired certificate: exit code 6, and no request"


def check_redirects(tools):
    """No redirect is followed. A 308 with Location is not a redirect in this protocol."""
    place = gate(tools)
    for status in REDIRECTS:
        _, path, _ = tools.file(UNIT + 1)
        url = f"https://localhost:{place.ports['h2']}/moved/{status}?token=secret-{status}"
        result = tools.upload(path, url, *place.trust)
        result.want_failed(*([str(status)] if status != 308 else []), secrets=[f"secret-{status}"])
        want({line.status for line in place.requests_of(url, 1)} == {str(status)}, "nginx gave another response")
        want(not any(line.path == "/landing" for line in place.requests()), "a redirect is followed")
    return "301, 307 and 308 with Location end with exit code 6"


def check_failures(tools):
    """A proxy that is down, and one that rejects CONNECT: the error names the proxy."""
    place, down = gate(tools), f"127.0.0.1:{free_port()}"
    for door, variable in (("plain", "http_proxy"), ("h2", "https_proxy")):
        _, path, _, url, token = place.session(door, UNIT)
        result = tools.upload(path, url, *place.trust, **{variable: f"http://rally:{PASSWORD}@{down}"})
        result.want_failed("connect", down.replace(":", " port "), secrets=[token, PASSWORD])
    for each, status in ((Proxy(tools, "ConnectPort 1"), "403"), (shared_proxy(tools, LOCK), "407")):
        _, path, _, url, token = place.session("h2", UNIT)
        result = tools.upload(path, url, *place.trust, https_proxy=each.url())
        result.want_failed(status, "connect", secrets=[token])
        want("expired" not in result.errors, f"the message is about the URL: {result.errors}")
    return "a proxy that is down, 403 and 407 to CONNECT: exit code 6 with the reason"


def check_exceptions(tools):
    """NO_PROXY, and loopback. The proxy does not exist, so using it would fail."""
    place, dead = gate(tools), f"http://127.0.0.1:{free_port()}"
    cases = [("h2", None, {name: value}) for name in ("no_proxy", "NO_PROXY") for value in (place.address, "*")]
    cases += [(door, host, {}) for host in ("127.0.0.1", "localhost") for door in ("plain", "h2")]
    for door, host, variables in cases:
        name, path, data, url, _ = place.session(door, UNIT + 1, host)
        flags = place.trust if door == "h2" else ()
        tools.upload(path, url, *flags, http_proxy=dead, https_proxy=dead, **variables).want_sent(data)
        want_object(place.server.base, name, data)
    _, path, _, url, _ = place.session("h2", UNIT)
    tools.upload(path, url, *place.trust, https_proxy=dead, NO_PROXY="other.example").want_failed("connect")
    return "no_proxy and NO_PROXY with the address or *, and loopback: without the proxy"


def check_password(tools):
    """It opens the proxy, and is not in the output."""
    place, proxy = gate(tools), shared_proxy(tools, LOCK)
    for door, variable in (("plain", "http_proxy"), ("h2", "https_proxy")):
        flags = place.trust if door == "h2" else ()
        name, path, data, url, token = place.session(door, 3 * MIB + 7)
        # tinyproxy closes each connection after a response; a request that meets this is repeated.
        result = tools.upload(path, url, "--progress", "json", *flags, BSC_UPLOAD_RETRY_SECONDS="30",
                              **{variable: proxy.url(f"rally:{PASSWORD}@")})
        want(result.code == 0, f"it exits with {result.code}: {result.errors.strip()}")
        result.want_no(PASSWORD, token)
        want_object(place.server.base, name, data)
        # tinyproxy answers 407 without a password and 401 to a wrong one.
        _, path, _, url, token = place.session(door, UNIT)
        for user, status in (("", "407"), ("rally:wrong-staple@", "401")):
            result = tools.upload(path, url, *flags, **{variable: proxy.url(user)})
            result.want_failed(status, secrets=["wrong-staple", token])
    for address in (f"rally:{PASSWORD}@127.0.0.1:none", f"rally:{PASSWORD}@[127.0.0.1:1", f"rally:{PASSWORD} x@a:1"):
        _, path, _, url, token = place.session("h2", UNIT)
        result = tools.upload(path, url, *place.trust, https_proxy=f"http://{address}")
        result.want_failed("proxy", secrets=[token, PASSWORD])
    return "right it opens; missing, wrong or in a malformed address: exit code 6; the password stays secret"


CHECKS = {"tls versions": check_versions, "tls certificates": check_certificates, "tls redirects": check_redirects,
          "proxies tunnel": check_tunnel, "proxies failures": check_failures, "proxies exceptions": check_exceptions,
          "proxies password": check_password}
