"""People with accounts and their own programs, on the local backend or in a project."""

import contextlib
import json
import re
import sqlite3
import subprocess
import uuid

import requests
from backend import PATIENCE, ROOT, Account, home, want
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import best_match
from scenarios.database import Server

from .project import Project

CLIP = ROOT / "Samples/rally-portrait.mp4"
SCHEMAS = {name: Draft202012Validator(json.loads((ROOT / f"Docs/schema/{name}.schema.json").read_text()),
                                      format_checker=FormatChecker()) for name in ("social", "recruiting")}


class Person:
    """An account, and the program with its own home."""

    def __init__(self, place, stage, name):
        self.bsc, self.folder = place.bsc, place.folder / f"{stage.name}-{name}-{uuid.uuid4().hex[:4]}"
        self.id, self.token, credentials = stage.sign_up(name)
        self.environment = home(self.folder) | {
            "BSC_BACKEND": "supabase", "BSC_SUPABASE_URL": stage.base, "BSC_SUPABASE_KEY": stage.key,
            "BSC_MUX_STREAM_URL": f"{stage.base}/stream", "BSC_MUX_IMAGE_URL": f"{stage.base}/image"} | credentials

    def run(self, *arguments, code=0, stdin=""):
        """The documents that a command prints."""
        done = subprocess.run([self.bsc, *arguments, "--json"], env=self.environment, cwd=self.folder,
                              capture_output=True, text=True, input=stdin, timeout=PATIENCE)
        want(done.returncode == code, f"bsc {' '.join(arguments)} ends with {done.returncode}: {done.stdout} {done.stderr}")
        documents = [json.loads(line) for line in done.stdout.splitlines()]
        for document in documents:
            kind = re.match(r"bsc\.(social|recruiting)-", document.get("schema", ""))
            problem = kind and best_match(SCHEMAS[kind[1]].iter_errors(document))
            want(problem is None, f"bsc {' '.join(arguments)} prints {document}, which breaks the schema: {problem}")
        return documents

    def fails(self, *arguments, code, error):
        ids = [document["error"]["id"] for document in self.run(*arguments, code=code)]
        want(ids == [error], f"bsc {' '.join(arguments)} fails with {ids} instead of {error}")

    def addresses(self, highlight):
        """The addresses that the person gets: of the video and of its picture."""
        document, = self.run("highlights", "open", highlight)
        return document["videoURL"], document["thumbnailURL"]


class Local:
    """`bsc serve` with accounts."""

    name = "local"

    def __init__(self, place):
        self.server = place.fresh()
        self.public = self.server.base
        self.base, self.key = self.server.base, self.server.keys["publishable_key"]

    def sign_up(self, name):
        account = Account(self.server, name, {"full_name": name.title()})
        return account.id, account.token, {"BSC_SUPABASE_REFRESH_TOKEN": account.refresh}

    def pass_a_day(self):
        """A family can sync again, and looks up its stored posts."""
        with contextlib.closing(sqlite3.connect(self.server.data / "backend.sqlite", timeout=PATIENCE)) as database:
            database.execute("update social_syncs set started_at = '2026-01-01T00:00:00+00:00'")
            database.execute("update social_cursors set last_synced_at = '2020' || substr(last_synced_at, 5)")
            database.commit()

    def appoint(self, moderator):
        answer = self.server.ask("POST", "/rest/v1/moderators", {"user_id": moderator},
                                 {"apikey": self.server.keys["secret_key"]})
        want(answer.status_code == 201, f"appointing: {answer.status_code} {answer.text}")


def ask(url, method="GET", **options):
    return requests.request(method, url, timeout=PATIENCE, allow_redirects=False, **options)


def in_project(place, play):
    with Server() as database:
        project = Project(place, database)
        try:
            return play(place, project)
        finally:
            project.close()
