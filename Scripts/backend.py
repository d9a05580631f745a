"""Shared by the scripts that test the local backend: `bsc serve` with a fresh home, accounts, clips, and a runner."""

import argparse
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import uuid
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("supabase==2.34.1", "mux_python==5.1.2", "m3u8==6.0.0", "pillow==13.0.0", "playwright==1.65.2",
            "axe-playwright-python==0.1.8", "requests==2.34.2", "psycopg[binary]==3.3.2", "aiohttp==3.14.0",
            "psutil==7.2.0", "deno==2.9.8", "jsonschema==4.26.0")
# Seconds until an expected event counts as missing. An idle machine needs a fraction of it.
PATIENCE = 180
PASSWORD = "correct horse 9 battery"
LOCAL_USER = "10ca1000-0000-4000-8000-000000000001"
FACTS = {"duration": 7.25, "confidence": 0.75, "quality": 0.5, "detection_count": 12}


def use_packages():
    """Runs the script again with a Python that has the packages; they never use this environment's proxy."""
    sys.dont_write_bytecode = True
    if Path(sys.prefix) != ROOT / ".build/venv/backend":
        python = subprocess.run([ROOT / "Scripts/venv", "backend", *PACKAGES], stdout=subprocess.PIPE, text=True)
        if python.returncode != 0:
            sys.exit("cannot install the packages: the first run needs PyPI")
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        path = python.stdout.strip()
        os.execve(path, [path, "-B", "-X", "utf8", *sys.argv], environment)


class Failure(Exception):
    """A check's result differs from the expected one."""


class Skipped(Exception):
    """The check cannot run on this machine."""


def want(condition, reason):
    if not condition:
        raise Failure(reason)


def wait_for(condition, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        want(time.monotonic() < end, f"{what}: not within {seconds} s")
        time.sleep(0.02)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ffmpeg(path, *arguments):
    done = subprocess.run(["ffmpeg", "-v", "error", *arguments, "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt",
                           "yuv420p", "-c:a", "aac", "-movflags", "+faststart", "-y", path], capture_output=True,
                           text=True)
    want(done.returncode == 0, f"ffmpeg cannot make {path.name}: {done.stderr}")
    return path


def home(folder):
    """An environment with an empty home, without settings of the user and proxies."""
    folder.mkdir(parents=True)
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("BSC_", "XDG_")) and not name.lower().endswith("_proxy")}
    return environment | {"HOME": str(folder)} | {
        f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE", "DATA")}


class Server:
    """`bsc serve --json` with a fresh home; it can be killed and started again on the same port."""

    def __init__(self, place, name, *flags, program=None, environment=None, **options):
        self.place, self.flags, self.program, self.options = place, flags, program or place.bsc, options
        self.log, self.port, self.local = place.folder / f"{name}.log", free_port(), threading.local()
        self.environment = home(place.folder / name) | (environment or {})
        self.data = place.folder / name / "data/bsc/local"
        self.base = f"http://127.0.0.1:{self.port}"
        if "user" in options:
            os.chown(place.folder / name, options["user"], options["group"])
        self.start()

    def start(self):
        # A password's default cost takes seconds in a debug build; clients time out earlier.
        command = [self.program, "serve", "--json", "--port", str(self.port), "--password-rounds", "64", *self.flags]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL,
                                            stdout=subprocess.PIPE, stderr=log, **self.options)
        self.place.processes.append(self.process)
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if ready else b""
        want(line.endswith(b"\n") and urlsplit(json.loads(line)["baseURL"]).port == self.port,
             f"bsc serve {' '.join(self.flags)} does not start: {line} {self.log.read_text().strip()}")

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(PATIENCE)

    @property
    def keys(self):
        return json.loads((self.data / "keys.json").read_text())

    def ask(self, method, path, body=None, headers=None, **options):
        """One request; a dictionary or list is sent as JSON."""
        import requests
        if not hasattr(self.local, "session"):
            self.local.session = requests.Session()
            self.local.session.trust_env = False
        url = path if path.startswith("http") else self.base + path
        body = {"json": body} if isinstance(body, (dict, list)) else {"data": body}
        options = {"timeout": PATIENCE, "allow_redirects": False} | options
        return self.local.session.request(method, url, headers=headers, **body, **options)

    def entrance(self):
        """The URL that `bsc serve --open` opens in the owner's browser; this PATH has no browser."""
        done = subprocess.run([self.program, "serve", "--open", "--json"], env=self.environment | {"PATH": "/nowhere"},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE,
                              **self.options)
        want(done.returncode == 0, f"serve --open: {done.stderr}")
        return json.loads(done.stdout)["entranceURL"]


def draft(**fields):
    """The body of a request for an upload."""
    return {"highlight_id": str(uuid.uuid4()), "caption": "Ein Aufschlag 🏐 #ace", "tags": ["ace"],
            "privacy_level": "public", "hide_likes": False, "local_video_id": str(uuid.uuid4()),
            "local_rally_index": 3, "duration": 6.0, "confidence": 0.9, "quality": 0.8, "detection_count": 42} | fields


def rally(author, **fields):
    """A highlight's row as the app inserts it."""
    return {"author_id": author, "mux_playback_id": f"pb{uuid.uuid4().hex}", "caption": "A rally #spike",
            "tags": ["spike"], "rally_metadata": FACTS} | fields


class Account:
    """A user of a server: a new one, or the owner by the token of server.json."""

    def __init__(self, server, name="ann", data=None, is_owner=False):
        self.server, self.password = server, PASSWORD
        if is_owner:
            self.id, self.token = LOCAL_USER, json.loads((server.data / "server.json").read_text())["ownerToken"]
            return
        self.email = f"{name}.{uuid.uuid4().hex[:8]}@example.org"
        answer = server.ask("POST", "/auth/v1/signup", {"email": self.email, "password": PASSWORD, "data": data or {}})
        want(answer.status_code == 200, f"signing up: {answer.status_code} {answer.text[:200]}")
        session = answer.json()
        self.id, self.token, self.refresh = session["user"]["id"], session["access_token"], session["refresh_token"]

    def ask(self, method, path, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.server.ask(method, path, body, {"Authorization": f"Bearer {self.token}"} | headers)

    def insert(self, table, row):
        answer = self.ask("POST", f"/rest/v1/{table}", row, Prefer="return=representation")
        want(answer.status_code == 201, f"inserting into {table}: {answer.status_code} {answer.text[:300]}")
        return answer.json()[0]

    def share(self, **fields):
        """A highlight without a video, marked as ready as if the server had its video."""
        row = self.insert("highlights", rally(self.id, **fields))
        answer = self.server.ask("PATCH", f"/rest/v1/highlights?id=eq.{row['id']}", {"is_ready": True},
                                 {"apikey": self.server.keys["secret_key"]})
        want(answer.status_code == 204, f"showing a highlight: {answer.status_code} {answer.text}")
        return row

    def open(self, key=None, **fields):
        """A new upload: `id`, `url`, `expires_at` and `highlight`."""
        body = draft(**fields)
        answer = self.ask("POST", "/functions/v1/uploads", body, Idempotency_Key=key or str(uuid.uuid4()))
        want(answer.status_code == 201, f"opening an upload: {answer.status_code} {answer.text[:200]}")
        return answer.json() | {"highlight": body["highlight_id"]}

    def state(self, upload):
        return self.ask("GET", f"/functions/v1/uploads/{upload}").json()["status"]

    def wait(self, *uploads):
        def is_ready():
            states = [self.state(upload) for upload in uploads]
            want(set(states) <= {"waiting", "asset_created", "ready"}, f"the uploads are {states}")
            return set(states) == {"ready"}
        wait_for(is_ready, "the upload is ready")

    def upload(self, *clips, **fields):
        """Uploads a highlight of these clips and waits; returns its row."""
        fields = {"highlight_id": str(uuid.uuid4())} | fields
        tickets = [self.open(**fields, **({"part": part, "part_count": len(clips)} if len(clips) > 1 else {}))
                   for part in range(len(clips))]
        for ticket, clip in zip(tickets, clips):
            put(self.server, ticket["url"], clip)
        self.wait(*(ticket["id"] for ticket in tickets))
        return self.ask("GET", f"/rest/v1/highlights?id=eq.{fields['highlight_id']}").json()[0]


def put(server, url, data, statuses=(200, 201), **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = server.ask("PUT", url, data, {"Content-Type": "video/mp4"} | headers)
    want(answer.status_code in statuses, f"PUT of {len(data)} bytes: {answer.status_code} {answer.text[:200]}")
    return answer


class Place:
    """The program, a temporary folder, and objects that several checks use."""

    def __init__(self, bsc, folder, options=None):
        self.bsc, self.folder, self.options = bsc, folder, options
        self.processes, self.kept, self.count = [], {}, 0
        self.environment = home(folder / "client")

    def keep(self, name, make):
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]

    @property
    def server(self):
        return self.keep("server", self.fresh)

    def fresh(self, *flags, **options):
        self.count += 1
        return Server(self, f"server-{self.count}", *flags, **options)

    def fails_to_serve(self, *flags, code=64, **variables):
        """`bsc serve` with these flags ends with the code; returns its output."""
        done = subprocess.run([self.bsc, "serve", "--json", "--port", str(free_port()), *flags], capture_output=True,
                              env=self.environment | variables, stdin=subprocess.DEVNULL, text=True, timeout=PATIENCE)
        want(done.returncode == code, f"serve {' '.join(map(str, flags))} ends with {done.returncode}: {done.stderr}")
        return done.stdout + done.stderr

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()


def parser(doc):
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    builds = [path for path in (ROOT / f".build/{kind}/bsc" for kind in ("release", "debug")) if path.exists()]
    newest = max(builds, key=lambda path: path.stat().st_mtime, default=None)
    made.add_argument("--bsc", type=lambda text: Path(text).absolute(), default=newest,
                      help="default: the newest build")
    # When a script is ended, its servers end as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return made


def main(doc, modules, arguments=None, kind=Place, after=lambda place: None):
    """Runs the `check_*` functions of the modules; each returns one line about what it found."""
    arguments = arguments or parser(doc)
    arguments.add_argument("--only", metavar="NAME", default="", help="only the checks whose names start with NAME")
    options = arguments.parse_args()
    if options.bsc is None or not options.bsc.exists():
        sys.exit("bsc is not built; run swift build")
    checks = {f"{module.__name__.rpartition('.')[2]} {name[6:].replace('_', ' ')}": function for module in modules
              for name, function in vars(module).items() if name.startswith("check_")}
    chosen = {name: check for name, check in checks.items() if name.startswith(options.only)}
    if not chosen:
        sys.exit(f"no check has this name; the checks are {', '.join(checks)}")
    failed, skipped, begun = 0, 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        place = kind(options.bsc, Path(folder), options)
        try:
            for name, check in chosen.items():
                start = time.monotonic()
                try:
                    found = check(place)
                    after(place)
                    print(f"ok: {name}: {found} ({time.monotonic() - start:.1f} s)", flush=True)
                except Skipped as reason:
                    skipped += 1
                    print(f"SKIPPED: {name}: {reason}", flush=True)
                except Exception as error:
                    failed += 1
                    where = traceback.extract_tb(error.__traceback__)[-2 if isinstance(error, Failure) else -1]
                    print(f"FAILED: {name}: {type(error).__name__}: {error} (line {where.lineno} of {where.filename})",
                          flush=True)
        finally:
            place.close()
    print(f"{len(chosen)} checks, {failed} failed{f', {skipped} SKIPPED' if skipped else ''}, "
          f"{time.monotonic() - begun:.0f} s")
    sys.exit(1 if failed else 0)
