"""Errors as supabase's library tells them, functions, and what PostgREST has and the local backend may lack."""

import uuid

from postgrest.exceptions import APIError

from .backend import WHOLE, moment, rally, refused, want
from .rest import NAMES, court


def check_errors(place):
    (ann,) = place.people("ann")
    nobody = place.backend.client()
    want(refused(lambda: ann.table("highlights").select("*").eq("id", "no-uuid").execute(), "22P02").message.startswith(
        "invalid input syntax for type uuid"), "a bad uuid has other words")
    refused(lambda: ann.table("highlights").select("*").gt("duration", "long").execute(), "22P02")
    refused(lambda: ann.table("hilights").select("*").execute(), ("PGRST205", "42P01"), "hilights")
    refused(lambda: ann.rpc("no_such_function", {}).execute(), ("PGRST202", "42883"), "no_such_function")
    refused(lambda: ann.rpc("highlights_with_tag", {"tagg": "x"}).execute(), "PGRST202")
    refused(lambda: ann.table("highlights").select("secret").execute(), "42703", "secret")
    refused(lambda: ann.table("highlights").select("id").eq("secret", 1).execute(), "42703")
    refused(lambda: ann.table("highlights").select("id").order("secret").execute(), "42703")
    refused(lambda: ann.table("highlights").select("id,teams(*)").execute(), "PGRST200")
    refused(lambda: ann.client.schema("private").table("shares").select("*").execute(), "PGRST106", "public")
    refused(lambda: ann.table("highlights").select("id").filter("duration", "almost", "3").execute(), "PGRST100")
    refused(lambda: ann.table("highlights").select("id,(").execute(), "PGRST100")
    refused(lambda: ann.table("highlights").insert(rally(ann.id) | {"mood": "x"}).execute(), "PGRST204", "mood")
    refused(lambda: ann.table("highlights").insert(rally(ann.id, duration=61)).execute(), "23514", "highlights_")
    refused(lambda: ann.table("highlights").insert(rally(ann.id, mux_asset_id="A1")).execute(), "42501")
    refused(lambda: ann.table("highlights").insert(rally(str(uuid.uuid4()))).execute(), "42501", "row-level security")
    refused(lambda: ann.table("highlights").update({"duration": 5}).eq("author_id", ann.id).execute(), "42501")
    refused(lambda: ann.table("uploads").delete().eq("author_id", ann.id).execute(), "42501")
    refused(lambda: nobody.table("highlights").insert(rally(ann.id)).execute(), "42501", "permission denied")
    refused(lambda: nobody.table("user_blocks").select("*").execute(), "42501")
    refused(lambda: nobody.rpc("share_allowance", {}).execute(), "42501")
    # What the library does not tell: the statuses.
    for person, status in ({"Authorization": f"Bearer {ann.token}"}, 403), ({}, 401):
        answer = place.backend.raw("POST", "/rest/v1/highlights", json=rally(str(uuid.uuid4())),
                                   headers={"apikey": place.backend.keys["publishable_key"]} | person)
        want(answer.status_code == status, f"42501 is {answer.status_code} instead of {status}")
        want(set(answer.json()) == {"code", "message", "details", "hint"}, f"the error is {answer.text}")
    for content in b"{", b"", b"[1]", b"\xff{}", b'[{"user_id":null},{"highlight_id":null}]':
        answer = place.backend.raw("POST", "/rest/v1/likes", content=content,
                                   headers={"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"})
        want(answer.status_code == 400 and answer.json()["code"] == "PGRST102", f"{content}: {answer.text}")
    return "codes, words and statuses as PostgREST's"


def check_functions(place):
    ann, ben = place.people("ann", "ben")
    allowance = ann.rpc("share_allowance").execute().data
    want({"max_count": 20, "window_seconds": 3600, "used": 0, "pending": 0, "remaining": 20, "next_at": None}
         == allowance, f"before sharing: {allowance}")
    tag = f"t{uuid.uuid4().hex}"
    rows = [ann.share(tags=[tag])["id"] for _ in range(3)]
    allowance = ann.rpc("share_allowance", {}).execute().data
    want((allowance["used"], allowance["remaining"]) == (3, 17), f"after sharing three: {allowance}")
    moment(allowance["next_at"])
    want(ben.rpc("share_allowance", {}).execute().data["used"] == 0, "another's allowance")
    tagged = ben.rpc("highlights_with_tag", {"tag": tag.upper(), "max_rows": 2}).execute().data
    want([row["id"] for row in tagged] == rows[:0:-1], f"the newest two with a tag: {tagged}")
    older = ben.rpc("highlights_with_tag", {"tag": tag, "before": tagged[-1]["created_at"]}).execute().data
    want([row["id"] for row in older] == rows[:1], "the page after it")
    found = ben.rpc("highlights_with_tag", {"tag": tag, "max_rows": 5}, get=True).execute().data
    want(len(found) == 3, f"by GET: {len(found)}")
    feed = ben.rpc("feed", {}).select(WHOLE).in_("author_id", [ann.id]).order("created_at", desc=True).limit(2)
    found = feed.execute().data
    want([row["id"] for row in found] == rows[:0:-1] and found[0]["author"]["id"] == ann.id, f"the feed: {found}")
    ben.table("likes").insert({"highlight_id": rows[0], "user_id": ben.id}).execute()
    best = [row["id"] for row in ben.rpc("discover_highlights", {"max_rows": 100}).execute().data if row["id"] in rows]
    want(best[:1] == rows[:1], "what is liked does not come first")
    for _ in range(18):
        ann.share()
    flags = ann.table("account_flags").select("*").execute().data
    want(len(flags) == 1 and flags[0]["reason"] == "shared_rallies" and flags[0]["observed_count"] == 21, f"{flags}")
    limits = place.backend.client().table("rate_limits").select("*").execute().data
    want(limits == [{"name": "shared_rallies", "max_count": 20, "window_seconds": 3600}], f"limits: {limits}")
    return "the allowance, feeds with embedding, tags in pages, the flag after twenty"


def check_unknown(place):
    """What PostgREST has and the local backend may lack: the right answer, or a clear refusal."""
    here = court(place)
    served = []

    def right_or_refused(name, action, is_right):
        try:
            answer = action()
        except APIError as error:
            want(error.code.startswith("PGRST"), f"{name} ends with {error.code}: {error.message}")
            return
        want(is_right(answer), f"{name} is answered wrongly: {getattr(answer, 'data', answer)!r:.300}")
        served.append(name)

    count = len(NAMES)
    right_or_refused("csv", lambda: here.ask("id,duration").csv().execute(),
                     lambda got: isinstance(got.data, str) and len(got.data.strip().splitlines()) == count + 1)
    right_or_refused("explain", lambda: here.ask().explain().execute(), lambda got: "cost" in got)
    right_or_refused("strip nulls", lambda: here.ask("id,caption").strip_nulls().execute(),
                     lambda got: sum("caption" in row for row in got.data) == count - 1)
    right_or_refused("json arrow", lambda: here.ask("id,rally_metadata->duration").execute(),
                     lambda got: {row["duration"] for row in got.data} == {3.5 + n for n in range(count)})
    right_or_refused("json filter", lambda: here.ask().gt("rally_metadata->detection_count", 3).execute(),
                     lambda got: len(got.data) == 3)
    right_or_refused("json contains", lambda: here.ask().contains("rally_metadata", {"detection_count": 3}).execute(),
                     lambda got: len(got.data) == 1)
    right_or_refused("full text", lambda: here.ask().text_search("caption", "dig").execute(),
                     lambda got: len(got.data) == 1)
    right_or_refused("any of", lambda: here.ask().like_any_of("caption", "Dig%,Set%").execute(),
                     lambda got: len(got.data) == 1)
    right_or_refused("match", lambda: here.ask().filter("caption", "match", "^Dig").execute(),
                     lambda got: len(got.data) == 1)
    right_or_refused("inner", lambda: here.table("highlights").select("id,author:profiles!inner(username)")
                     .eq("author.id", here.person.id).execute(), lambda got: len(got.data) == count)
    right_or_refused("embedded filter", lambda: here.ask("id,author:profiles(username)")
                     .eq("author.username", "nobody-has-it").execute(),
                     lambda got: len(got.data) == count and all(row["author"] is None for row in got.data))
    right_or_refused("embedded order", lambda: here.ask("id,comments(text)")
                     .order("created_at", desc=True, foreign_table="comments").limit(3, foreign_table="comments")
                     .execute(), lambda got: len(got.data) == count and got.data[0]["comments"] == [])
    right_or_refused("alias and cast", lambda: here.ask("id,length:duration::text").execute(),
                     lambda got: {row["length"] for row in got.data} >= {"3.5"})
    right_or_refused("aggregate", lambda: here.ask("duration.sum()").execute(), lambda got: False)
    right_or_refused("spread", lambda: here.ask("id,...profiles(username)").execute(),
                     lambda got: all(row["username"] for row in got.data))
    right_or_refused("planned count", lambda: here.table("highlights").select("id", count="planned").execute(),
                     lambda got: got.count is not None)
    # A write that asks for a limit must not go beyond it.
    right_or_refused("max affected", lambda: here.table("highlights").update({"caption": "all"})
                     .eq("author_id", here.person.id).max_affected(1).execute(), lambda got: False)
    want(here.ask().eq("caption", "all").execute().data == [], "max-affected=1 changed more rows")
    return f"served: {', '.join(served) or 'nothing'}; the rest is refused clearly"


CHECKS = {"rest errors": check_errors, "rest functions": check_functions, "rest unknown": check_unknown}
