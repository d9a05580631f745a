"""supabase's query builder with `/rest/v1`: the app's queries, checked against Python's own filters and sorting."""

import uuid

from backend import rally, want
from postgrest.exceptions import APIError

from .people import WHOLE, Person, client, rejected, want_time

NAMES = "Dig", "Set", "Spike, (hard)", 'Q"uote', "50% üben", "back\\slash", "under_score"


class Court:
    """An account whose highlights differ in every column that the app filters by."""

    def __init__(self, place):
        self.person = Person(place.server, "gil")
        self.table = self.person.table
        self.rows = [self.person.share(
            caption=None if number == 1 else f"{name} in set {number}", tags=[f"t{number}", "all", name.lower()],
            location_name="Halle Süd" if number % 2 else None, hide_likes=number % 3 == 0,
            rally_metadata={"duration": 3.5 + number, "confidence": number / 10, "quality": 0.5,
                            "detection_count": number})
            for number, name in enumerate(NAMES)]

    def ask(self, columns="id"):
        return self.table("highlights").select(columns).eq("author_id", self.person.id)

    def want_only(self, query, keep, what):
        found, expected = {row["id"] for row in query.execute().data}, {row["id"] for row in self.rows if keep(row)}
        want(found == expected, f"{what}: {len(found)} rows, {len(found & expected)} of {len(expected)} expected ones")


def court(place):
    return place.keep("court", lambda: Court(place))


def check_insert(place):
    person = Person(place.server, "hal")
    given = rally(person.id, id=str(uuid.uuid4()), caption='Ünï \U0001F3D0 "q" \\ \n', local_video_id=None)
    row = person.table("highlights").insert(given).execute().data[0]
    expected = given | {"duration": 7.25, "detection_count": 12, "likes_count": 0, "privacy_level": "public",
                        "hide_likes": False, "mux_asset_id": None, "latitude": None}
    want(expected.items() <= row.items(), f"the row is {row}")
    want_time(row["created_at"])
    whole = person.table("highlights").insert(rally(person.id)).select(WHOLE).execute().data[0]
    want(whole["author"]["id"] == person.id and whole["poll"] is None, f"embedded after an insert: {whole}")
    want(person.table("highlights").insert(rally(person.id), returning="minimal").execute().data == [],
         "return=minimal")
    rows = [rally(person.id, privacy_level=level) for level in ("public", "x")]
    rejected(person.table("highlights").insert(rows), "23514", word="highlights_privacy_level_check")
    mine = person.table("highlights").select("id").eq("author_id", person.id)
    want(len(mine.execute().data) == 3, "half of a rejected insert is stored")
    # `single()` after a write: several rows change nothing.
    for query in person.table("highlights").delete(), person.table("highlights").update({"caption": "x"}):
        query = query.eq("author_id", person.id)
        query.request.headers["Accept"] = "application/vnd.pgrst.object+json"
        rejected(query, "PGRST116", word="3 rows")
    want(len(mine.neq("caption", "x").execute().data) == 3, "a rejected write changed rows")
    gone = person.table("highlights").delete().eq("id", row["id"]).execute().data
    want([line["id"] for line in gone] == [row["id"]], f"deleting returned {gone}")
    return "defaults, returned and embedded rows, all or nothing"


def check_feed(place):
    here = court(place)
    pages = [here.ask(WHOLE).order("created_at", desc=True).range(0, 2),
             here.ask(WHOLE).order("created_at", desc=True).range(3, 5),
             here.ask(WHOLE).order("created_at", desc=True).limit(3).offset(6)]
    rows = [row for page in pages for row in page.execute().data]
    want([row["id"] for row in rows] == [row["id"] for row in reversed(here.rows)], "the pages differ from the list")
    want(all(row["author"]["id"] == here.person.id and row["poll"] is None for row in rows), f"embedded: {rows[0]}")
    one = here.table("highlights").select(WHOLE).eq("id", here.rows[2]["id"]).single().execute().data
    want(one["id"] == here.rows[2]["id"], f"single is {one}")
    missing = here.table("highlights").select("*").eq("id", str(uuid.uuid4()))
    want(missing.maybe_single().execute() is None, "maybe_single of a missing row")
    rejected(missing.single(), "PGRST116", word="0 rows")
    feed = here.person.rpc("feed", {}).select(WHOLE).in_("author_id", [here.person.id]).order("created_at", desc=True)
    want([row["id"] for row in feed.limit(2).execute().data] == [row["id"] for row in here.rows[:-3:-1]], "the feed")
    tagged = here.person.rpc("highlights_with_tag", {"tag": "ALL", "max_rows": 2}, get=True).execute().data
    want([row["id"] for row in tagged] == [row["id"] for row in here.rows[:-3:-1]], f"by a tag: {tagged}")
    allowance = here.person.rpc("share_allowance").execute().data
    want((allowance["used"], allowance["remaining"]) == (len(NAMES), 20 - len(NAMES)), f"the allowance is {allowance}")
    return f"{len(rows)} rows in three pages, single rows, functions"


FILTERS = {
    "in_": (lambda ask, rows: ask.in_("id", [rows[0]["id"], rows[5]["id"]]),
            lambda row: row["tags"][0] in ("t0", "t5")),
    "in_ quoted": (lambda ask, _: ask.in_("caption", ["Spike, (hard) in set 2", 'Q"uote in set 3']),
                   lambda row: row["tags"][0] in ("t2", "t3")),
    "contains": (lambda ask, _: ask.contains("tags", ["all", "t4"]), lambda row: "t4" in row["tags"]),
    "contains odd": (lambda ask, _: ask.contains("tags", ["spike, (hard)"]), lambda row: "t2" in row["tags"]),
    "contains quote": (lambda ask, _: ask.contains("tags", ['q"uote']), lambda row: "t3" in row["tags"]),
    "overlaps": (lambda ask, _: ask.overlaps("tags", ["t1", "t6", "x"]), lambda row: {"t1", "t6"} & set(row["tags"])),
    "contained by": (lambda ask, _: ask.contained_by("tags", ["all", "t0", "dig", "x"]),
                     lambda row: "t0" in row["tags"]),
    "neq": (lambda ask, _: ask.neq("caption", "Dig in set 0"), lambda row: row["tags"][0] not in ("t0", "t1")),
    "range": (lambda ask, _: ask.gt("duration", 3.5).lte("duration", 6.5), lambda row: 3.5 < row["duration"] <= 6.5),
    "is null": (lambda ask, _: ask.is_("caption", None), lambda row: row["caption"] is None),
    "not null": (lambda ask, _: ask.not_.is_("caption", "null"), lambda row: row["caption"] is not None),
    "is true": (lambda ask, _: ask.is_("hide_likes", True), lambda row: row["hide_likes"]),
    "like letters": (lambda ask, _: ask.like("caption", "%SET%"), lambda row: False),
    "ilike": (lambda ask, _: ask.ilike("caption", "%SET 4"), lambda row: "t4" in row["tags"]),
    "like one": (lambda ask, _: ask.like("caption", "_ig%"), lambda row: "t0" in row["tags"]),
    "like escaped": (lambda ask, _: ask.like("caption", "%r\\_s%"), lambda row: "t6" in row["tags"]),
    "like percent": (lambda ask, _: ask.like("caption", "50\\%%"), lambda row: "t4" in row["tags"]),
    "time": (lambda ask, rows: ask.gt("created_at", rows[3]["created_at"]), lambda row: row["tags"][0] > "t3"),
    "or": (lambda ask, _: ask.or_("caption.ilike.%spike%,tags.cs.{dig},location_name.ilike.%süd%"),
           lambda row: row["location_name"] or {"t0", "t2"} & set(row["tags"])),
    "or quoted": (lambda ask, _: ask.or_('caption.ilike."%Spike, (hard)%",caption.ilike."%Q\\"uote%"'),
                  lambda row: {"t2", "t3"} & set(row["tags"])),
    "nested": (lambda ask, _: ask.or_("and(duration.gte.5,duration.lt.7),not.and(duration.lte.8,hide_likes.is.false)"),
               lambda row: 5 <= row["duration"] < 7 or row["duration"] > 8 or row["hide_likes"]),
}


def check_filters(place):
    here = court(place)
    for name, (narrow, keep) in FILTERS.items():
        here.want_only(narrow(here.ask(), here.rows), keep, name)
    return f"{len(FILTERS)} kinds of filters"


def check_order(place):
    here = court(place)
    tags = [row["tags"][0] for row in here.ask("tags").order("duration").execute().data]
    want(tags == [f"t{number}" for number in range(len(NAMES))], f"by duration: {tags}")
    # PostgreSQL sorts nulls as larger than all values.
    for options, place_of_null in ({}, -1), ({"desc": True}, 0), ({"nullsfirst": True}, 0):
        names = [row["caption"] for row in here.ask("caption").order("caption", **options).execute().data]
        want(names[place_of_null] is None and names.count(None) == 1, f"{options}: {names}")
    two = here.ask("hide_likes,duration").order("hide_likes", desc=True).order("duration", desc=True).execute().data
    want(two == sorted(two, key=lambda row: (not row["hide_likes"], -row["duration"])), f"by two columns: {two}")
    page = here.table("highlights").select("id", count="exact").eq("author_id", here.person.id)
    found = page.limit(2).execute()
    want((found.count, len(found.data)) == (len(NAMES), 2), f"{found.count} counted, {len(found.data)} returned")
    head = here.table("highlights").select("*", count="exact", head=True).eq("author_id", here.person.id).execute()
    want((head.count, head.data) == (len(NAMES), []), f"HEAD: {head}")
    rejected(here.table("highlights").select("id", count="exact").eq("author_id", here.person.id).range(100, 119),
             "PGRST103")
    want(here.ask().range(100, 119).execute().data == [], "past the end without a count")
    return "one and two columns, nulls as in PostgreSQL, exact counts"


def check_errors(place):
    ann, guest = Person(place.server), client(place.server)
    table, rows = ann.table("highlights"), rally(ann.id)
    for code, query, word in (
            ("22P02", table.select("*").eq("id", "x"), "invalid input syntax for type uuid"),
            ("PGRST205", ann.table("hilights").select("*"), "hilights"),
            ("PGRST202", ann.rpc("missing", {}), "missing"), ("42703", table.select("secret"), "secret"),
            ("42703", table.select("id").eq("secret", 1), ""), ("PGRST200", table.select("id,teams(*)"), ""),
            ("PGRST106", ann.client.schema("private").table("shares").select("*"), "public"),
            ("PGRST100", table.select("id").filter("duration", "almost", "3"), ""),
            ("PGRST100", table.select("id,("), ""),
            ("PGRST100", table.select("id").or_("caption.ilike.%a,b)%"), ""),
            ("PGRST204", table.insert(rows | {"mood": "x"}), "mood"),
            ("23514", table.insert(rows | {"duration": 61}), "highlights_"),
            ("42501", table.insert(rows | {"author_id": str(uuid.uuid4())}), "row-level security"),
            ("42501", guest.table("highlights").insert(rows), "permission denied"),
            ("42501", guest.table("user_blocks").select("*"), ""), ("PGRST103", table.select("id").limit(-1), "zero"),
            ("PGRST201", ann.table("follows").select("profiles(id)"), "")):
        rejected(query, code, word=word)
    for content in b"{", b"", b"[1]", b"\xff{}":
        answer = ann.ask("POST", "/rest/v1/likes", content, Content_Type="application/json")
        want(answer.status_code == 400 and answer.json()["code"] == "PGRST102", f"{content}: {answer.text}")
    return "PostgREST's codes and messages"


def check_unsupported(place):
    """PostgREST features that the local backend may lack: a correct response, or a clear error."""
    here, served, count = court(place), [], len(NAMES)
    cases = {
        "csv": (here.ask("id,duration").csv(), lambda got: len(got.data.strip().splitlines()) == count + 1),
        "json arrow": (here.ask("id,rally_metadata->duration"),
                       lambda got: {row["duration"] for row in got.data} == {3.5 + number for number in range(count)}),
        "json filter": (here.ask().gt("rally_metadata->detection_count", 3), lambda got: len(got.data) == 3),
        "full text": (here.ask().text_search("caption", "dig"), lambda got: len(got.data) == 1),
        "match": (here.ask().filter("caption", "match", "^Dig"), lambda got: len(got.data) == 1),
        "inner": (here.table("highlights").select("id,author:profiles!inner(username)").eq("author.id", here.person.id),
                  lambda got: len(got.data) == count),
        "embedded filter": (here.ask("id,author:profiles(username)").eq("author.username", "missing"),
                            lambda got: len(got.data) == count and all(row["author"] is None for row in got.data)),
        "cast": (here.ask("id,length:duration::text"), lambda got: {row["length"] for row in got.data} >= {"3.5"}),
        "aggregate": (here.ask("duration.sum()"), lambda got: False),
        "spread": (here.ask("id,...profiles(username)"), lambda got: all(row["username"] for row in got.data)),
        "max affected": (here.table("highlights").update({"caption": "all"}).eq("author_id", here.person.id)
                         .max_affected(1), lambda got: False),
    }
    for name, (query, is_right) in cases.items():
        try:
            answer = query.execute()
            want(is_right(answer), f"{name} returns {answer.data!r:.300}")
            served.append(name)
        except APIError as error:
            want(error.code.startswith("PGRST"), f"{name} ends with {error.code}: {error.message}")
    want(here.ask().eq("caption", "all").execute().data == [], "max-affected=1 changed more rows")
    return f"supported: {', '.join(served) or 'none'}; the others are rejected clearly"


def check_social(place):
    """The other tables, as the app uses them through the library."""
    ann, ben = Person(place.server), Person(place.server, "ben")
    row = ann.share()["id"]
    like = {"highlight_id": row, "user_id": ben.id}
    ben.table("likes").insert(like).execute()
    again = ben.table("likes").upsert(like, on_conflict="user_id,highlight_id", ignore_duplicates=True).execute()
    want(again.data == [], f"a second like returned {again.data}")
    rejected(ben.table("likes").insert(like), "23505", word="likes_user_id_highlight_id_key")
    comment = {"highlight_id": row, "author_id": ben.id, "text": "👨‍👩‍👧‍👦" * 500}
    made = ben.table("comments").insert(comment).select("*,author:profiles(*)").execute().data[0]
    want(made["author"]["id"] == ben.id, f"the comment is {made}")
    seen = ben.table("highlights").select("likes_count,is_liked_by_me,likes(count),comments(count)").eq("id", row)
    want(seen.single().execute().data == {"likes_count": 1, "is_liked_by_me": True, "likes": [{"count": 1}],
                                          "comments": [{"count": 1}]}, "counts of likes and comments")
    ben.table("follows").insert({"follower_id": ben.id, "following_id": ann.id}).execute()
    followers = ann.table("follows").select("follower:profiles!follower_id(*)").eq("following_id",
                                                                                   ann.id).execute().data
    want([line["follower"]["id"] for line in followers] == [ben.id], f"followers: {followers}")
    name = f"Ann.{uuid.uuid4().hex[:8]}"
    changed = ann.table("profiles").update({"username": name}).eq("id", ann.id).select("id,username").execute().data
    want(changed == [{"id": ann.id, "username": name}], f"the changed profile: {changed}")
    report = {"reported_type": "highlight", "reported_id": row, "reported_user_id": ann.id, "report_type": "violence"}
    made = ben.table("content_reports").insert(report).execute().data[0]
    want((made["reporter_id"], made["status"]) == (ben.id, "pending"), f"the report is {made}")
    poll = ann.table("polls").insert({"highlight_id": row, "question": "In or out?"}).execute().data[0]["id"]
    options = ann.table("poll_options").insert(
        [{"poll_id": poll, "text": text, "sort_order": order} for order,
         text in enumerate(("In", "Out"))]).execute().data
    for option in options:
        ben.table("poll_votes").upsert({"poll_id": poll, "option_id": option["id"], "user_id": ben.id},
                                       on_conflict="poll_id,user_id").execute()
    seen = ben.table("highlights").select(WHOLE).eq("id", row).single().execute().data["poll"]
    votes = {option["text"]: option["vote_count"] for option in seen["options"]}
    want((seen["total_votes"], votes) == (1, {"In": 0, "Out": 1}), f"the poll is {seen}")
    ben.table("user_mutes").insert({"muter_id": ben.id, "muted_id": ann.id}).execute()
    want(row not in {line["id"] for line in ben.rpc("feed", {}).execute().data}, "a muted account is in the feed")
    return "likes, comments, follows, profiles, reports, polls and mutes"
