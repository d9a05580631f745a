"""What the checks share: processes, ports, files, a home that is nobody's, and bsc itself."""

import contextlib
import dataclasses
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

UNIT = 256 << 10
# Around the unit of chunks, the length of a standard chunk, and several chunks with a rest.
SIZES = [1, UNIT - 1, UNIT, UNIT + 1, 2 << 20, (5 << 20) + 7]
BUCKET = "clips"
# Seconds until something that must happen counts as missing. Nothing waits this long on an idle machine; a loaded one
# may need it.
PATIENCE = 180
# scrypt's N. A debug build needs seconds for the default, and client libraries time out after five.
CHEAP_PASSWORDS = "--password-rounds", "64"
# Never through a proxy of this environment; no redirect is followed.
PLAIN = urllib.request.OpenerDirector()
for handler in (urllib.request.HTTPHandler(), urllib.request.HTTPDefaultErrorHandler(),
                urllib.request.HTTPErrorProcessor()):
    PLAIN.add_handler(handler)


class Failure(Exception):
    """What a check has to say against bsc, or for want of a program."""


def want(condition, reason):
    if not condition:
        raise Failure(reason)


def free_port(address="127.0.0.1"):
    with socket.socket() as probe:
        probe.bind((address, 0))
        return probe.getsockname()[1]


def wait_for(condition, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        want(time.monotonic() < end, f"{what}: not within {seconds} s")
        time.sleep(0.01)


def is_open(port, address="127.0.0.1"):
    with socket.socket() as probe:
        return probe.connect_ex((address, port)) == 0


def program(name, package):
    # Daemons lie where only root's PATH leads.
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    want(path, f"{name} is missing: install Debian's {package}")
    return path


def own_address():
    """An IPv4 address of this machine that is not loopback: bsc uses no proxy for loopback."""
    said = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    address = next((word for word in said if word.count(".") == 3 and not word.startswith("127.")), None)
    want(address, "this machine has no IPv4 address but loopback's")
    return address


# Sessions, the same with the emulator and with bsc serve


def open_session(base, name):
    query = urllib.parse.urlencode({"uploadType": "resumable", "name": name})
    request = urllib.request.Request(f"{base}/upload/storage/v1/b/{BUCKET}/o?{query}", data=b"", method="POST")
    try:
        with PLAIN.open(request, timeout=PATIENCE) as answer:
            want(answer.status == 200, f"a session was asked for, the answer is {answer.status}")
            return answer.headers["Location"]
    except urllib.error.HTTPError as error:
        raise Failure(f"a session was asked for, the answer is {error.code}") from None


def download(base, name):
    """None when there is no such object."""
    try:
        with PLAIN.open(f"{base}/download/storage/v1/b/{BUCKET}/o/{name}?alt=media", timeout=PATIENCE) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        want(error.code == 404, f"the object was asked for, the answer is {error.code}")
        return None


def want_object(base, name, data):
    stored = download(base, name)
    want(stored is not None, f"{name} is not stored")
    want(stored == data, f"{name} is stored with {len(stored)} other bytes, sent were {len(data)}")


@dataclasses.dataclass
class Said:
    """How `bsc upload` ended, and what it said."""

    code: int
    output: str
    errors: str

    @property
    def document(self):
        lines = self.output.splitlines()
        want(len(lines) == 1, f"it ended with {self.code} and {len(lines)} lines on stdout: {self.errors.strip()}")
        return json.loads(lines[0])

    def want_sent(self, data, sent=None):
        """It succeeded, and counts the bytes as they are."""
        want(self.code == 0, f"bsc upload ended with {self.code}: {self.errors.strip()}")
        document = self.document
        want(document["schema"] == "bsc.upload/1", f"the schema is {document['schema']}")
        want(document["byteCount"] == len(data), f"{document['byteCount']} bytes are told, {len(data)} were to be sent")
        expected = len(data) if sent is None else sent
        want(document["sentByteCount"] == expected,
             f"{document['sentByteCount']} bytes went out, {expected} were missing")

    def want_refused(self, *words, secrets=()):
        """It gave up with 6, says why in these words, and not more than it may."""
        told = self.output + self.errors
        want(self.code == 6, f"it ended with {self.code} instead of 6: {told.strip()}")
        want(self.document["schema"] == "bsc.error/1", "stdout has no error")
        for word in words:
            want(word.lower() in self.errors.lower(), f"stderr does not name {word!r}: {self.errors.strip()}")
        self.want_silent(*secrets)

    def want_silent(self, *secrets):
        for secret in secrets:
            want(secret not in self.output + self.errors, f"a secret was told: {self.output + self.errors}")


class Server:
    """`bsc serve` with a home of its own; it can be killed and started again."""

    options = {}  # of the process: another user

    def __init__(self, ground, name, *flags):
        self.ground, self.name, self.flags = ground, name, flags
        self.home = ground.home(name)
        self.port = free_port()
        self.process = None
        self.start()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        log = self.ground.folder / f"{self.name}.log"
        command = [self.ground.bsc, "serve", "--json", "--port", str(self.port), *CHEAP_PASSWORDS, *self.flags]
        self.process = self.ground.start(
            command, env=self.home, stdout=subprocess.PIPE, stderr=log.open("ab"), **self.options)
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if ready else b""
        said = json.loads(line) if line.endswith(b"\n") else {}
        want(said.get("baseURL") == self.base,
             f"bsc serve {' '.join(self.flags)} is not at {self.base}: {log.read_text().strip() or said}")

    def kill(self):
        self.process.kill()
        self.process.wait()


class Ground:
    """A temporary folder, and every process that the checks start; none outlives it."""

    def __init__(self, bsc, folder):
        self.bsc, self.folder = bsc, folder
        self.processes = []
        self.kept = {}
        self.count = 0
        self.client = self.home("client")

    def home(self, name):
        """An environment without anybody's settings and proxies."""
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith(("BSC_", "XDG_")) and not key.lower().endswith("_proxy")}
        folder = self.folder / name
        folder.mkdir()
        return environment | {"HOME": str(folder)} | {
            f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE", "DATA")}

    def start(self, command, **options):
        process = subprocess.Popen([str(word) for word in command], stdin=options.pop("stdin", subprocess.DEVNULL),
                                   **options)
        self.processes.append(process)
        return process

    def keep(self, name, make):
        """What several checks use is made once, by whichever comes first."""
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]

    @property
    def sessions(self):
        return self.keep("sessions", lambda: Server(self, "sessions", "--upload-sessions"))

    def name(self):
        self.count += 1
        return f"clip-{self.count}.bin"

    def file(self, size):
        """A name for an object, a file to be sent as it, and its bytes."""
        name, data = self.name(), os.urandom(size)
        path = self.folder / name
        path.write_bytes(data)
        return name, path, data

    def start_upload(self, path, url, *flags, **variables):
        # Nobody waits for a server that fails on purpose.
        environment = self.client | {"BSC_UPLOAD_RETRY_SECONDS": "0"} | variables
        process = self.start([self.bsc, "upload", path, "--url-file", "-", "--json", *flags], env=environment,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(url.encode())
        process.stdin.close()
        process.stdin = None
        return process

    def finish_upload(self, process):
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failure(f"bsc upload did not end within {PATIENCE} s") from None
        return Said(process.returncode, output.decode(), errors.decode())

    def upload(self, path, url, *flags, **variables):
        return self.finish_upload(self.start_upload(path, url, *flags, **variables))

    def close(self):
        for thing in self.kept.values():
            if hasattr(thing, "close"):
                thing.close()
        running = [process for process in self.processes if process.poll() is None]
        for process in running:
            process.send_signal(signal.SIGTERM)
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()
            process.wait()
