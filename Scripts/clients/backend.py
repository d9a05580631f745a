"""What the checks share: a server with its keys, people with accounts, and a clip to share."""

import datetime
import itertools
import json
import subprocess
import uuid

import httpx
import supabase
from oracles.ground import PATIENCE, Failure, Ground, Server, program, wait_for, want
from postgrest.exceptions import APIError
from supabase.lib.client_options import SyncClientOptions

# The author, and the poll with its options, as the app asks for them.
WHOLE = "*,author:profiles(*),poll:polls(*,options:poll_options(*))"
PASSWORD = "correct horse 9 battery"


class Skipped(Exception):
    """Why a check could not be made; nothing is wrong with bsc."""


class Backend(Server):
    """`bsc serve` with a home of its own, and the keys it made."""

    @property
    def keys(self):
        return json.loads((self.data / "keys.json").read_text())

    @property
    def data(self):
        return self.ground.folder / self.name / "data/bsc/local"

    def client(self, key="publishable_key"):
        """A client of the library's that nobody is signed in with."""
        options = SyncClientOptions(
            auto_refresh_token=False, persist_session=False, function_client_timeout=PATIENCE,
            postgrest_client_timeout=PATIENCE)
        client = supabase.create_client(self.base, self.keys.get(key, key), options)
        # The library has no option for it; its default is 5 s.
        client.auth._http_client.timeout = PATIENCE
        return client

    def show(self, highlight):
        """As if the server had seen the video of a row that a client inserted."""
        answer = self.raw("PATCH", f"/rest/v1/highlights?id=eq.{highlight}", json={"is_ready": True},
                          headers={"apikey": self.keys["secret_key"]})
        want(answer.status_code == 204, f"showing a highlight: {answer.status_code} {answer.text}")

    def raw(self, method, path, **options):
        """Without a library: for what one would hide."""
        with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
            return client.request(method, self.base + path, **options)


class Person:
    """Somebody with an account, signed in."""

    def __init__(self, backend, name):
        self.backend = backend
        # The account's name is told apart from those of other checks.
        self.email = f"{name}.{uuid.uuid4().hex[:8]}@example.org"
        self.client = backend.client()
        answer = self.client.auth.sign_up(
            {"email": self.email, "password": PASSWORD, "options": {"data": {"full_name": name.title()}}})
        want(answer.session, "signing up gave no session")
        self.id = answer.user.id
        self.table, self.rpc = self.client.table, self.client.rpc

    @property
    def token(self):
        return self.client.auth.get_session().access_token

    def share(self, **fields):
        """A highlight as the app inserts it, and others see it; gives the row."""
        row = self.table("highlights").insert(rally(self.id, **fields)).execute().data[0]
        self.backend.show(row["id"])
        return row

    def ids(self, table="highlights", **filters):
        """Which rows this person sees."""
        query = self.table(table).select("id")
        for column, value in filters.items():
            query = query.eq(column, value)
        return {row["id"] for row in query.execute().data}


def rally(author, **fields):
    facts = {"duration": 7.25, "confidence": 0.75, "quality": 0.5, "detection_count": 12}
    return {"author_id": author, "mux_playback_id": f"pb{uuid.uuid4().hex}", "caption": "A rally #spike",
            "tags": ["spike"], "rally_metadata": facts} | fields


def draft(**fields):
    """The body of `POST uploads`."""
    return {"highlight_id": str(uuid.uuid4()), "caption": "Ein Aufschlag 🏐 #ace", "tags": ["ace"],
            "privacy_level": "public", "hide_likes": False, "local_video_id": str(uuid.uuid4()),
            "local_rally_index": 3, "duration": 6.0, "confidence": 0.9, "quality": 0.8, "detection_count": 42} | fields


class Place(Ground):
    """The ground of the checks, with one backend for most of them."""

    numbers = itertools.count(1)

    @property
    def backend(self):
        return self.keep("backend", lambda: Backend(self, "backend"))

    def fresh(self, *flags):
        """A backend for one check alone."""
        return Backend(self, f"fresh-{next(self.numbers)}", *flags)

    def people(self, *names):
        return [Person(self.backend, name) for name in names]

    @property
    def clip(self):
        """Six seconds of a picture with a counter and a tone, as bsc would have sent them: H.264 and AAC."""
        return self.keep("clip", self._make_clip)

    def _make_clip(self):
        path = self.folder / "clip.mp4"
        done = subprocess.run(
            [program("ffmpeg", "ffmpeg"), "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=6",
             "-f", "lavfi", "-i", "sine=d=6", "-c:v", "libx264", "-preset", "veryfast", "-g", "60", "-pix_fmt",
             "yuv420p", "-c:a", "aac", "-movflags", "+faststart", path], capture_output=True, text=True)
        want(done.returncode == 0, f"ffmpeg makes no clip: {done.stderr}")
        return path.read_bytes()

    def shared(self, person, **fields):
        """Uploads the clip by the function and waits; gives the highlight's row."""
        body = draft(**fields)
        ticket = invoke(person, "uploads", body=body, headers={"Idempotency-Key": str(uuid.uuid4())})
        put(ticket["url"], self.clip)
        return wait_ready(person, ticket["id"], body["highlight_id"])

    @property
    def example(self):
        """A highlight with its media, of somebody who is nobody's in particular."""
        return self.keep("example", lambda: self.shared(*self.people("example")))


def invoke(person, path, method="POST", body=None, headers=None):
    options = {"method": method, "headers": headers or {}, "responseType": "json"}
    if body is not None:
        options["body"] = body
    return person.client.functions.invoke(path, options)


def put(url, data, status=(200, 201)):
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        answer = client.put(url, content=data, headers={"Content-Type": "video/mp4"})
    want(answer.status_code in status, f"PUT of {len(data)} bytes: {answer.status_code} {answer.text[:200]}")
    return answer


def wait_ready(person, upload, highlight):
    states = []

    def is_ready():
        state = invoke(person, f"uploads/{upload}", "GET")
        states.append(state["status"])
        want(state["status"] in ("waiting", "asset_created", "ready"), f"the upload ended: {state}")
        return state["status"] == "ready"

    wait_for(is_ready, "the upload is not ready")
    return person.table("highlights").select("*").eq("id", highlight).single().execute().data


def refused(action, code, *words):
    """The action ends with PostgREST's error as the library tells it; gives the error."""
    codes = code if isinstance(code, tuple) else (code,)
    try:
        answer = action()
    except APIError as error:
        want(error.code in codes, f"refused with {error.code} ({error.message}) instead of {' or '.join(codes)}")
        want(isinstance(error.message, str) and error.message, f"{error.code} has no message")
        for word in words:
            told = f"{error.message} {error.details} {error.hint}"
            want(word in told, f"{error.code} does not name {word!r}: {told}")
        return error
    raise Failure(f"{' or '.join(codes)} was expected, it answered {getattr(answer, 'data', answer)!r:.200}")


def moment(text):
    """A time as PostgreSQL writes it into JSON."""
    found = datetime.datetime.fromisoformat(text)
    want(found.tzinfo is not None, f"the time {text} has no zone")
    return found
