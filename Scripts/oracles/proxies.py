"""Proxies that the environment names: tinyproxy between bsc and the gate.

A proxy is used for this machine's own address, never for loopback, so the gate listens on both.
"""

import contextlib
import socket
import subprocess
import threading
import time
from pathlib import Path

from .ground import UNIT, free_port, is_open, program, wait_for, want, want_object
from .tls import gate

PASSWORD = "correct-horse"


class Proxy:
    """tinyproxy in the foreground."""

    def __init__(self, ground, *lines):
        tinyproxy = program("tinyproxy", "tinyproxy")
        self.port = free_port()
        folder = ground.folder / f"proxy-{self.port}"
        folder.mkdir()
        self.log = folder / "log"
        configuration = folder / "tinyproxy.conf"
        configuration.write_text("\n".join([
            f"Port {self.port}", "Listen 127.0.0.1", "Timeout 60", "MaxClients 20", f'LogFile "{self.log}"',
            "LogLevel Connect", *lines, ""]))
        self.process = ground.start([tinyproxy, "-d", "-c", configuration], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL)
        wait_for(lambda: self.process.poll() is not None or is_open(self.port), "tinyproxy listens")
        want(self.process.poll() is None, "tinyproxy does not start")

    def url(self, user=""):
        return f"http://{user}127.0.0.1:{self.port}"

    def asked(self, method):
        """The requests that it was asked to pass on."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if "Request (file descriptor" in line and f": {method} " in line]

    def end(self):
        self.process.kill()
        self.process.wait()


def open_proxy(ground):
    return ground.keep("proxy", lambda: Proxy(ground))


def locked_proxy(ground):
    return ground.keep("locked proxy", lambda: Proxy(ground, f"BasicAuth rally {PASSWORD}"))


def plain_session(ground, size):
    place = gate(ground)
    name, path, data = ground.file(size)
    url, token = place.url("plain", name, place.address)
    return name, path, data, url, token


def tunnel_session(ground, size):
    place = gate(ground)
    name, path, data = ground.file(size)
    url, token = place.url("h2", name, place.address)
    return name, path, data, url, token


def trusted(ground):
    return "--cacert", gate(ground).authority


def check_plain(ground):
    """tinyproxy closes each connection behind an answer, without a word: a request that meets that goes again."""
    proxy, count = open_proxy(ground), 0
    for size in (1, UNIT, (3 << 20) + 7):
        name, path, data, url, token = plain_session(ground, size)
        before = len(proxy.asked("PUT"))
        said = ground.upload(path, url, "--chunk-size", "1MiB", http_proxy=proxy.url(), BSC_UPLOAD_RETRY_SECONDS="30")
        said.want_sent(data, sent=None if said.code else max(size, said.document["sentByteCount"]))
        said.want_silent(token)
        want_object(gate(ground).server.base, name, data)
        passed = len(proxy.asked("PUT")) - before
        want(passed > -(-size // (1 << 20)), f"only {passed} requests went through the proxy: {said.output}")
        count += passed
    return f"http_proxy: {count} PUTs in tinyproxy's log, the same bytes"


def check_tunnel(ground):
    """Either version in the tunnel; the proxy sees names only."""
    proxy, tunnels = open_proxy(ground), 0
    for size, version in ((1, "2"), (UNIT, "1.1"), ((3 << 20) + 7, "2"), ((3 << 20) + 7, "1.1")):
        name, path, data, url, token = tunnel_session(ground, size)
        before = len(proxy.asked("CONNECT"))
        said = ground.upload(path, url, "--chunk-size", "1MiB", *trusted(ground), https_proxy=proxy.url(),
                             BSC_NETWORK_HTTP=version)
        said.want_sent(data)
        want_object(gate(ground).server.base, name, data)
        lines = gate(ground).seen_of(url, said.document["requestCount"] + 1)
        want({line.protocol for line in lines} == {"HTTP/2.0" if version == "2" else "HTTP/1.1"}, f"nginx saw {lines[0].protocol}")
        opened = len(proxy.asked("CONNECT")) - before
        want(opened == len({line.connection for line in lines}), f"{opened} CONNECTs for {len(lines)} requests")
        want(token not in proxy.log.read_text(), "the proxy knows the token")
        tunnels += opened
    return f"https_proxy: {tunnels} CONNECTs in tinyproxy's log, HTTP/2 and HTTP/1.1 in them, the same bytes"


def check_certificate(ground):
    """The proxy's 200 to CONNECT is no answer of the server behind it."""
    proxy = open_proxy(ground)
    for door, flags in (("h2", []), ("other", trusted(ground)), ("expired", trusted(ground))):
        place = gate(ground)
        name, path, _ = ground.file(UNIT)
        url, token = place.url(door, name, place.address)
        before = len(place.seen()), len(proxy.asked("CONNECT"))
        said = ground.upload(path, url, *flags, https_proxy=proxy.url())
        want(len(proxy.asked("CONNECT")) > before[1], "the proxy was not asked")
        said.want_refused("certificate", place.address, secrets=[token])
        want(len(place.seen()) == before[0], "a request went to a server that is not trusted")
    return "through a tunnel an unknown authority, another name and an expired one are refused with 6, too"


def check_hang_up(ground):
    """A server behind the proxy takes the connection and closes it."""
    proxy, address = open_proxy(ground), gate(ground).address
    with socket.create_server((address, 0)) as listener:
        def hang_up():
            # Until the listener is closed.
            with contextlib.suppress(OSError):
                while True:
                    listener.accept()[0].close()
        threading.Thread(target=hang_up, daemon=True).start()
        _, path, _ = ground.file(UNIT)
        url = f"https://{address}:{listener.getsockname()[1]}/upload/1?token=secret-token"
        for variables in ({}, {"https_proxy": proxy.url()}):
            before = len(proxy.asked("CONNECT"))
            said = ground.upload(path, url, *trusted(ground), **variables)
            want(not variables or len(proxy.asked("CONNECT")) > before, "the proxy was not asked")
            said.want_refused(address, secrets=["secret-token"])
        listener.shutdown(socket.SHUT_RDWR)
    return "a server that hangs up, alone and through a tunnel, ends it with 6"


def check_broken_tunnel(ground):
    """The proxy dies while a chunk is under way; then the same command without it."""
    proxy = Proxy(ground)
    name, path, data, url, token = tunnel_session(ground, (14 << 20) + 7)
    first = ground.start_upload(path, url, "--chunk-size", "8MiB", "--limit-rate", "8MB", *trusted(ground),
                                https_proxy=proxy.url(), BSC_UPLOAD_RETRY_SECONDS="3")
    wait_for(lambda: proxy.asked("CONNECT"), "a CONNECT")
    time.sleep(0.5)
    proxy.end()
    ground.finish_upload(first).want_refused(f"port {proxy.port}", secrets=[token])
    said = ground.upload(path, url, *trusted(ground))
    want(said.code == 0, f"without the proxy it ended with {said.code}: {said.errors.strip()}")
    sent = said.document["sentByteCount"]
    want(0 < sent < len(data), f"{sent} of {len(data)} bytes went again")
    want_object(gate(ground).server.base, name, data)
    return f"a proxy that dies in a chunk ends it with 6; then {sent} of {len(data)} bytes were missing: the same bytes"


def check_exceptions(ground):
    """NO_PROXY, and loopback, which no proxy is used for. The proxy that is named is dead: using it would fail."""
    dead = f"http://127.0.0.1:{free_port()}"
    for name in ("no_proxy", "NO_PROXY"):
        for value in (gate(ground).address, "*"):
            object_name, path, data, url, _ = tunnel_session(ground, UNIT + 1)
            said = ground.upload(path, url, *trusted(ground), https_proxy=dead, **{name: value})
            said.want_sent(data)
            want_object(gate(ground).server.base, object_name, data)
    # Another host's exception is none for this one.
    _, path, _, url, _ = tunnel_session(ground, UNIT)
    ground.upload(path, url, *trusted(ground), https_proxy=dead, NO_PROXY="other.example").want_refused("connect")
    for host in ("127.0.0.1", "localhost"):
        for door, flags in (("plain", ()), ("h2", trusted(ground))):
            name, path, data = ground.file(UNIT + 1)
            url, _ = gate(ground).url(door, name, host)
            ground.upload(path, url, *flags, http_proxy=dead, https_proxy=dead).want_sent(data)
            want_object(gate(ground).server.base, name, data)
    return "NO_PROXY and no_proxy with the address or *, and loopback by name and number: past a proxy that is dead"


def check_down(ground):
    for session, variable in ((plain_session, "http_proxy"), (tunnel_session, "https_proxy")):
        port = free_port()
        _, path, _, url, token = session(ground, UNIT)
        said = ground.upload(path, url, *trusted(ground), **{variable: f"http://rally:{PASSWORD}@127.0.0.1:{port}"})
        said.want_refused("connect", f"127.0.0.1 port {port}", secrets=[token, PASSWORD])
    return "a proxy that is down ends it with 6, and the message names its address and port"


def check_refusal(ground):
    """A proxy that answers itself: it is not the server, and the URL has not expired."""
    closed = Proxy(ground, "ConnectPort 1")
    for proxy, status in ((closed, "403"), (locked_proxy(ground), "407")):
        before = len(proxy.asked("CONNECT"))
        _, path, _, url, token = tunnel_session(ground, UNIT)
        said = ground.upload(path, url, *trusted(ground), https_proxy=proxy.url())
        want(len(proxy.asked("CONNECT")) > before, "the proxy was not asked")
        said.want_refused(status, secrets=[token])
        want("proxy" in said.errors.lower() or "connect" in said.errors.lower(),
             f"stderr does not say that it was the proxy: {said.errors.strip()}")
        want("expired" not in said.errors, f"the URL is said to have expired: {said.errors.strip()}")
    return "CONNECT refused with 403 and with 407 ends it with 6, and the message says that it was the proxy"


def check_password(ground):
    """It opens the proxy, and stands nowhere."""
    proxy, looks = locked_proxy(ground), 0
    for session, variable in ((plain_session, "http_proxy"), (tunnel_session, "https_proxy")):
        name, path, data, url, token = session(ground, (3 << 20) + 7)
        process = ground.start_upload(path, url, "--limit-rate", "6MB", "--progress", "json", *trusted(ground),
                                      BSC_UPLOAD_RETRY_SECONDS="30", **{variable: proxy.url(f"rally:{PASSWORD}@")})
        while process.poll() is None:
            command = Path(f"/proc/{process.pid}/cmdline").read_bytes().decode()
            want(PASSWORD not in command and token not in command, f"the command line tells it: {command}")
            looks += bool(command)
            time.sleep(0.05)
        said = ground.finish_upload(process)
        want(said.code == 0, f"it ended with {said.code}: {said.errors.strip()}")
        said.want_silent(PASSWORD, token)
        want_object(gate(ground).server.base, name, data)
        # Without it the proxy is closed, and a wrong one is as secret. tinyproxy answers 407 and 401.
        _, path, _, url, token = session(ground, UNIT)
        for user, status in (("", "407"), ("rally:wrong-staple@", "401")):
            said = ground.upload(path, url, *trusted(ground), **{variable: proxy.url(user)})
            said.want_refused(status, secrets=["wrong-staple", token])
    want(looks >= 4, "nobody looked at the command line")
    return (f"Basic: right it opens, missing or wrong it ends with 6; it is not in stdout, stderr or the command line "
            f"({looks} looks)")


def check_malformed(ground):
    """The address of a proxy that nobody can use has a password, too."""
    for address in (f"http://rally:{PASSWORD}@127.0.0.1:none", f"gopher://rally:{PASSWORD}@127.0.0.1:1",
                    f"http://rally:{PASSWORD}@[127.0.0.1:1", f"http://rally:{PASSWORD} x@127.0.0.1:1"):
        _, path, _, url, token = tunnel_session(ground, UNIT)
        said = ground.upload(path, url, *trusted(ground), https_proxy=address)
        said.want_refused("proxy", secrets=[token, PASSWORD])
    return "addresses of proxies that are none end it with 6, and their passwords stay secret"


CHECKS = {
    "proxies plain": check_plain, "proxies tunnel": check_tunnel, "proxies certificate": check_certificate,
    "proxies hang-up": check_hang_up, "proxies broken tunnel": check_broken_tunnel,
    "proxies exceptions": check_exceptions, "proxies down": check_down, "proxies refusal": check_refusal,
    "proxies password": check_password, "proxies malformed": check_malformed,
}
