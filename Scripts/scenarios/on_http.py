"""The driver for the local backend: `bsc serve` with a fresh home, used as an app uses Supabase."""

import json
import time

import requests
from backend import PATIENCE, ROOT, Account, Place

from .forms import DRAFT, verb_of
from .play import Outcome, agrees

# PostgREST's status of an error; that of 42501 depends on the caller.
STATUSES = {
    "23505": 409, "23503": 409, "23502": 400, "23514": 400, "22P02": 400, "22003": 400, "22008": 400, "P0001": 400,
    "22023": 400, "22007": 400, "PT400": 400, "PT403": 403, "PT404": 404, "PT409": 409, "PT410": 410, "PT429": 429,
    "42883": 404, "PGRST116": 406, "PGRST202": 404, "PGRST204": 400, "PGRST205": 404,
}
# The Edge Function's statuses.
UPLOAD_STATUSES = {
    "idempotency_conflict": [409], "already_registered": [409], "highlight_taken": [409], "not_waiting": [409],
    "different_post": [409], "not_found": [404], "not_allowed": [403], "unauthorized": [401],
    "invalid_parameters": [400, 413, 422],
}


class LocalBackend:
    """A new server for each world."""

    name = "http"

    def __init__(self, program, folder):
        self.place, self.server = Place(program, folder), None

    def open(self):
        """Nothing: each world starts a server."""

    def close(self):
        self.place.close()

    def begin(self):
        if self.server is not None:
            self.server.kill()
        self.server = self.place.fresh()
        self.keys, self.people, self.owners = self.server.keys, {}, {}

    def headers(self, person):
        key = self.keys["secret_key" if person == "service" else "publishable_key"]
        token = {"Authorization": f"Bearer {self.people[person].token}"} if person in self.people else {}
        return {"apikey": key, **token}

    def sign_up(self, person, details, account):
        self.people[person] = Account(self.server, account, details)
        return self.people[person].id

    def run(self, step, names):
        verb = verb_of(step)
        special = {"open": self.open_upload, "state": self.state, "cancel": self.cancel, "finish": self.finish}
        try:
            return special[verb](step, names) if verb in special else self.rest(verb, step)
        except requests.RequestException as error:
            return Outcome("no response", str(error))

    def rest(self, verb, step):
        query = [("select", step["columns"])] if "columns" in step else []
        for column, filters in step.get("where", {}).items():
            query += [(column, text) for text in (filters if isinstance(filters, list) else [filters])]
        query += [(word, str(step[word])) for word in ("order", "limit", "offset") if word in step]
        returning = step.get("returning", "*" if verb in ("update", "delete") else None)
        is_write, body, prefer = verb not in ("select", "call"), None, []
        if returning is not None:
            query.append(("select", returning))
        if is_write:
            prefer.append("return=minimal" if returning is None else "return=representation")
        if verb == "upsert":
            prefer.append(f"resolution={step.get('duplicates', 'merge')}-duplicates")
            query.append(("on_conflict", step["on"]))
        if verb not in ("select", "delete"):
            body = step.get({"update": "set", "call": "arguments"}.get(verb, "rows"), {})
        method = {"select": "GET", "update": "PATCH", "delete": "DELETE"}.get(verb, "POST")
        path = "/rest/v1/" + ("rpc/" if verb == "call" else "") + step[verb]
        headers = self.headers(step["as"]) | ({"Prefer": ",".join(prefer)} if prefer else {})
        answer = self.server.ask(method, path, body, headers, params=query)
        if answer.status_code >= 400:
            return self.refusal(step["as"], answer)
        allowed = {"insert": {201}, "upsert": {200, 201}, "select": {200}, "call": {200, 204}}.get(
            verb, {200} if returning is not None else {204})
        flaws = [] if answer.status_code in allowed else [f"status {answer.status_code}, not {sorted(allowed)}"]
        if answer.content == b"":
            return Outcome(flaws=flaws)
        if is_write and returning is None:
            return Outcome(flaws=[*flaws, "an unexpected body"])
        flaws += self.type_flaws(answer)
        try:
            content = answer.json()
        except ValueError:
            return Outcome("not JSON", answer.text[:200])
        return Outcome(rows=content, flaws=flaws) if isinstance(content, list) else Outcome(value=content, flaws=flaws)

    @staticmethod
    def type_flaws(answer):
        kind = answer.headers.get("Content-Type", "")
        return [] if kind.startswith("application/json") else [f"Content-Type {kind}"]

    def refusal(self, person, answer):
        try:
            error = answer.json()
            code, message = error["code"], error["message"]
        except (ValueError, KeyError, TypeError):
            return Outcome(f"status {answer.status_code}", answer.text[:200])
        flaws = self.type_flaws(answer)
        if not {"code", "message", "details", "hint"} <= set(error):
            flaws.append(f"the error has the keys {sorted(error)}")
        wanted = (401 if person == "anon" else 403) if code == "42501" else STATUSES.get(code)
        if wanted not in (None, answer.status_code):
            flaws.append(f"{code} with status {answer.status_code}, not {wanted}")
        return Outcome(code, message, flaws=flaws)

    def function(self, method, path, person, body=None, **headers):
        """A request to the function `uploads`."""
        path, headers = f"/functions/v1/uploads{path}", self.headers(person) | headers
        answer = self.server.ask(method, path, body, headers)
        try:
            content = answer.json()
            if answer.status_code < 300:
                return Outcome(value=content | ({"new": answer.status_code == 201} if body else {}))
            code, status = content["error"]["type"], answer.status_code
            flaws = [] if status in UPLOAD_STATUSES.get(code, [status]) else [f"{code} with status {status}"]
            return Outcome(code, "; ".join(content["error"]["messages"]), flaws=flaws)
        except (ValueError, KeyError, TypeError):
            return Outcome(f"status {answer.status_code}", answer.text[:200])

    def open_upload(self, step, names):
        body = DRAFT | step.get("draft", {}) | {"timeout": step.get("timeout", 3600)}
        outcome = self.function("POST", "", step["as"], body, **{"Idempotency-Key": step["key"]})
        if outcome.code is None:
            ticket = outcome.value
            if not agrees({"id": {"is": "uuid"}, "url": {"is": "text"}, "expires_at": {"is": "number"}}, ticket):
                return Outcome("no upload", str(ticket))
            self.owners[ticket["id"]] = step["as"]
            names.known |= {step["open"]: ticket["id"], f"{step['open']}_url": ticket["url"]}
        return outcome

    def state(self, step, names):
        return self.function("GET", f"/{names[step['state']]}", step["as"])

    def cancel(self, step, names):
        return self.function("POST", f"/{names[step['cancel']]}/cancel", step["as"])

    def finish(self, step, names):
        """Sends the bytes and waits for the end. An upload that has ended may reject them."""
        upload, end = names[step["finish"]], time.monotonic() + PATIENCE
        if upload not in self.owners:
            return Outcome("not open", "the upload does not exist")
        is_clip = step.get("with", "clip") == "clip"
        content = (ROOT / "Samples/no-metadata.mp4").read_bytes() if is_clip else b"this is not a video\n" * 64
        try:
            answer = self.server.ask("PUT", names[f"{step['finish']}_url"], content, {"Content-Type": "video/mp4"})
            is_sent, reason = answer.status_code < 300, answer.text[:200]
        except requests.RequestException as error:
            # A server that rejects the bytes may close before it has read them.
            is_sent, reason = False, str(error)
        while True:
            outcome = self.function("GET", f"/{upload}", self.owners[upload])
            state = (outcome.value or {}).get("status")
            if outcome.code is None and not is_sent and state not in ("cancelled", "timed_out", "ready", "errored"):
                return Outcome("rejected", reason)
            path = f"/rest/v1/uploads?select=mux_playback_id&id=eq.{upload}"
            rows = json.loads(self.server.ask("GET", path, headers=self.headers(self.owners[upload])).text)
            playback = rows[0]["mux_playback_id"] if isinstance(rows, list) and rows else None
            # A clip that waits for the others of its post already has a playback ID.
            if state not in ("waiting", "asset_created") or "stays" in step and playback is not None:
                names.known[f"{step['finish']}_playback"] = playback or "none"
                return outcome
            if time.monotonic() > end:
                return Outcome("timeout", f"still {state} after {PATIENCE} s")
            time.sleep(0.05)
