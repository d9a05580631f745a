"""The driver for PostgreSQL with the project's migrations: each step is a transaction under the caller's role and
claims, as PostgREST runs it. The Edge Function and Mux are stood in for by the calls and events that they make."""

import json
import time
import uuid

from . import statements
from .forms import DRAFT
from .outcomes import Outcome
from .wire import Connection, Refused

# The words of the Edge Function for what `create_upload` answers and raises.
OUTCOMES = {
    "different_draft": "idempotency_conflict", "highlight_exists": "already_registered",
    "highlight_taken": "highlight_taken", "different_post": "different_post",
}
BROKEN_RULES = {"23514", "23502", "22P02", "22003"}


class Postgres:
    """One database for all worlds, emptied in between: a copy of the migrated one."""

    name = "sql"

    def __init__(self, server, template="base"):
        self.server, self.template, self.connections = server, template, []
        owner = Connection(server.folder, template, "postgres")
        self.keys = statements.Keys(owner.run(statements.Keys.QUERY)[0])
        self.functions = {name: (many == "t", kind) for name, many, kind in owner.run(
            "select proname, proretset, prorettype::regtype from pg_proc "
            "where pronamespace = 'public'::regnamespace")[0]}
        # All rows come from accounts, but the limit.
        self.tables = [row[0] for row in owner.run(
            "select oid::regclass from pg_class where relkind = 'r' and relname <> 'rate_limits' "
            "and relnamespace in ('public'::regnamespace, 'private'::regnamespace)")[0]]
        owner.close()

    def open(self, mutation=None):
        """Makes the database, weaker by a statement."""
        self.admin = Connection(self.server.folder, "postgres", "supabase_admin")
        self.database = f"world_{uuid.uuid4().hex}"
        self.admin.run(f"create database {self.database} owner postgres template {self.template} strategy wal_log")
        # The auth server has rights of its own, and none in `public`.
        self.owner, self.auth, self.connection = self.connections = [
            Connection(self.server.folder, self.database, user)
            for user in ("supabase_admin", "supabase_auth_admin", "authenticator")]
        if mutation is not None:
            self.owner.run(mutation)

    def close(self):
        for connection in self.connections:
            connection.close()
        self.connections = []
        self.admin.run(f"drop database {self.database} with (force)")
        self.admin.close()

    def begin(self):
        """A new world."""
        self.owner.run(f"truncate auth.users, {', '.join(self.tables)} cascade")
        self.people, self.owners = {}, {}

    def sign_up(self, person, details, account):
        """The account's id is given by us; the auth server draws it."""
        self.auth.run(
            f"insert into auth.users (id, email, raw_user_meta_data) values ({statements.literal(account)}, "
            f"{statements.literal(account + '@example.com')}, {statements.literal(details)})")
        self.people[person] = account
        return account

    def run(self, step, names):
        verb = next((verb for verb in ("open", "state", "cancel", "finish") if verb in step), None)
        try:
            if verb is not None:
                return getattr(self, f"_{verb}")(step, names)
            return self._request(step["as"], *self._statement(step))
        except Refused as error:
            return Outcome(error.code, error.message)

    def _statement(self, step):
        """The SQL, and whether it gives rows, one value or nothing."""
        if "select" in step:
            table = step["select"]
            return statements.reading(f"public.{statements.name(table)}", table, step, self.keys), "rows"
        if "call" in step:
            function = step["call"]
            given = ", ".join(f"{statements.name(key)} => {statements.literal(value)}"
                              for key, value in step.get("arguments", {}).items())
            called = f"public.{statements.name(function)}({given})"
            many, kind = self.functions.get(function, (False, ""))
            if many:
                return statements.reading(called, kind, step, self.keys), "rows"
            return f"select {called}" if kind == "void" else f"select to_json({called})", "value"
        verb = next(verb for verb in ("insert", "upsert", "update", "delete") if verb in step)
        text = statements.writing(verb, step, self.keys)
        return text, "rows" if text.startswith("with ") else "nothing"

    def _request(self, person, statement, gives="value"):
        role = {"anon": "anon", "service": "service_role"}.get(person, "authenticated")
        claims = {"role": role} | ({"sub": self.people[person]} if person in self.people else {})
        results = self.connection.run(
            f"begin; select set_config('role', '{role}', true), set_config('search_path', 'public, extensions', true), "
            f"set_config('request.jwt.claims', {statements.literal(json.dumps(claims))}, true); {statement}; commit")
        if gives == "nothing":
            return Outcome()
        text = results[2][0][0]
        content = json.loads(text) if text else None
        return Outcome(rows=content) if gives == "rows" else Outcome(value=content)

    # Registration, in the functions' steps.

    def _service(self, function, **arguments):
        given = ", ".join(f"{key} => {statements.literal(value)}" for key, value in arguments.items())
        return self._request("service", f"select to_json(public.{function}({given}))").value

    def _open(self, step, names):
        author = self.people[step["as"]]
        seconds = step.get("timeout", 3600)
        draft = DRAFT | step.get("draft", {})
        try:
            ticket = self._service("create_upload", author=author, idempotency_key=step["key"], draft=draft,
                                   timeout_seconds=str(seconds))
        except Refused as error:
            code = "invalid_parameters" if error.code in BROKEN_RULES else error.code
            # A token outlives its account.
            return Outcome("not_allowed" if code == "23503" else code, error.message)
        if ticket["outcome"] in OUTCOMES:
            return Outcome(OUTCOMES[ticket["outcome"]])
        new = ticket["outcome"] == "created"
        if ticket["url"] is None:
            ticket = self._service(
                "record_mux_upload", upload_id=ticket["id"], mux_upload_id=f"mux-{ticket['id']}",
                url=f"https://mux.example/{ticket['id']}", expires_at=time.strftime(
                    "%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds)))
        self.owners[ticket["id"]] = author
        names.known |= {step["open"]: ticket["id"], f"{step['open']}_url": ticket["url"]}
        return Outcome(value={key: ticket[key] for key in ("id", "url", "expires_at")} | {"new": new})

    def _look(self, author, upload):
        state = self._service("upload_state", author=author, upload_id=upload)
        if state is None:
            return Outcome("not_found")
        return Outcome(value={key: value for key, value in state.items() if value is not None})

    def _state(self, step, names):
        return self._look(self.people[step["as"]], names[step["state"]])

    def _cancel(self, step, names):
        author, upload = self.people[step["as"]], names[step["cancel"]]
        outcome = self._service("cancel_upload", author=author, upload_id=upload)
        if outcome == "cancelled":
            return self._look(author, upload)
        return Outcome("not_found" if outcome is None else outcome)

    def _finish(self, step, names):
        """What Mux says while it makes an asset of the bytes."""
        upload = names[step["finish"]]
        if upload not in self.owners:
            return Outcome("not open", "there is no such upload")
        mux, asset = f"mux-{upload}", f"asset-{upload}"
        settings = {"passthrough": upload}
        about = {"id": asset, "upload_id": mux, "passthrough": upload}
        self._event("video.upload.asset_created", {"id": mux, "asset_id": asset, "new_asset_settings": settings})
        self._event("video.asset.created", {**about, "status": "preparing"})
        if step.get("with", "clip") == "clip":
            self._event("video.asset.ready", {**about, "status": "ready", "playback_ids": [
                {"id": f"PB{upload.replace('-', '')}", "policy": "public"}]})
        else:
            self._event("video.asset.errored", {**about, "status": "errored", "errors": {
                "type": "invalid_input", "messages": ["the file is no video"]}})
        outcome = self._look(self.owners[upload], upload)
        names.known[f"{step['finish']}_playback"] = (outcome.value or {}).get("playback_id", "none")
        return outcome

    def _event(self, kind, data):
        self._service("apply_mux_event", event_id=str(uuid.uuid4()), event_type=kind, data=data)
