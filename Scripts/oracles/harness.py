"""Shared by the checks: processes, files, homes without settings, upload sessions, and bsc."""

import contextlib
import dataclasses
import functools
import json
import os
import shutil
import socket
import subprocess
import time

import requests

UNIT, MIB = 256 << 10, 1 << 20
# Around the unit of chunks, the default chunk size, and several chunks with a rest.
SIZES = [1, UNIT - 1, UNIT, UNIT + 1, 2 * MIB, 5 * MIB + 7]
BUCKET = "clips"
# Seconds until an event counts as missing. A loaded machine can need long.
PATIENCE = 180
HTTP = requests.Session()
HTTP.trust_env = False  # no proxies of this environment


class Failure(Exception):
    """A check failed, or a program is missing."""


def want(condition, reason):
    if not condition:
        raise Failure(reason)


def free_port(address="127.0.0.1"):
    with socket.socket() as probe:
        probe.bind((address, 0))
        return probe.getsockname()[1]


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        want(time.monotonic() < end, f"{what}: not within {PATIENCE} s")
        time.sleep(0.01)


def program(name, package):
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    want(path, f"{name} is missing: install Debian's {package}")
    return path


def session_url(base, name):
    return f"{base}/upload/storage/v1/b/{BUCKET}/o?uploadType=resumable&name={name}"


def open_session(base, name):
    answer = HTTP.post(session_url(base, name), timeout=PATIENCE)
    want(answer.status_code == 200, f"opening a session is answered with {answer.status_code}")
    return answer.headers["Location"]


def download(base, name):
    """The bytes of an object, or None if it does not exist."""
    answer = HTTP.get(f"{base}/download/storage/v1/b/{BUCKET}/o/{name}?alt=media", timeout=PATIENCE)
    want(answer.status_code in (200, 404), f"the download is answered with {answer.status_code}")
    return answer.content if answer.ok else None


def want_object(base, name, data):
    want((stored := download(base, name)) is not None, f"{name} is not stored")
    want(stored == data, f"{len(stored)} other bytes of {name} are stored, {len(data)} were sent")


@dataclasses.dataclass
class Result:
    """Exit code and output of `bsc upload --json`."""

    code: int
    output: str
    errors: str

    @property
    def document(self):
        want(self.output.count("\n") == 1, f"exit code {self.code}, and stdout is not one line: {self.errors.strip()}")
        return json.loads(self.output)

    def want_sent(self, data, sent=None):
        want(self.code == 0, f"bsc upload exits with {self.code}: {self.errors.strip()}")
        counts = self.document["schema"], self.document["byteCount"], self.document["sentByteCount"]
        expected = "bsc.upload/1", len(data), len(data) if sent is None else sent
        want(counts == expected, f"the result has {counts} instead of {expected}")

    def want_failed(self, *words, secrets=()):
        """It exits with 6, and the message has these words and no secrets."""
        want(self.code == 6, f"it exits with {self.code} instead of 6: {self.output}{self.errors}")
        want(self.document["schema"] == "bsc.error/1", "stdout has no error")
        for word in words:
            want(word.lower() in self.errors.lower(), f"stderr does not contain {word!r}: {self.errors.strip()}")
        self.want_no(*secrets)

    def want_no(self, *secrets):
        text = self.output + self.errors
        want(not any(secret in text for secret in secrets), f"the output contains a secret: {text}")


class Server:
    """`bsc serve` with its own home. It can be killed and started again."""

    def __init__(self, tools, name, *flags):
        self.tools, self.name, self.flags, self.home = tools, name, flags, tools.home(name)
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        # Client libraries time out after 5 s, and a debug build needs longer to hash a password with the default.
        command = [self.tools.bsc, "serve", "--json", "--port", self.port, "--password-rounds", "64", *self.flags]
        self.process = self.tools.start(command, env=self.home, stdout=subprocess.PIPE)
        line = self.process.stdout.readline()
        want(line and json.loads(line)["baseURL"] == self.base, f"bsc serve does not start at {self.base}: {line}")

    def kill(self):
        self.process.kill()
        self.process.wait()


class Harness:
    """A temporary folder, and all processes of the checks, which end with it."""

    def __init__(self, bsc, folder):
        self.bsc, self.folder, self.processes, self.count = bsc, folder, [], 0
        self.client = self.home("client")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()

    def home(self, name):
        """An environment without the user's settings and proxies."""
        (folder := self.folder / name).mkdir()
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith(("BSC_", "XDG_")) and not key.lower().endswith("_proxy")}
        return environment | {"HOME": str(folder)} | {
            f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE", "DATA")}

    def start(self, command, **options):
        options = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | options
        self.processes.append(subprocess.Popen(list(map(str, command)), **options))
        return self.processes[-1]

    @functools.cached_property
    def sessions(self):
        return Server(self, "sessions", "--upload-sessions")

    def file(self, size):
        """An object's name, a file with its content, and its bytes."""
        self.count += 1
        path, data = self.folder / f"clip-{self.count}.bin", os.urandom(size)
        path.write_bytes(data)
        return path.name, path, data

    def start_upload(self, path, url, *flags, **variables):
        process = self.start([self.bsc, "upload", path, "--url-file", "-", "--json", *flags], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=self.client | {"BSC_UPLOAD_RETRY_SECONDS": "0"} | variables)
        process.stdin.write(url.encode())
        process.stdin.close()
        process.stdin = None
        return process

    def upload(self, path, url, *flags, **variables):
        process = self.start_upload(path, url, *flags, **variables)
        output, errors = process.communicate(timeout=PATIENCE)
        return Result(process.returncode, output.decode(), errors.decode())
