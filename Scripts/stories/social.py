"""The story, as commands of three people, and the attempts of others."""

import re
import time
from urllib.parse import parse_qs, urlsplit

import jwt
from backend import want

from .people import CLIP, Local, Person, ask, in_project


class Outside:
    """A visitor without an account, and a stranger who doesn't follow the player."""

    def __init__(self, stage, highlight, playback, stranger):
        self.stage, self.highlight, self.playback, self.stranger = stage, highlight, playback, stranger
        self.count = 0

    def want_closed(self, step):
        self.stranger.fails("social", "show", self.highlight, code=66, error="social.not-found")
        self.stranger.fails("highlights", "open", self.highlight, code=66, error="highlight.not-found")
        want(self.stranger.run("social", "feed") == [], f"{step}: the stranger's feed has a highlight")
        base, key = self.stage.base, {"apikey": self.stage.key}
        for name, headers in ("a visitor", key), ("a stranger", key | {"Authorization": f"Bearer {self.stranger.token}"}):
            rows = ask(f"{base}/rest/v1/highlights?select=*&id=eq.{self.highlight}", headers=headers)
            want(rows.json() == [], f"{step}: {name} reads the row: {rows.text}")
            answer = ask(f"{base}/functions/v1/playback", "POST", headers=headers,
                         json={"highlight_ids": [self.highlight]})
            want(self.playback not in answer.text, f"{step}: {name} gets an address: {answer.text}")
            for file in (f"stream/{self.playback}.m3u8", f"image/{self.playback}/thumbnail.jpg",
                         f"image/{self.playback}/animated.gif"):
                status = ask(f"{base}/{file}", headers=headers).status_code
                want(status in (403, 404), f"{step}: {name} gets {file} with {status}")
        self.count += 1


def want_token(video, picture):
    """The addresses work, only with their tokens, and not for long."""
    for address, others in (video, picture), (picture, video):
        token, = parse_qs(urlsplit(address).query)["token"]
        claims = jwt.decode(token, options={"verify_signature": False})
        want(0 < claims["exp"] - time.time() <= 300, f"the token expires in {claims['exp'] - time.time()} s")
        want(ask(address).status_code == 200, f"the follower gets {ask(address).status_code} for {address}")
        bare = address.split("?")[0]
        other, = parse_qs(urlsplit(others).query)["token"]
        for wrong in bare, f"{bare}?token={other}", f"{bare}?token={token[:-8]}":
            want(ask(wrong).status_code in (403, 404), f"{wrong} is {ask(wrong).status_code}")


def play(place, stage):
    player, follower, moderator, stranger = (
        Person(place, stage, name) for name in ("player", "follower", "moderator", "stranger"))
    stage.appoint(moderator.id)
    player.run("social", "profile", "edit", "--username", "the.player", "--privacy", "followers_only")
    follower.run("social", "profile", "edit", "--username", "the.follower")

    shared, = player.run("share", str(CLIP), "--caption", "Only for friends #block", "--privacy", "followers_only")
    want(shared["status"] == "registered" and shared["highlight"].get("mux_playback_id") is None, f"{shared}")
    highlight = shared["highlight"]["id"].lower()
    playback = re.search(r"/stream/([^./]+)\.", player.addresses(highlight)[0])[1]
    outside = Outside(stage, highlight, playback, stranger)
    outside.want_closed("after the post")

    follower.fails("social", "show", highlight, code=66, error="social.not-found")
    asked, = follower.run("social", "follow", "the.player")
    want(asked["relation"] == "requested", f"{asked}")
    follower.fails("highlights", "open", highlight, code=66, error="highlight.not-found")
    outside.want_closed("after the request")

    request, = player.run("social", "requests")
    want(request["request"]["requester"]["username"] == "the.follower", f"{request}")
    player.run("social", "accept", "the.follower")
    want(player.run("social", "requests") == [], "the request is still there")
    outside.want_closed("after the request was accepted")

    feed = follower.run("social", "feed", "--following")
    want([each["highlight"]["id"].lower() for each in feed] == [highlight], f"{feed}")
    want_token(*follower.addresses(highlight))
    text = "What a block @the.player, you fool"
    comment = follower.run("social", "comment", "add", highlight, text)[0]["id"]
    outside.want_closed("after the comment")

    news = {each["notification"]["kind"]: each for each in player.run("social", "notifications", "list", "--unread")}
    want({"request", "mention"} >= set(news) - {"comment"} and "mention" in news, f"{list(news)}")
    mention = news["mention"]
    want(mention["actors"] == ["the.follower"] and mention["notification"]["comment_id"].lower() == comment, f"{mention}")
    player.run("social", "report", "comment", comment, "--reason", "harassment")
    player.fails("social", "moderate", "queue", code=4, error="social.forbidden")
    outside.want_closed("after the report")

    case, = moderator.run("social", "moderate", "queue")
    want((case["item"]["target_id"].lower(), case["item"]["content"], case["item"]["report_count"])
         == (comment, text, 1), f"{case}")
    decided, = moderator.run("social", "moderate", "act", "remove", "comment", comment, "--reason", "Insult")
    want(decided["outcome"]["action"] == "warn", f"{decided}")
    want(moderator.run("social", "moderate", "queue") == [], "the case is still open")
    want(follower.run("social", "comment", "list", highlight) == [], "the comment is still there")
    outside.want_closed("after the decision")

    notice, = [each["notification"]["details"] for each in follower.run("social", "notifications")
               if each["notification"]["kind"] == "moderation"]
    want((notice["action"], notice["removed"], notice["reason"]) == ("warn", True, "Insult"), f"{notice}")

    moderator.fails("social", "moderate", "open", highlight, code=66, error="social.not-found")
    follower.run("social", "report", "highlight", highlight, "--reason", "not_sports")
    opened, = moderator.run("social", "moderate", "open", highlight)
    clip, = opened["playback"]["clips"]
    want_token(clip["video"], clip["thumbnail"])
    outside.want_closed("after the report of the highlight")
    moderator.run("social", "moderate", "act", "dismiss", "highlight", highlight, "--reason", "Volleyball")
    moderator.fails("social", "moderate", "open", highlight, code=66, error="social.not-found")
    return f"posted, requested, accepted, watched, mentioned, reported, removed; closed to others at {outside.count} steps"


def check_local(place):
    return play(place, Local(place))


def check_project(place):
    return in_project(place, play)
