"""Checks the state that a share must leave at its end."""

import contextlib
import sqlite3
import time

from harness import Home, digest, expect

# The databases, the files of a running server, and lock files, which may stay.
KEPT = {"keys.json", "server.json", "server.lock", "registry.lock", "journal.sqlite.opening.lock"} | {
    f"{name}.sqlite{end}" for name in ("journal", "backend") for end in ("", "-wal", "-shm")}


def undisturbed(folder, bsc, add_clip=Home.add_clip, command=("share", "clip.mp4")):
    """The digest of a clip that is shared without faults, which every other share has to store, and the seconds."""
    with Home(folder / "undisturbed", bsc) as home:
        add_clip(home)
        begin = time.monotonic()
        home.run(*command)
        return digest(next(home.data.glob("assets/*/clip.mp4"))), time.monotonic() - begin


def rows(path, query):
    """Checks the database, and returns rows. There may be no table yet."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        sound = database.execute("PRAGMA integrity_check").fetchall()
        expect(sound == [("ok",)], f"{path} is damaged: {sound[0][0]}")
        with contextlib.suppress(sqlite3.OperationalError):
            return database.execute(query).fetchall()
    return []


def highlights(program):
    """The highlights that `share --json` or `resume --json` reports."""
    return {record["highlight"]["id"].lower() for record in program.records() if record.get("status") == "registered"}


def check(home, data, reported, clip_digest=None):
    """One job, one highlight, its files with the right bytes, and no others."""
    listed = home.run("highlights", "list", "--json").records()
    expect(len(listed) == 1 and {listed[0]["id"].lower()} == reported, f"reported {reported}, listed {listed}")
    jobs = [job["state"] for job in home.run("jobs", "list", "--all", "--json").records()]
    expect(jobs == ["registered"], f"the journal has the jobs {jobs}")
    asset = f"assets/{listed[0]['mux_asset_id']}"
    expect(clip_digest in (None, digest(data / asset / "clip.mp4")), "the stored clip has other bytes")
    for root in {home.state, home.data, data}:
        found = {str(path.relative_to(root)) for path in root.rglob("*")
                 if path.is_file() and path.parent.name != "locks" or path.parent.name == "jobs"}
        # A killed server leaves a picture that it was drawing. The next request for the picture replaces it.
        left = [name for name in found - KEPT - {f"{asset}/clip.mp4"} if not name.startswith(f"{asset}/made/")]
        expect(not left, f"left over in {root.relative_to(home.folder)}: {sorted(left)}")
    return data / asset / "clip.mp4"
