"""Who sees and writes which rows, through supabase's library: each rule with somebody for whom it opens."""

from postgrest.exceptions import APIError

from .backend import refused, want


def if_served(query):
    """The rows, or None where the local backend says clearly that it does not know the question."""
    try:
        return query.execute().data
    except APIError as error:
        want(error.code == "PGRST100", f"refused with {error.code}: {error.message}")


def sees(person, row, table="highlights"):
    """By every way there is, all of the same opinion."""
    query = person.table(table).select("id", count="exact")
    answers = {
        "list": row["id"] in person.ids(table),
        "id": bool(query.eq("id", row["id"]).execute().data),
        "count": person.table(table).select("*", count="exact", head=True).eq("id", row["id"]).execute().count == 1,
        "negation": bool(person.table(table).select("id").eq("id", row["id"]).not_.is_("id", "null").execute().data),
    }
    if table == "highlights":
        tag, author = row["tags"][0], row["author_id"]
        answers |= {
            "search": bool(person.table(table).select("id").or_(f"caption.eq.x,id.eq.{row['id']}").execute().data),
            "feed": any(line["id"] == row["id"] for line in person.rpc("feed", {}).execute().data),
            "tag": any(line["id"] == row["id"]
                       for line in person.rpc("highlights_with_tag", {"tag": tag, "max_rows": 100}).execute().data),
        }
        profiles = if_served(person.table("profiles").select("id,highlights(id)").eq("id", author))
        if profiles is not None:
            answers["author"] = any(line == {"id": row["id"]} for profile in profiles for line in profile["highlights"])
    want(len(set(answers.values())) == 1, f"a row is seen in some ways only: {answers}")
    return answers["list"]


class Anyone:
    """Nobody in particular: the publishable key alone."""

    id = None

    def __init__(self, place):
        self.client = place.backend.client()
        self.table, self.rpc = self.client.table, self.client.rpc

    def ids(self, table="highlights"):
        return {row["id"] for row in self.table(table).select("id").execute().data}


def want_seen(row, expected):
    for name, (person, is_seen) in expected.items():
        want(sees(person, row) is is_seen, f"{name} {'does not see' if is_seen else 'sees'} it")


def check_privacy(place):
    ann, ben, cat = place.people("ann", "ben", "cat")
    anyone = Anyone(place)
    ben.table("follows").insert({"follower_id": ben.id, "following_id": ann.id}).execute()
    for level, follower, others in ("public", True, True), ("followers_only", True, False), ("private", False, False):
        row = ann.share(privacy_level=level, tags=[f"level{level.replace('_', '')}"])
        want_seen(row, {f"the author ({level})": (ann, True), f"a follower ({level})": (ben, follower),
                        f"a stranger ({level})": (cat, others), f"anyone ({level})": (anyone, others)})
        if not others:
            like = {"highlight_id": row["id"], "user_id": cat.id}
            refused(lambda: cat.table("likes").insert(like).execute(), "42501")
            refused(lambda: cat.table("comments").insert(
                {"highlight_id": row["id"], "author_id": cat.id, "text": "hello"}).execute(), "42501")
            want(cat.table("highlights").update({"caption": "x"}).eq("id", row["id"]).execute().data == [], "changed")
            want(cat.table("highlights").delete().eq("id", row["id"]).execute().data == [], "deleted")
            # An id that is taken is not told apart from a wrong row rule by what comes back.
            refused(lambda: cat.table("highlights").upsert(
                row | {"author_id": cat.id}, on_conflict="id").execute(), "42501")
    return "three levels for author, follower, stranger and anyone, by every way to a row"


def check_profiles(place):
    ann, ben, cat = place.people("ann", "ben", "cat")
    row = ann.share(tags=["profilelevel"])
    ben.table("follows").insert({"follower_id": ben.id, "following_id": ann.id}).execute()

    def profile_seen(person):
        return bool(person.table("profiles").select("id").eq("id", ann.id).execute().data)

    want(profile_seen(cat) and sees(cat, row), "a public profile is not seen")
    # The stricter of the two wins.
    for level, follower, stranger, is_profile_seen in (
            ("followers_only", True, False, True), ("private", False, False, False)):
        ann.table("profiles").update({"privacy_level": level}).eq("id", ann.id).execute()
        want_seen(row, {f"a follower ({level})": (ben, follower), f"a stranger ({level})": (cat, stranger),
                        f"the author ({level})": (ann, True)})
        want(profile_seen(cat) is is_profile_seen, f"a {level} profile, seen by a stranger: {not is_profile_seen}")
    return "a strict profile hides public highlights; followers-only people can be found"


def check_blocks(place):
    ann, ben, cat = place.people("ann", "ben", "cat")
    anns, bens = ann.share(tags=["blockedone"]), ben.share(tags=["blockedtwo"])
    said = ben.table("comments").insert({"highlight_id": anns["id"], "author_id": ben.id, "text": "hi"}).execute()
    ben.table("likes").insert({"highlight_id": anns["id"], "user_id": ben.id}).execute()
    ann.table("user_blocks").insert({"blocker_id": ann.id, "blocked_id": ben.id}).execute()
    want(not sees(ben, anns) and not sees(ann, bens), "a block does not hide both ways")
    want(sees(cat, anns) and sees(cat, bens), "a block of others hides")
    for one, other in (ann, ben), (ben, ann):
        want(one.table("profiles").select("id").eq("id", other.id).execute().data == [], "a blocked profile is seen")
    comment = said.data[0]
    want(comment["id"] not in ann.ids("comments"), "a blocked one's comment is seen")
    listed = cat.table("comments").select("*,author:profiles(*)").eq("highlight_id", anns["id"]).execute().data
    want(listed and listed[0]["author"]["id"] == ben.id, "a third one does not see the comment")
    refused(lambda: ben.table("follows").insert({"follower_id": ben.id, "following_id": ann.id}).execute(), "42501")
    ann.table("user_blocks").delete().eq("blocked_id", ben.id).execute()
    want(sees(ben, anns) and sees(ann, bens), "after the block they still do not see each other")
    return "both ways, for the two alone, and until it is taken back"


def check_likers(place):
    ann, ben, cat = place.people("ann", "ben", "cat")
    row = ann.share(hide_likes=True)
    ben.table("likes").insert({"highlight_id": row["id"], "user_id": ben.id}).execute()
    for name, person, expected in ("the author", ann, 1), ("the liker", ben, 1), ("another", cat, 0):
        found = person.table("likes").select("user_id").eq("highlight_id", row["id"]).execute().data
        want(len(found) == expected, f"{name} sees {len(found)} likers")
        # Embedded, too.
        found = if_served(person.table("highlights").select("likes(user_id)").eq("id", row["id"]))
        want(found is None or len(found[0]["likes"]) == expected, f"{name} sees {found}, embedded")
    return "hidden likes are the author's and the liker's own"


def check_leaving(place):
    ann, ben = place.people("ann", "ben")
    row = ann.share(tags=["leaving"])
    asked = ann.table("account_deletions").insert({"user_id": ann.id}).execute().data[0]
    want(asked["deletes_at"] > asked["requested_at"], f"the request is {asked}")
    want(not sees(ben, row) and sees(ann, row), "an account on its way out is seen by others, or not by itself")
    want(ben.table("account_deletions").select("*").execute().data == [], "others see the request")
    refused(lambda: ben.table("account_deletions").insert({"user_id": ann.id}).execute(), ("42501", "23505"))
    refused(lambda: ann.table("account_deletions").update({"deletes_at": "2020-01-01"}).eq("user_id", ann.id).execute(),
            "42501")
    ann.table("account_deletions").delete().eq("user_id", ann.id).execute()
    want(sees(ben, row), "taken back, it is still hidden")
    return "hidden from others until it is taken back"


CHECKS = {
    "rules privacy": check_privacy, "rules profiles": check_profiles, "rules blocks": check_blocks,
    "rules likers": check_likers, "rules leaving": check_leaving,
}
