"""Uploads through supabase's function client, requests and curl, until the highlight's row exists."""

import shutil
import subprocess
import time
import uuid

from backend import Account, Failure, Skipped, draft, put, wait_for, want
from supabase_functions.errors import FunctionsHttpError

from .people import PLAYER, Person, clip

MIB = 1 << 20


def rejected(action, status, word):
    try:
        answer = action()
    except FunctionsHttpError as error:
        want(error.status == status and word in str(error.message),
             f"{error.status} ({error.message}), not {status} {word}")
        return
    raise Failure(f"{status} was expected, the answer is {answer}")


def check_highlight(place):
    server, ann, ben = place.server, Person(place.server), Person(place.server, "ben")
    body, headers = draft(), {"Idempotency-Key": str(uuid.uuid4())}
    rejected(lambda: ann.invoke("uploads", body=body), 400, "Idempotency-Key")
    rejected(lambda: ann.invoke("uploads", body=draft(duration=61), headers=headers), 422, "duration")
    ticket = ann.invoke("uploads", body=body, headers=headers)
    want(ticket["url"].startswith(f"{server.base}/upload/{ticket['id']}?token="), f"the URL is {ticket['url']}")
    want(3500 < ticket["expires_at"] - time.time() <= 3601, f"it expires at {ticket['expires_at']}")
    want(ann.invoke("uploads", body=body, headers=headers) == ticket, "the same key returned another upload")
    put(server, ticket["url"], clip(place))
    ann.wait(ticket["id"])
    row = ann.table("highlights").select("*").eq("id", body["highlight_id"]).single().execute().data
    kept = {name: value for name, value in body.items() if name != "highlight_id"}
    want(kept.items() <= row.items() and row["author_id"] == ann.id and row["is_ready"], f"the row is {row}")
    rejected(lambda: ben.invoke(f"uploads/{ticket['id']}", "GET"), 404, "not_found")
    rejected(lambda: ann.invoke("uploads", body=body, headers={"Idempotency-Key": "2"}), 409, "already_registered")
    played = f"/stream/{row['mux_playback_id']}.mp4"
    want(server.ask("GET", played, headers=PLAYER).content == clip(place), "the served clip differs")
    cancelled = ann.invoke("uploads", body=draft(), headers={"Idempotency-Key": "3"})
    want(ann.invoke(f"uploads/{cancelled['id']}/cancel")["status"] == "cancelled", "it is not cancelled")
    ann.table("highlights").delete().eq("id", row["id"]).execute()
    wait_for(lambda: server.ask("GET", played, headers=PLAYER).status_code == 404, "the clip of a deleted highlight is deleted")
    return "the draft becomes the row; deleting it deletes the clip"


def check_chunks(place):
    """Chunks with status requests between them, and without a total until the last one."""
    server, ann, unit = place.server, Account(place.server), 256 << 10
    data = clip(place) + (2 * unit).to_bytes(4, "big") + b"free" + bytes(2 * unit - 8)
    ticket = ann.open()
    for start in range(0, len(data), unit):
        end, is_last = min(start + unit, len(data)), start + unit >= len(data)
        answer = put(server, ticket["url"], data[start:end], (200, 201) if is_last else (308,),
                     Content_Range=f"bytes {start}-{end - 1}/{len(data) if is_last else '*'}")
        if not is_last:
            asked = put(server, ticket["url"], b"", (308,), Content_Range="bytes */*")
            want(answer.headers["Range"] == asked.headers["Range"] == f"bytes=0-{end - 1}", asked.headers["Range"])
    ann.wait(ticket["id"])
    row = ann.ask("GET", f"/rest/v1/highlights?id=eq.{ticket['highlight']}").json()[0]
    played = server.ask("GET", f"/stream/{row['mux_playback_id']}.mp4", headers=PLAYER)
    want(played.content == data, "the served clip differs")
    return f"{len(data) // unit + 1} chunks"


def check_curl(place):
    """curl receives responses that arrive before it has sent the body."""
    if shutil.which("curl") is None:
        raise Skipped("curl is not installed")
    server, ann, large = place.server, Account(place.server), place.folder / "large.bin"
    with large.open("wb") as file:
        file.truncate(46 * MIB)
    complete, cancelled, fresh = (ann.open()["url"] for _ in range(3))
    put(server, complete, clip(place))
    want(server.ask("DELETE", cancelled).status_code == 499, "DELETE does not cancel")
    cases = {
        200: [complete], 400: ["-H", "Content-Range: bytes 0-0/1", fresh], 403: [fresh + "0"],
        404: [f"{server.base}/upload/none?token=x"], 421: ["-H", "Host: evil.example", fresh], 499: [cancelled],
        416: ["-H", f"Content-Range: bytes {MIB}-{47 * MIB - 1}/{47 * MIB}", fresh],
    }
    for status, arguments in cases.items():
        for headers in [], ["Connection: close"], ["Expect:"], ["Expect: 100-continue", "Connection: close"]:
            done = subprocess.run(
                ["curl", "-sS", "--noproxy", "*", "--max-time", "60", "-w", "%{http_code}", "-o", "/dev/null",
                 *[word for header in headers for word in ("-H", header)], "-T", large, *arguments],
                capture_output=True, text=True)
            want((done.returncode, done.stdout) == (0, str(status)), f"{status} with {headers}: {done}")
    return f"{len(cases) * 4} uploads of 46 MiB get their response"
