"""The driver for PostgreSQL with the migrations: each step is a transaction with the caller's role and claims, as in
PostgREST. The Edge Function and Mux are replaced by the calls and events that they make."""

import json
import time
import uuid

import psycopg

from . import statements
from .forms import DRAFT, verb_of
from .play import Outcome

# The Edge Function's terms for the results of `create_upload`.
OUTCOMES = {"different_draft": "idempotency_conflict", "highlight_exists": "already_registered",
            "highlight_taken": "highlight_taken", "different_post": "different_post"}
BROKEN_RULES = {"23514", "23502", "22P02", "22003"}


class Postgres:
    """One copy of the migrated database for all worlds, emptied between them."""

    name = "sql"

    def __init__(self, server):
        self.server = server

        def query(sql):
            return server.execute(sql, "base", "postgres")
        self.keys = statements.Keys(query(statements.Keys.QUERY))
        self.functions = {name: (many, kind) for name, many, kind in query(
            "select proname, proretset, prorettype::regtype::text from pg_proc "
            "where pronamespace = 'public'::regnamespace")}
        self.tables = [row[0] for row in query(
            "select oid::regclass::text from pg_class where relkind = 'r' "
            "and relname not in ('rate_limits', 'asset_rules', 'playback_rules') "
            "and relnamespace in ('public'::regnamespace, 'private'::regnamespace)")]

    def open(self, mutation=None):
        """Makes the database, weakened by a mutation."""
        self.database = f"world_{uuid.uuid4().hex}"
        self.server.create(self.database, "base")
        # Supabase's auth server has its own role.
        self.owner, self.auth, self.connection = self.connections = [
            self.server.connect(self.database, user)
            for user in ("supabase_admin", "supabase_auth_admin", "authenticator")]
        # Like a project with a signing key.
        self.owner.execute("update private.playback_rules set closes = true, checked_until = null")
        if mutation is not None:
            self.owner.execute(mutation)

    def close(self):
        for connection in self.connections:
            connection.close()
        self.server.drop(self.database)

    def begin(self):
        self.owner.execute(f"truncate auth.users, {', '.join(self.tables)} cascade")
        self.people, self.owners = {}, {}

    def sign_up(self, person, details, account):
        self.auth.execute("insert into auth.users (id, email, raw_user_meta_data) values (%s, %s, %s)",
                          [account, f"{account}@example.com", json.dumps(details)])
        self.people[person] = account
        return account

    def run(self, step, names):
        verb = verb_of(step)
        special = {"open": self.open_upload, "state": self.state, "cancel": self.cancel, "finish": self.finish}
        try:
            return special[verb](step, names) if verb in special else self.request(step["as"], *self.statement(step))
        except psycopg.Error as error:
            return Outcome(error.sqlstate or "error", error.diag.message_primary or str(error))

    def statement(self, step):
        """The SQL of a step, and whether it returns rows, one value or nothing."""
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
        text = statements.writing(verb_of(step), step, self.keys)
        return text, "rows" if text.startswith("with ") else "nothing"

    def request(self, person, statement, returns="value"):
        role = {"anon": "anon", "service": "service_role"}.get(person, "authenticated")
        claims = {"role": role} | ({"sub": self.people[person]} if person in self.people else {})
        with self.connection.transaction():
            self.connection.execute(
                "select set_config('role', %s, true), set_config('search_path', 'public, extensions', true), "
                "set_config('request.jwt.claims', %s, true)", [role, json.dumps(claims)])
            cursor = self.connection.execute(statement)
            content = cursor.fetchone()[0] if returns != "nothing" else None
        # A void function returns an empty text.
        return Outcome(rows=content) if returns == "rows" else Outcome(value=None if content == "" else content)

    def service(self, function, **arguments):
        given = ", ".join(f"{key} => {statements.literal(value)}" for key, value in arguments.items())
        return self.request("service", f"select to_json(public.{function}({given}))").value

    def open_upload(self, step, names):
        author, seconds = self.people[step["as"]], step.get("timeout", 3600)
        try:
            ticket = self.service("create_upload", author=author, idempotency_key=step["key"],
                                  draft=DRAFT | step.get("draft", {}), timeout_seconds=str(seconds))
        except psycopg.Error as error:
            # 23503: a token of a deleted account.
            code = {"23503": "not_allowed"}.get(error.sqlstate, error.sqlstate)
            return Outcome("invalid_parameters" if code in BROKEN_RULES else code, str(error))
        if ticket["outcome"] in OUTCOMES:
            return Outcome(OUTCOMES[ticket["outcome"]])
        is_new = ticket["outcome"] == "created"
        if ticket["url"] is None:
            ticket = self.service(
                "record_mux_upload", upload_id=ticket["id"], mux_upload_id=f"mux-{ticket['id']}",
                url=f"https://mux.example/{ticket['id']}",
                expires_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds)))
        self.owners[ticket["id"]] = author
        names.known |= {step["open"]: ticket["id"], f"{step['open']}_url": ticket["url"]}
        return Outcome(value={key: ticket[key] for key in ("id", "url", "expires_at")} | {"new": is_new})

    def state_of(self, author, upload):
        state = self.service("upload_state", author=author, upload_id=upload)
        if state is None:
            return Outcome("not_found")
        return Outcome(value={key: value for key, value in state.items() if value is not None})

    def state(self, step, names):
        return self.state_of(self.people[step["as"]], names[step["state"]])

    def cancel(self, step, names):
        author, upload = self.people[step["as"]], names[step["cancel"]]
        outcome = self.service("cancel_upload", author=author, upload_id=upload)
        return self.state_of(author, upload) if outcome == "cancelled" else Outcome(outcome or "not_found")

    def finish(self, step, names):
        """The events that Mux sends while it makes an asset from the bytes."""
        upload = names[step["finish"]]
        if upload not in self.owners:
            return Outcome("not open", "the upload does not exist")
        mux, asset = f"mux-{upload}", {"id": f"asset-{upload}", "upload_id": f"mux-{upload}", "passthrough": upload}
        if step.get("with", "clip") == "clip":
            last = {"status": "ready", "playback_ids": [{"id": f"PB{upload.replace('-', '')}", "policy": "public"}],
                    "duration": 9, "tracks": [{"type": "video", "max_width": 1920, "max_height": 1080}]}
        else:
            last = {"status": "errored", "errors": {"type": "invalid_input", "messages": ["the file is not a video"]}}
        for kind, data in (
                ("upload.asset_created",
                 {"id": mux, "asset_id": asset["id"], "new_asset_settings": {"passthrough": upload}}),
                ("asset.created", {**asset, "status": "preparing"}), (f"asset.{last['status']}", asset | last)):
            self.service("apply_mux_event", event_id=str(uuid.uuid4()), event_type=f"video.{kind}", data=data)
        outcome = self.state_of(self.owners[upload], upload)
        names.known[f"{step['finish']}_playback"] = (outcome.value or {}).get("playback_id", "none")
        return outcome
