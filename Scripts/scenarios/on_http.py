"""The driver for the local backend: `bsc serve` with a home of its own, spoken to as an app speaks to Supabase."""

import json
import time
from urllib.parse import quote, urlencode, urlsplit

from .forms import DRAFT
from .local_server import LocalServer, NoAnswer
from .outcomes import Outcome, agrees

READY_SECONDS = 180
# PostgREST's status of an error; 42501 depends on who asks.
STATUSES = {
    "23505": 409, "23503": 409, "23502": 400, "23514": 400, "22P02": 400, "22003": 400, "PT404": 404, "P0001": 400,
    "42883": 404, "PGRST116": 406, "PGRST202": 404, "PGRST204": 400, "PGRST205": 404,
}
# The Edge Function's.
UPLOAD_STATUSES = {
    "idempotency_conflict": [409], "already_registered": [409], "highlight_taken": [409], "not_waiting": [409],
    "different_post": [409],
    "not_found": [404], "not_allowed": [403], "unauthorized": [401], "invalid_parameters": [400, 413, 422],
}


class LocalBackend:
    """A server for each world. Its people sign up as anybody does."""

    name = "http"

    def __init__(self, program, clip):
        self.server, self.clip = LocalServer(program), clip

    def open(self):
        """Nothing yet: each world starts the server."""

    def close(self):
        self.server.stop()

    def begin(self):
        """A new world."""
        self.server.stop()
        self.server.start()
        self.keys, self.people, self.tokens, self.owners = self.server.keys, {}, {}, {}

    def _headers(self, person):
        key = self.keys["secret_key" if person == "service" else "publishable_key"]
        token = {"Authorization": f"Bearer {self.tokens[person]}"} if person in self.tokens else {}
        return {"apikey": key, **token}

    def sign_up(self, person, details, account):
        body = json.dumps({"email": f"{account}@example.com", "password": "a long enough password", "data": details})
        status, _, text = self.server.send("POST", "/auth/v1/signup", {
            "apikey": self.keys["publishable_key"], "Content-Type": "application/json"}, body.encode())
        if status != 200:
            raise NoAnswer(f"nobody can sign up: {status} {text[:400]!r}")
        session = json.loads(text)
        self.people[person], self.tokens[person] = session["user"]["id"], session["access_token"]
        return self.people[person]

    def run(self, step, names):
        verb = next((verb for verb in ("open", "state", "cancel", "finish") if verb in step), None)
        try:
            return self._rest(step) if verb is None else getattr(self, f"_{verb}")(step, names)
        except NoAnswer as error:
            return Outcome("no answer", str(error))

    # PostgREST.

    def _rest(self, step):
        verb = next(verb for verb in ("insert", "upsert", "update", "delete", "select", "call") if verb in step)
        query = list(self._filters(step))
        returning = step.get("returning", "*" if verb in ("update", "delete") else None)
        if returning is not None:
            query.append(("select", returning))
        prefer, body = [], None
        if verb in ("insert", "upsert", "update", "delete"):
            prefer.append("return=minimal" if returning is None else "return=representation")
        if verb == "upsert":
            prefer.append(f"resolution={step.get('duplicates', 'merge')}-duplicates")
            query.append(("on_conflict", step["on"]))
        if verb != "select" and verb != "delete":
            body = json.dumps(step.get({"update": "set", "call": "arguments"}.get(verb, "rows"), {})).encode()
        method = {"select": "GET", "update": "PATCH", "delete": "DELETE"}.get(verb, "POST")
        path = "/rest/v1/" + ("rpc/" if verb == "call" else "") + step[verb]
        if query:
            path += "?" + urlencode(query, quote_via=quote, safe="(),.:*!")
        headers = self._headers(step["as"])
        if body is not None:
            headers["Content-Type"] = "application/json"
        if prefer:
            headers["Prefer"] = ",".join(prefer)
        status, answered, text = self.server.send(method, path, headers, body)
        if status >= 400:
            return self._refusal(step["as"], status, answered, text)
        allowed = {
            "insert": {201}, "upsert": {200, 201}, "select": {200}, "call": {200, 204},
        }.get(verb, {200} if returning is not None else {204})
        flaws = [] if status in allowed else [f"status {status}, not {sorted(allowed)}"]
        if verb != "select" and verb != "call" and returning is None:
            return Outcome(flaws=flaws + (["a body that was not asked for"] if text else []))
        if text == b"":
            return Outcome(flaws=flaws)
        try:
            content = json.loads(text)
        except ValueError:
            return Outcome("no JSON", text[:200].decode(errors="replace"))
        if not answered.get("Content-Type", "").startswith("application/json"):
            flaws.append(f"Content-Type {answered.get('Content-Type')}")
        if isinstance(content, list):
            return Outcome(rows=content, flaws=flaws)
        return Outcome(value=content, flaws=flaws)

    @staticmethod
    def _filters(step):
        if "columns" in step:
            yield "select", step["columns"]
        for column, filters in step.get("where", {}).items():
            for text in filters if isinstance(filters, list) else [filters]:
                yield column, text
        for word in "order", "limit", "offset":
            if word in step:
                yield word, str(step[word])

    @staticmethod
    def _refusal(person, status, headers, text):
        try:
            error = json.loads(text)
            code, message = error["code"], error["message"]
        except (ValueError, KeyError, TypeError):
            return Outcome(f"status {status}", text[:200].decode(errors="replace"))
        flaws = []
        if not {"code", "message", "details", "hint"} <= set(error):
            flaws.append(f"an error's keys are code, message, details, hint: {sorted(error)}")
        wanted = (401 if person == "anon" else 403) if code == "42501" else STATUSES.get(code)
        if wanted not in (None, status):
            flaws.append(f"{code} with status {status}, not {wanted}")
        if not headers.get("Content-Type", "").startswith("application/json"):
            flaws.append(f"Content-Type {headers.get('Content-Type')}")
        return Outcome(code, message, flaws=flaws)

    # Registration.

    def _function(self, method, path, person, body=None, **headers):
        """The function's answer; the status belongs to the error's type."""
        if body is not None:
            headers["Content-Type"] = "application/json"
        status, _, text = self.server.send(
            method, f"/functions/v1/uploads{path}", self._headers(person) | headers,
            None if body is None else json.dumps(body).encode())
        try:
            content = json.loads(text)
            if status < 300:
                return status, Outcome(value=content)
            code = content["error"]["type"]
            flaws = [] if status in UPLOAD_STATUSES.get(code, [status]) else [f"{code} with status {status}"]
            return status, Outcome(code, "; ".join(content["error"]["messages"]), flaws=flaws)
        except (ValueError, KeyError, TypeError):
            return status, Outcome(f"status {status}", text[:200].decode(errors="replace"))

    def _open(self, step, names):
        body = DRAFT | step.get("draft", {}) | {"timeout": step.get("timeout", 3600)}
        status, outcome = self._function("POST", "", step["as"], body, **{"Idempotency-Key": step["key"]})
        if outcome.code is None:
            if not agrees({"id": {"is": "uuid"}, "url": {"is": "text"}, "expires_at": {"is": "number"}}, outcome.value):
                return Outcome("no ticket", str(outcome.value))
            outcome.value["new"] = status == 201
            upload = outcome.value["id"]
            self.owners[upload] = step["as"]
            names.known |= {step["open"]: upload, f"{step['open']}_url": outcome.value["url"]}
        return outcome

    def _state(self, step, names):
        return self._function("GET", f"/{names[step['state']]}", step["as"])[1]

    def _cancel(self, step, names):
        return self._function("POST", f"/{names[step['cancel']]}/cancel", step["as"])[1]

    def _finish(self, step, names):
        """Puts the bytes and waits for the end. An upload that has ended may refuse them."""
        upload = names[step["finish"]]
        if upload not in self.owners:
            return Outcome("not open", "there is no such upload")
        url = urlsplit(names[f"{step['finish']}_url"])
        content = self.clip.read_bytes() if step.get("with", "clip") == "clip" else b"this is no video\n" * 64
        try:
            status, _, text = self.server.send("PUT", f"{url.path}?{url.query}", {"Content-Type": "video/mp4"}, content)
        except NoAnswer as error:
            # Who refuses bytes may close in the middle of them.
            status, text = 599, str(error)
        owner, deadline = self.owners[upload], time.monotonic() + READY_SECONDS
        while True:
            outcome = self._function("GET", f"/{upload}", owner)[1]
            state = (outcome.value or {}).get("status")
            if outcome.code is None and status >= 300 and state not in ("cancelled", "timed_out", "ready", "errored"):
                return Outcome(f"status {status}", f"the bytes were refused: {text[:200]!r}")
            if state not in ("waiting", "asset_created") or "stays" in step and self._can_be_watched(upload, owner):
                names.known[f"{step['finish']}_playback"] = self._playback(upload, owner) or "none"
                return outcome
            if time.monotonic() > deadline:
                return Outcome("timeout", f"still {state} after {READY_SECONDS} s")
            time.sleep(0.05)

    def _can_be_watched(self, upload, owner):
        """A clip that waits for others of its post has its playback id."""
        return self._playback(upload, owner) is not None

    def _playback(self, upload, owner):
        path = f"/rest/v1/uploads?select=mux_playback_id&id=eq.{upload}"
        status, _, text = self.server.send("GET", path, self._headers(owner), None)
        return json.loads(text)[0]["mux_playback_id"] if status == 200 else None
