"""supabase's query builder against `/rest/v1/highlights`: what the app asks for, and what may not be wrong."""

import uuid

from .backend import WHOLE, moment, rally, refused, want

NAMES = "Dig", "Set", "Spike, (hard)", 'Q"uote', "50% üben", "back\\slash", "under_score"


class Court:
    """Somebody with highlights that differ in everything that can be asked for."""

    def __init__(self, place):
        (self.person,) = place.people("gil")
        self.table = self.person.table
        self.rows = []
        for number, name in enumerate(NAMES):
            self.rows.append(self.person.share(
                caption=None if number == 1 else f"{name} in set {number}", tags=[f"t{number}", "all", name.lower()],
                location_name="Halle Süd" if number % 2 else None, hide_likes=number % 3 == 0,
                rally_metadata={"duration": 3.5 + number, "confidence": number / 10, "quality": 0.5,
                                "detection_count": number}))

    def ask(self, columns="id"):
        return self.table("highlights").select(columns).eq("author_id", self.person.id)

    def want_only(self, query, keep, what):
        """The query gives the rows that `keep` keeps, by Python's own judgement."""
        found = {row["id"] for row in query.execute().data}
        expected = {row["id"] for row in self.rows if keep(row)}
        want(found == expected, f"{what}: {len(found)} rows, {len(found & expected)} of {len(expected)} expected ones")


def court(place):
    return place.keep("court", lambda: Court(place))


def check_insert(place):
    (person,) = place.people("hal")
    given = rally(person.id, id=str(uuid.uuid4()), caption='Ünï \U0001F3D0 "q" \\ \n', local_video_id=None,
                  video_urls=["https://example.org/a.mp4", "https://example.org/b.mp4"])
    row = person.table("highlights").insert(given).execute().data[0]
    for name, value in given.items():
        want(row[name] == value, f"{name} was {value!r} and became {row[name]!r}")
    # Told by the metadata or by a default.
    expected = {"duration": 7.25, "confidence": 0.75, "quality": 0.5, "detection_count": 12, "likes_count": 0,
                "comments_count": 0, "privacy_level": "public", "hide_likes": False, "mux_asset_id": None,
                "thumbnail_url": None, "latitude": None, "local_rally_index": None}
    for name, value in expected.items():
        want(name in row and row[name] == value, f"{name} became {row.get(name, 'nothing')!r}, not {value!r}")
    moment(row["created_at"])
    whole = person.table("highlights").insert(rally(person.id)).select(WHOLE).execute().data[0]
    want(whole["author"]["id"] == person.id and whole["poll"] is None, f"embedded after an insert: {whole}")
    quiet = person.table("highlights").insert(rally(person.id), returning="minimal").execute().data
    want(quiet == [], f"return=minimal answered {quiet}")
    several = person.table("highlights").insert([rally(person.id), rally(person.id, caption=None)]).execute().data
    want(len(several) == 2 and several[1]["caption"] is None, f"two rows became {several}")
    # All or nothing.
    before = len(person.ids(author_id=person.id))
    halves = [rally(person.id, privacy_level=level) for level in ("public", "x")]
    refused(lambda: person.table("highlights").insert(halves).execute(), "23514", "highlights_privacy_level_check")
    want(len(person.ids(author_id=person.id)) == before == 5, "half of a refused insert is there")
    gone = person.table("highlights").delete().eq("id", row["id"]).execute().data
    want([line["id"] for line in gone] == [row["id"]], f"deleting gave {gone}")
    profile = person.table("profiles").select("highlights_count").eq("id", person.id).single().execute().data
    want(profile["highlights_count"] == 4, f"4 highlights are counted as {profile}")
    return "defaults, returned rows, embedding, several at once, all or nothing, the counter"


def check_feed(place):
    here = court(place)
    query = here.ask(WHOLE).order("created_at", desc=True)
    pages = [query.range(0, 2), here.ask(WHOLE).order("created_at", desc=True).range(3, 5),
             here.ask(WHOLE).order("created_at", desc=True).limit(3).offset(6)]
    rows = [row for page in pages for row in page.execute().data]
    want([row["id"] for row in rows] == [row["id"] for row in reversed(here.rows)], "the pages are not the list")
    for row in rows:
        want(row["author"]["id"] == here.person.id and row["author"]["username"], f"the author is {row['author']}")
        want(row["poll"] is None, f"the poll is {row['poll']}")
    following = here.table("highlights").select(WHOLE).in_("author_id", [here.person.id, str(uuid.uuid4())])
    want(len(following.order("created_at", desc=True).range(0, 19).execute().data) == len(NAMES), "following feed")
    empty = here.table("highlights").select("id").in_("author_id", []).execute().data
    want(empty == [], f"in an empty list: {empty}")
    few = here.ask("id,caption,author:profiles(id,username)").limit(1).execute().data[0]
    want(set(few) == {"id", "caption", "author"} and set(few["author"]) == {"id", "username"}, f"chosen columns: {few}")
    return f"{len(rows)} rows in three pages, whole"


def check_one(place):
    here = court(place)
    wanted = here.rows[2]["id"]
    one = here.table("highlights").select(WHOLE).eq("id", wanted).single().execute().data
    want(one["id"] == wanted and one["author"]["id"] == here.person.id, f"single is {one}")
    maybe = here.table("highlights").select(WHOLE).eq("id", wanted).maybe_single().execute()
    want(maybe.data["id"] == wanted, f"maybe_single is {maybe.data}")
    none = here.table("highlights").select("*").eq("id", str(uuid.uuid4()))
    want(none.maybe_single().execute() is None, "maybe_single of none is something")
    refused(lambda: none.single().execute(), "PGRST116", "0 rows")
    refused(lambda: here.ask("*").single().execute(), "PGRST116")
    return "exactly one, perhaps one, and neither"


def check_search(place):
    here = court(place)
    for needle, expected in ("spike", {2}), ("set", {0, 2, 3, 4, 5, 6}), ("üben", {4}), ("nothing", set()):
        clean = needle
        text = f"caption.ilike.%{clean}%,tags.cs.{{{clean}}},location_name.ilike.%{clean}%"
        found = {row["id"] for row in here.ask().or_(text).execute().data}
        # The caption of one is null, and its tag is the word.
        want(found == {here.rows[number]["id"] for number in expected | ({1} if needle == "set" else set())},
             f"searching {needle!r} gave {len(found)} rows")
    halls = here.ask().or_("location_name.ilike.%süd%,caption.eq.x")
    here.want_only(halls, lambda row: row["location_name"], "a place in other letters")
    quoted = here.ask().or_('caption.ilike."%Spike, (hard)%",caption.ilike."%Q\\"uote%"')
    here.want_only(quoted, lambda row: row["caption"] and ("hard" in row["caption"] or "uote" in row["caption"]),
                   "quoted texts")
    nested = here.ask().or_("and(duration.gte.5,duration.lt.7),not.and(duration.lte.8,hide_likes.is.false)")
    here.want_only(nested, lambda row: 5 <= row["duration"] < 7 or not (row["duration"] <= 8 and not row["hide_likes"]),
                   "and within or")
    refused(lambda: here.ask().or_("caption.ilike.%a,b)%").execute(), "PGRST100")
    return "words in captions, tags and places; quotes, nesting; half a list is refused"


def check_filters(place):
    here = court(place)
    two = [here.rows[0]["id"], here.rows[5]["id"]]
    cases = {
        "in_": (lambda ask: ask.in_("id", two), lambda row: row["id"] in two),
        "not in": (lambda ask: ask.not_.in_("id", two), lambda row: row["id"] not in two),
        "in_ quoted": (lambda ask: ask.in_("caption", ["Spike, (hard) in set 2", 'Q"uote in set 3',
                                                       "back\\slash in set 5"]),
                       lambda row: row["caption"] and row["caption"][-1] in "235"),
        "contains": (lambda ask: ask.contains("tags", ["all", "t4"]), lambda row: "t4" in row["tags"]),
        "contains odd": (lambda ask: ask.contains("tags", ["spike, (hard)"]), lambda row: "t2" in row["tags"]),
        "contains quote": (lambda ask: ask.contains("tags", ['q"uote']), lambda row: "t3" in row["tags"]),
        "contains slash": (lambda ask: ask.contains("tags", ["back\\slash"]), lambda row: "t5" in row["tags"]),
        "overlaps": (lambda ask: ask.overlaps("tags", ["t1", "t6", "x"]), lambda row: {"t1", "t6"} & set(row["tags"])),
        "contained by": (lambda ask: ask.contained_by("tags", ["all", "t0", "dig", "t1"]),
                         lambda row: "t0" in row["tags"]),
        "neq": (lambda ask: ask.neq("caption", "Dig in set 0"),
                lambda row: row["caption"] not in (None, "Dig in set 0")),
        "range": (lambda ask: ask.gt("duration", 3.5).lte("duration", 6.5), lambda row: 3.5 < row["duration"] <= 6.5),
        "is null": (lambda ask: ask.is_("caption", None), lambda row: row["caption"] is None),
        "not null": (lambda ask: ask.not_.is_("caption", "null"), lambda row: row["caption"] is not None),
        "boolean": (lambda ask: ask.eq("hide_likes", True), lambda row: row["hide_likes"]),
        "is true": (lambda ask: ask.is_("hide_likes", True), lambda row: row["hide_likes"]),
        "like": (lambda ask: ask.like("caption", "%in set%"), lambda row: row["caption"] is not None),
        "like letters": (lambda ask: ask.like("caption", "%SET%"), lambda row: False),
        "ilike": (lambda ask: ask.ilike("caption", "%SET 4"), lambda row: row["caption"] and row["caption"][-1] == "4"),
        "like one": (lambda ask: ask.like("caption", "_ig%"),
                     lambda row: row["caption"] and row["caption"][1:3] == "ig"),
        "like escaped": (lambda ask: ask.like("caption", "%r\\_s%"), lambda row: "t6" in row["tags"]),
        "like percent": (lambda ask: ask.like("caption", "50\\%%"), lambda row: "t4" in row["tags"]),
        "twice": (lambda ask: ask.neq("id", two[0]).neq("id", two[1]), lambda row: row["id"] not in two),
        "time": (lambda ask: ask.gt("created_at", here.rows[3]["created_at"]), lambda row: row["tags"][0] > "t3"),
    }
    for name, (narrow, keep) in cases.items():
        here.want_only(narrow(here.ask()), keep, name)
    return f"{len(cases)} kinds of filters, each as Python judges it"


def check_order(place):
    here = court(place)
    want([row["tags"][0] for row in here.ask("tags").order("duration").execute().data]
         == [f"t{number}" for number in range(len(NAMES))], "by duration")
    names = [row["location_name"] for row in here.ask("location_name").order("location_name", nullsfirst=True)
             .order("id").execute().data]
    want(names == sorted(names, key=lambda name: name is not None), f"nulls first: {names}")
    # PostgreSQL: nulls are larger than all.
    names = [row["caption"] for row in here.ask("caption").order("caption").execute().data]
    want(names[-1] is None and None not in names[:-1], f"nulls of an ascending order: {names}")
    names = [row["caption"] for row in here.ask("caption").order("caption", desc=True).execute().data]
    want(names[0] is None, f"nulls of a descending order: {names}")
    two = here.ask("hide_likes,duration").order("hide_likes", desc=True).order("duration", desc=True).execute().data
    want(two == sorted(two, key=lambda row: (not row["hide_likes"], -row["duration"])), f"by two columns: {two}")
    return "one and two columns, nulls where PostgreSQL has them"


def check_count(place):
    here = court(place)
    page = here.table("highlights").select("id", count="exact").eq("author_id", here.person.id).limit(2).execute()
    want(page.count == len(NAMES) and len(page.data) == 2, f"{page.count} counted, {len(page.data)} given")
    head = here.table("highlights").select("*", count="exact", head=True).eq("author_id", here.person.id).execute()
    want(head.count == len(NAMES) and head.data == [], f"HEAD: {head.count} counted, {head.data}")
    none = here.table("highlights").select("id", count="exact").eq("author_id", str(uuid.uuid4())).execute()
    want(none.count == 0 and none.data == [], f"of none: {none.count}")
    past = here.table("highlights").select("id", count="exact").eq("author_id", here.person.id).range(100, 119)
    refused(past.execute, "PGRST103")
    quiet = here.ask().range(100, 119).execute()
    want(quiet.data == [] and quiet.count is None, f"past the end without a count: {quiet}")
    return "exact, by HEAD, of none; past the end is refused"


def check_single_writes(place):
    """`single()` behind a write: of three rows none is changed."""
    (person,) = place.people("ivo")
    rows = [person.share() for _ in range(3)]
    table = person.client.table("highlights")
    headers = {"Accept": "application/vnd.pgrst.object+json"}
    for returning in "minimal", "representation":
        for ask in (lambda: table.delete(returning=returning), lambda: table.update({"caption": "x"}, returning=returning)):
            query = ask().eq("author_id", person.id)
            query.request.headers.update(headers)
            refused(query.execute, "PGRST116", "3 rows")
        likes = [{"highlight_id": row["id"], "user_id": person.id} for row in rows]
        query = person.client.table("likes").insert(likes, returning=returning)
        query.request.headers.update(headers)
        refused(query.execute, "PGRST116", "3 rows")
    want(len(person.ids(author_id=person.id)) == 3, "some were deleted")
    want(person.client.table("likes").select("id").execute().data == [], "some were inserted")
    want(table.select("id").eq("caption", "x").eq("author_id", person.id).execute().data == [], "some were changed")
    return "delete, update and insert of three rows change nothing"


def check_shapes(place):
    (person,) = place.people("jan")
    row, other = person.share(), person.share()
    key = {"Authorization": f"Bearer {person.token}", "Content-Type": "application/json"}
    like = {"highlight_id": row["id"], "user_id": person.id}
    made = place.backend.raw("POST", "/rest/v1/likes", json=like, headers=key | {"Prefer": "return=headers-only"})
    found = place.backend.raw("GET", f"/rest/v1{made.headers['Location']}", headers=key).json()
    want(made.status_code == 201 and len(found) == 1, f"headers-only: {made.headers.get('Location')}, {found}")
    counted = person.table("highlights").select("id,likes(count),comments(count)").eq("id", row["id"]).execute().data
    want(counted == [{"id": row["id"], "likes": [{"count": 1}], "comments": [{"count": 0}]}], f"counted: {counted}")
    want(person.table("highlights").update({}).eq("id", row["id"]).execute().data == [], "an update of nothing")
    changed = place.backend.raw("PATCH", f"/rest/v1/highlights?id=in.({row['id']},{other['id']})",
                                json={"caption": "y"}, headers=key | {"Prefer": "count=exact"})
    want(changed.headers["Content-Range"] == "0-1/2", f"PATCH: {changed.headers['Content-Range']}")
    past = place.backend.raw("GET", f"/rest/v1/highlights?author_id=eq.{person.id}&offset=9",
                             headers=key | {"Prefer": "count=exact"})
    want(past.status_code == 416 and past.headers["Content-Range"] == "*/2", f"past the end: {past.headers}")
    refused(person.table("highlights").select("id").limit(-1).execute, "PGRST103", "zero")
    error = refused(person.table("follows").select("profiles(id)").execute, "PGRST201")
    want(isinstance(error.details, list) and len(error.details) == 2, f"the candidates are {error.details}")
    for path in "/auth/v1/none", "/storage/v1/bucket", "/functions/v1/none", "/rest/v1/a/b":
        answer = place.backend.raw("GET", path, headers=key)
        want(answer.status_code == 404 and isinstance(answer.json(), dict), f"{path}: {answer.text[:100]}")
    return "headers, counts, ranges, candidates, unknown paths"


CHECKS = {
    "rest single writes": check_single_writes, "rest shapes": check_shapes, "rest insert": check_insert, "rest feed": check_feed, "rest one": check_one, "rest search": check_search,
    "rest filters": check_filters, "rest order": check_order, "rest count": check_count,
}
