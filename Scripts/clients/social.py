"""supabase's query builder against the other tables and the functions: what the app asks for, and the errors."""

import uuid

from .backend import WHOLE, moment, refused, want


def number(person, table, row, column):
    return person.table(table).select(column).eq("id", row).single().execute().data[column]


def check_likes(place):
    ann, ben = place.people("ann", "ben")
    row = ann.share()["id"]
    pair = {"highlight_id": row, "user_id": ben.id}
    liked = ben.table("likes").insert(pair).execute().data[0]
    want(pair.items() <= liked.items(), f"the like is {liked}")
    moment(liked["created_at"])
    refused(lambda: ben.table("likes").insert(pair).execute(), "23505", "likes_user_id_highlight_id_key")
    again = ben.table("likes").upsert(pair, on_conflict="user_id,highlight_id", ignore_duplicates=True).execute()
    want(again.data == [], f"a like that is there already was answered with {again.data}")
    want(number(ann, "highlights", row, "likes_count") == 1, "one like is not counted as one")
    for person, is_liked in (ben, True), (ann, False):
        seen = person.table("highlights").select("*,is_liked_by_me").eq("id", row).single().execute().data
        want(seen["is_liked_by_me"] is is_liked and "caption" in seen, f"is_liked_by_me: {seen}")
    want("is_liked_by_me" not in ben.table("highlights").select("*").eq("id", row).single().execute().data,
         "a computed column is part of *")
    mine = ben.table("likes").select("highlight_id").eq("user_id", ben.id).in_("highlight_id", [row]).execute().data
    want(mine == [{"highlight_id": row}], f"my likes: {mine}")
    refused(lambda: ben.table("likes").insert({"highlight_id": row, "user_id": ann.id}).execute(), "42501")
    refused(lambda: ben.table("likes").insert({"highlight_id": str(uuid.uuid4()), "user_id": ben.id}).execute(),
            ("42501", "23503"))
    gone = ben.table("likes").delete().eq("highlight_id", row).eq("user_id", ben.id).execute().data
    want(len(gone) == 1 and number(ann, "highlights", row, "likes_count") == 0, f"unliking gave {gone}")
    return "once each, counted, taken back; nobody likes for another"


def check_comments(place):
    ann, ben = place.people("ann", "ben")
    row = ann.share()["id"]
    texts = ["first", "Zweiter ⚡️", "a" * 500, "👨‍👩‍👧‍👦" * 500]
    made = [ben.table("comments").insert({"highlight_id": row, "author_id": ben.id, "text": text})
            .select("*,author:profiles(*)").execute().data[0] for text in texts]
    want(all(line["author"]["id"] == ben.id and line["likes_count"] == 0 for line in made), f"the comments: {made}")
    listed = ann.table("comments").select("*,author:profiles(*)").eq("highlight_id", row)
    found = listed.order("created_at", desc=True).range(0, 2).execute().data
    want([line["text"] for line in found] == texts[:0:-1], "the comments are not the newest three")
    want(number(ann, "highlights", row, "comments_count") == 4, "four comments are not counted as four")
    for text in "a" * 501, " \n", "":
        refused(lambda: ben.table("comments").insert({"highlight_id": row, "author_id": ben.id, "text": text})
                .execute(), "23514", "comments_")
    error = refused(lambda: ben.table("comments").insert({"highlight_id": row, "author_id": ben.id}).execute(), "23502")
    want("text" in error.message, f"which column is null is not said: {error.message}")
    ann.table("comment_likes").insert({"user_id": ann.id, "comment_id": made[0]["id"]}).execute()
    seen = ann.table("comments").select("likes_count,is_liked_by_me").eq("id", made[0]["id"]).single().execute().data
    want(seen == {"likes_count": 1, "is_liked_by_me": True}, f"a liked comment: {seen}")
    want(ann.table("comments").delete().eq("id", made[0]["id"]).execute().data == [], "another's comment was deleted")
    want(len(ben.table("comments").delete().eq("id", made[0]["id"]).execute().data) == 1, "the own one was not")
    want(number(ann, "highlights", row, "comments_count") == 3, "the counter stayed")
    refused(lambda: ben.table("comments").update({"text": "else"}).eq("id", made[1]["id"]).execute(), "42501")
    return "embedded authors, limits as people count, own ones deleted, none changed"


def check_profile(place):
    ann, ben = place.people("ann", "ben")
    name = f"Ann.{uuid.uuid4().hex[:8]}"
    row = ann.table("profiles").update({"username": name, "bio": "Libero", "team_name": None}).eq("id", ann.id)
    changed = row.execute().data
    want(len(changed) == 1 and changed[0]["username"] == name and changed[0]["bio"] == "Libero", f"{changed}")
    few = ann.table("profiles").update({"bio": "x"}).eq("id", ann.id).select("id,bio").execute().data
    want(few == [{"id": ann.id, "bio": "x"}], f"chosen columns after an update: {few}")
    want(ben.table("profiles").update({"bio": "y"}).eq("id", ann.id).execute().data == [], "another's profile changed")
    found = ben.table("profiles").select("*").ilike("username", f"%{name[2:].upper()}%").range(0, 19).execute().data
    want([line["id"] for line in found] == [ann.id], f"looked for by name: {found}")
    taken = ben.table("profiles").select("id").eq("username", name).limit(1).execute().data
    free = ben.table("profiles").select("id").eq("username", name.lower()).limit(1).execute().data
    want(len(taken) == 1 and free == [], "a name is asked for as it is written")
    refused(lambda: ben.table("profiles").update({"username": name}).eq("id", ben.id).execute(), "23505")
    refused(lambda: ben.table("profiles").update({"username": name.lower()}).eq("id", ben.id).execute(), "23505")
    for fields in {"bio": "a" * 161}, {"username": "a b"}, {"username": "Admin"}, {"display_name": " "}, \
            {"privacy_level": "open"}, {"avatar_url": "javascript:x"}:
        refused(lambda: ben.table("profiles").update(fields).eq("id", ben.id).execute(), "23514", "profiles_")
    for fields in {"followers_count": 9}, {"id": str(uuid.uuid4())}, {"created_at": "2020-01-01"}:
        refused(lambda: ben.table("profiles").update(fields).eq("id", ben.id).execute(), "42501")
    refused(lambda: ben.table("profiles").update({"nickname": "x"}).eq("id", ben.id).execute(), "PGRST204", "nickname")
    refused(lambda: ben.table("profiles").insert({"id": ben.id, "username": "abc", "display_name": "x"}).execute(),
            "42501")
    refused(lambda: ben.table("profiles").delete().eq("id", ben.id).execute(), "42501")
    return "own one changed, unique names, limits; counters are nobody's to write"


def check_follows(place):
    ann, ben, cat = place.people("ann", "ben", "cat")
    for follower in ben, cat:
        follower.table("follows").insert({"follower_id": follower.id, "following_id": ann.id}).execute()
    followers = ann.table("follows").select("follower:profiles!follower_id(*)").eq("following_id", ann.id)
    found = followers.range(0, 19).execute().data
    want({line["follower"]["id"] for line in found} == {ben.id, cat.id}, f"followers: {found}")
    found = ben.table("follows").select("following:profiles!following_id(*)").eq("follower_id", ben.id).execute().data
    want([line["following"]["id"] for line in found] == [ann.id], f"following: {found}")
    status = ben.table("follows").select("following_id").eq("follower_id", ben.id).in_("following_id", [ann.id, cat.id])
    want(status.execute().data == [{"following_id": ann.id}], "whom ben follows of two")
    # Two ways lead from a follow to a profile: which one is meant has to be said.
    refused(lambda: ann.table("follows").select("profiles(*)").execute(), "PGRST201")
    want(number(ann, "profiles", ann.id, "followers_count") == 2, "two followers are not counted as two")
    refused(lambda: ben.table("follows").insert({"follower_id": ben.id, "following_id": ann.id}).execute(), "23505")
    refused(lambda: ben.table("follows").insert({"follower_id": cat.id, "following_id": ben.id}).execute(), "42501")
    refused(lambda: ben.table("follows").insert({"follower_id": ben.id, "following_id": ben.id}).execute(), "23514")
    ben.table("follows").delete().eq("follower_id", ben.id).eq("following_id", ann.id).execute()
    want(ann.table("follows").delete().eq("follower_id", cat.id).execute().data != [], "a follower cannot be sent away")
    want(number(ann, "profiles", ann.id, "followers_count") == 0, "the counter stayed")
    # Followers-only people are asked.
    ann.table("profiles").update({"privacy_level": "followers_only"}).eq("id", ann.id).execute()
    refused(lambda: ben.table("follows").insert({"follower_id": ben.id, "following_id": ann.id}).execute(), "42501")
    ben.table("follow_requests").insert({"requester_id": ben.id, "target_id": ann.id}).execute()
    refused(lambda: ben.rpc("accept_follow_request", {"requester": ben.id}).execute(), "PT404")
    ann.rpc("accept_follow_request", {"requester": ben.id}).execute()
    want(len(ben.table("follows").select("*").eq("follower_id", ben.id).execute().data) == 1, "accepted, not following")
    want(ann.table("follow_requests").select("*").execute().data == [], "the request is still there")
    return "both directions embedded, counted; requests are asked and accepted"


def check_moderation(place):
    ann, ben = place.people("ann", "ben")
    row = ann.share()["id"]
    report = {"reporter_id": ben.id, "reported_type": "highlight", "reported_id": row, "reported_user_id": ben.id,
              "report_type": "spam", "description": "again and again"}
    made = ben.table("content_reports").insert(report).execute().data[0]
    want(made["reported_user_id"] == ann.id and made["status"] == "pending", f"the report is {made}")
    listed = ben.table("content_reports").select("*").eq("reporter_id", ben.id).order("created_at", desc=True)
    want([line["id"] for line in listed.range(0, 19).execute().data] == [made["id"]], "my reports")
    want(ann.table("content_reports").select("*").execute().data == [], "the reported one sees the report")
    refused(lambda: ben.table("content_reports").insert(report | {"report_type": "boring"}).execute(), "23514")
    # As the app sends it: without the reporter, with its own reasons.
    for reason in "inappropriate_content", "impersonation", "violence", "hate_speech", "self_harm", "other":
        sent = {"reported_type": "highlight", "reported_id": row, "reported_user_id": ann.id, "report_type": reason,
                "description": None}
        made = ben.table("content_reports").insert(sent).execute().data[0]
        want((made["reporter_id"], made["report_type"]) == (ben.id, reason), f"the app's report is {made}")
        moment(made["updated_at"])
    refused(lambda: ben.table("content_reports").insert(report | {"status": "dismissed"}).execute(), "42501")
    ben.table("user_blocks").insert({"blocker_id": ben.id, "blocked_id": ann.id, "reason": "spam"}).execute()
    want(len(ben.table("user_blocks").select("*").eq("blocker_id", ben.id).execute().data) == 1, "my blocks")
    want(ann.table("user_blocks").select("*").execute().data == [], "the blocked one sees the block")
    ben.table("user_blocks").delete().eq("blocker_id", ben.id).eq("blocked_id", ann.id).execute()
    ben.table("user_mutes").insert({"muter_id": ben.id, "muted_id": ann.id}).execute()
    want(row in ben.ids(author_id=ann.id), "a muted one's highlights are hidden where they were asked for")
    feed = ben.rpc("feed", {}).execute().data
    want(row not in {line["id"] for line in feed}, "a muted one's highlight is in the feed")
    return "reports, blocks and mutes are their maker's alone"


def check_polls(place):
    ann, ben, cat = place.people("ann", "ben", "cat")
    row = ann.share()["id"]
    poll = ann.table("polls").insert({"highlight_id": row, "question": "In or out?"}).execute().data[0]
    options = ann.table("poll_options").insert(
        [{"poll_id": poll["id"], "text": text, "sort_order": order} for order, text in enumerate(("In", "Out"))]
    ).execute().data
    # Absent in one of several: the default only when it is asked for.
    refused(lambda: ann.table("poll_options").insert(
        [{"poll_id": poll["id"], "text": "a", "sort_order": 1}, {"poll_id": poll["id"], "text": "b"}]).execute(),
        "23502")
    third = ann.table("poll_options").insert(
        [{"poll_id": poll["id"], "text": "Net", "sort_order": 2}, {"poll_id": poll["id"], "text": "Line"}],
        default_to_null=False).execute().data
    want([line["sort_order"] for line in third] == [2, 0], f"missing=default gave {third}")
    refused(lambda: ann.table("polls").insert({"highlight_id": row, "question": "Again?"}).execute(), "23505")
    refused(lambda: ben.table("polls").insert({"highlight_id": row, "question": "Mine?"}).execute(), "42501")

    def vote(person, option):
        return person.table("poll_votes").upsert(
            {"poll_id": poll["id"], "option_id": option, "user_id": person.id}, on_conflict="poll_id,user_id").execute()

    vote(ben, options[0]["id"])
    vote(cat, options[0]["id"])
    moved = vote(ben, options[1]["id"]).data
    want(len(moved) == 1 and moved[0]["option_id"] == options[1]["id"], f"a moved vote: {moved}")
    seen = ben.table("highlights").select(WHOLE).eq("id", row).single().execute().data["poll"]
    want(isinstance(seen, dict) and seen["total_votes"] == 2, f"the poll is {seen}")
    want({line["text"]: line["vote_count"] for line in seen["options"]} == {"In": 1, "Out": 1, "Net": 0, "Line": 0},
         f"the options are {seen['options']}")
    mine = ben.table("poll_votes").select("option_id").eq("poll_id", poll["id"]).eq("user_id", ben.id).limit(1)
    want(mine.execute().data == [{"option_id": options[1]["id"]}], "my vote")
    want(len(ann.table("poll_votes").select("*").eq("poll_id", poll["id"]).execute().data) == 0, "votes are no secret")
    refused(lambda: vote(ann, str(uuid.uuid4())), "23503")
    ben.table("poll_votes").delete().eq("poll_id", poll["id"]).eq("user_id", ben.id).execute()
    want(number(ann, "polls", poll["id"], "total_votes") == 1, "the counter stayed")
    return "one object with its options; votes are moved, counted and secret"


CHECKS = {
    "rest likes": check_likes, "rest comments": check_comments, "rest profile": check_profile,
    "rest follows": check_follows, "rest moderation": check_moderation, "rest polls": check_polls,
}
