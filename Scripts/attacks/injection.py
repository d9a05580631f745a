"""SQL and JSON through every parameter and body. Answers are compared with what they must be, not only read."""

import urllib.parse
import uuid

from oracles.ground import want

from .payloads import BODIES, TEXTS
from .target import Person

quote = urllib.parse.quote


class Ground:
    """A victim with private rows, and an attacker with none of them."""

    def __init__(self, place):
        self.server = place.fresh()
        self.victim, self.attacker = Person(self.server, "victim"), Person(self.server, "attacker")
        self.canary = f"canary{uuid.uuid4().hex}"
        self.row = self.victim.share(caption=self.canary, privacy_level="private", tags=[self.canary])["id"]
        self.victim.open(caption=self.canary)
        self.victim.ask("PATCH", f"/rest/v1/profiles?id=eq.{self.victim.id}",
                        {"team_name": self.canary, "privacy_level": "private"})
        self.before = self.counts()

    def counts(self):
        headers = {"apikey": self.server.keys["secret_key"], "Prefer": "count=exact"}
        found = {}
        for table in "profiles", "highlights", "likes", "comments", "uploads", "follows", "user_blocks", "polls":
            answer = self.server.ask("HEAD", f"/rest/v1/{table}?select=*", headers=headers)
            found[table] = answer.headers["Content-Range"]
        return found

    def ask(self, method, path, body=None, what=None, **headers):
        """By the attacker and by nobody; gives the attacker's answer. Neither tells, neither breaks."""
        keys = {"apikey": self.server.keys["publishable_key"]}
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        content = {"Content-Type": "application/json"} if isinstance(body, bytes) else {}
        answers = [self.server.ask(method, path, body, one | content | names)
                   for one in (keys, keys | {"Authorization": f"Bearer {self.attacker.token}"})]
        for answer in answers:
            told = what or f"{method} {path[:160]}"
            want(answer.status < 500, f"{told} is {answer.status}: {answer.text[:200]}")
            want(self.canary not in answer.text and self.row not in answer.text.replace(path, ""),
                 f"{told} tells what is private: {answer.text[:200]}")
            for word in "SQLITE", "sqlite", "GRDB", "syntax error near", "no such table", "no such column":
                want(word not in answer.text, f"{told} shows the database: {answer.text[:200]}")
        return answers[1]


def ground(place):
    return place.keep("injection", lambda: Ground(place))


def check_parameters(place):
    here, count = ground(place), 0
    for text in TEXTS:
        safe = quote(text, safe="")
        shapes = [
            f"highlights?select={safe}", f"highlights?select=id,{safe}", f"highlights?select=x:{safe}",
            f"highlights?select=id,{safe}(*)", f"highlights?select=id,author:profiles!{safe}(*)",
            f"highlights?select=id,author:profiles({safe})", f"highlights?select=id::{safe}",
            f"highlights?order={safe}", f"highlights?order=id.{safe}", f"highlights?order=id.desc.{safe}",
            f"highlights?order=id,{safe}.desc", f"highlights?limit={safe}", f"highlights?offset={safe}",
            f"highlights?limit=1&offset={safe}", f"highlights?{safe}=eq.1", f"highlights?id={safe}",
            f"highlights?caption={safe}.x", f"highlights?id=not.{safe}", f"highlights?or={safe}",
            f"highlights?or=({safe})", f"highlights?or=(caption.eq.{safe},id.eq.x)", f"highlights?and=({safe})",
            f"highlights?not.or=({safe})", f"highlights?columns={safe}", f"highlights?on_conflict={safe}",
            f"highlights?id=in.{safe}", f"highlights?id=in.({safe})", f"highlights?tags=cs.{safe}",
            f"highlights?tags=ov.{{{safe}}}", f"highlights?hide_likes=is.{safe}", f"highlights?duration=gt.{safe}",
            f"highlights?caption=like(any).{safe}", f"highlights?caption=fts({safe}).x",
            f"highlights?author.{safe}=eq.1&select=id,author:profiles(id)", f"rpc/highlights_with_tag?tag={safe}",
            f"rpc/highlights_with_tag?{safe}=1", f"rpc/highlights_with_tag?tag=a&max_rows={safe}",
            f"rpc/highlights_with_tag?tag=a&before={safe}", f"{safe}?select=*", f"rpc/{safe}",
        ]
        for shape in shapes:
            here.ask("GET", f"/rest/v1/{shape}")
            count += 1
        for name in "Prefer", "Range", "Accept", "Accept_Profile", "Content_Profile", "Range_Unit":
            value = text.encode("utf-8").decode("latin-1").replace("\r", "").replace("\n", "")
            here.ask("GET", "/rest/v1/highlights?select=id", **{name: value})
    for path in ["highlights?" + "&".join(f"id=eq.{number}" for number in range(500)),
                 "highlights?or=(" + "or(" * 500 + "id.eq.1" + ")" * 501,
                 "highlights?select=" + ",".join(["id"] * 3000),
                 "highlights?select=" + "author:profiles(highlights(" * 50 + "id" + "))" * 50,
                 "highlights?id=in.(" + ",".join([str(uuid.uuid4())] * 300) + ")",
                 "highlights?caption=like." + quote("%" * 500 + "x"),
                 "highlights?order=" + ",".join(["id.desc"] * 500)]:
        begin = here.server.cpu_seconds
        here.ask("GET", f"/rest/v1/{path}")
        spent = here.server.cpu_seconds - begin
        want(spent < 5, f"{path[:60]}… takes {spent:.1f} s of the processor")
    want(here.counts() == here.before, f"rows were {here.before}, are {here.counts()}")
    return f"{count} queries, twice each: nothing told, nothing changed, no 5xx"


def check_values(place):
    """A text is a text: what was written is found by it, alone, in every way of asking."""
    here, count = ground(place), 0
    for text in TEXTS:
        if "\x00" in text or text != text.strip("\r\n"):
            continue
        row = here.attacker.share(caption=text, tags=[text])
        want(row["caption"] == text and row["tags"] == [text], f"{text!r} was stored as {row['caption']!r}")
        literal = text.replace("\\", "\\\\").replace('"', '\\"')
        like = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        asks = {
            "eq": f"caption=eq.{quote(text, safe='')}",
            "in": "caption=in.(" + quote(f'"{literal}"', safe="") + ")",
            "or": "or=(caption.eq." + quote(f'"{literal}"', safe="") + ",id.eq.00000000-0000-4000-8000-000000000000)",
            "tags": "tags=cs.{" + quote(f'"{literal}"', safe="") + "}",
        }
        # A star stands for a percent sign in patterns.
        if "*" not in text:
            asks["like"] = f"caption=like.{quote(like, safe='')}"
        for name, query in asks.items():
            path = f"/rest/v1/highlights?select=id&author_id=eq.{here.attacker.id}&{query}"
            answer = here.ask("GET", path, what=f"{name} of {text[:40]!r}")
            want(answer.status == 200, f"{name} of {text[:40]!r}: {answer.status} {answer.text[:200]}")
            found = [line["id"] for line in answer.json]
            want(found == [row["id"]], f"{name} of {text[:40]!r} finds {len(found)} rows: {answer.text[:200]}")
            count += 1
        gone = here.attacker.ask("DELETE", f"/rest/v1/highlights?{asks['eq']}", Prefer="return=representation")
        want(gone.status == 200 and len(gone.json) == 1, f"deleting by {text[:40]!r}: {gone.status} {gone.text[:100]}")
    want(here.counts() == here.before, f"rows were {here.before}, are {here.counts()}")
    return f"{count} questions, each with the one right answer"


TARGETS = [
    ("POST", "/rest/v1/highlights"), ("POST", "/rest/v1/highlights?on_conflict=id&columns=caption"),
    ("PATCH", "/rest/v1/highlights?author_id=eq.{attacker}"), ("POST", "/rest/v1/likes"), ("POST", "/rest/v1/comments"),
    ("PATCH", "/rest/v1/profiles?id=eq.{attacker}"), ("POST", "/rest/v1/rpc/highlights_with_tag"),
    ("POST", "/rest/v1/rpc/feed"), ("POST", "/auth/v1/signup"), ("POST", "/auth/v1/token?grant_type=password"),
    ("POST", "/auth/v1/token?grant_type=refresh_token"),
    ("PUT", "/auth/v1/user"), ("POST", "/auth/v1/recover"), ("POST", "/auth/v1/verify"),
    ("POST", "/auth/v1/logout"), ("POST", "/functions/v1/uploads"), ("POST", "/uploads"), ("POST", "/video/v1/uploads"),
    ("DELETE", "/rest/v1/likes?user_id=eq.{attacker}"),
]


def check_bodies(place):
    here, count = ground(place), 0
    # `logout` may end the attacker's session: another one answers for it.
    for method, path in TARGETS:
        if path.endswith("logout"):
            here.attacker = Person(here.server, "attacker")
            here.before = here.counts()
        for name, body in BODIES.items():
            extra = {"Idempotency_Key": name.replace(" ", "-"), "Prefer": "resolution=merge-duplicates"}
            own = path.replace("{attacker}", here.attacker.id)
            here.ask(method, own, body, what=f"{method} {path} with {name}", **extra)
            count += 1
        here.server.want_alive(path)
    here.attacker = Person(here.server, "attacker")
    here.server.want_intact()
    victim = here.victim.ask("GET", f"/rest/v1/highlights?id=eq.{here.row}").json
    want(victim[0]["caption"] == here.canary, f"the victim's row is {victim}")
    here.before = here.counts()
    return f"{count} bodies, twice each: no 5xx, the file intact"


def check_parsers(place):
    """What is stored is what was meant, or is refused: two readers of one body must not differ."""
    here = ground(place)
    facts = '"rally_metadata":{"duration":5,"confidence":0,"quality":0,"detection_count":0}'

    def insert(fields):
        body = f'{{"author_id":"{here.attacker.id}","mux_playback_id":"x",{facts},{fields}}}'
        answer = here.server.ask("POST", "/rest/v1/highlights", body, {
            "Authorization": f"Bearer {here.attacker.token}", "Prefer": "return=representation",
            "Content-Type": "application/json"})
        want(answer.status < 500, f"{fields[:60]}: {answer.status}")
        return answer

    for fields in '"caption":"a\\u0000b"', '"caption":"\\ud800"', '"duration":1e999', '"tags":["a\\u0000"]', \
            '"duration":"abc"', '"local_rally_index":1.5', '"local_rally_index":99999999999', '"hide_likes":"maybe"', \
            '"tags":[[""]]', '"likes_count":1', '"created_at":"2020-01-01T00:00:00Z"', '"mux_asset_id":"x"':
        answer = insert(fields)
        want(answer.status in (400, 401, 403), f"{fields}: {answer.status} {answer.text[:200]}")
    # PostgreSQL's jsonb: the last of two wins, on every route to it, the row rules' included.
    twice = insert(f'"author_id":"{here.victim.id}"')
    want(twice.status in (400, 403), f"another's id after the own one: {twice.status} {twice.text[:100]}")
    pair = insert('"caption":"\\ud83c\\udfd0"')
    want(pair.status == 201 and pair.json[0]["caption"] == "\U0001F3D0", f"a pair of surrogates: {pair.text[:100]}")
    here.attacker.ask("DELETE", f"/rest/v1/highlights?author_id=eq.{here.attacker.id}")
    return "zeros, halves and too large ones are refused; the last of two keys counts"


def check_pages(place):
    """Texts on the server's own pages are texts."""
    here = ground(place)
    for text in ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{caption}}", "{{{caption}}}",
                 "</title><b>"):
        row = here.attacker.share(caption=text, tags=[text], thumbnail_url=f"https://example.org/{quote(text)}")
        for path in "/", f"/h/{row['id']}":
            page = here.ask("GET", path)
            want(text not in page.text or "{{" in text, f"{path} shows {text} as it is")
            want("Content-Security-Policy" in page.headers, f"{path} has no policy")
    here.attacker.ask("DELETE", f"/rest/v1/highlights?author_id=eq.{here.attacker.id}")
    for path in "/?offset=-1", "/?offset=1e9", "/?offset=' or 1=1", "/?offset=" + "9" * 100, "/h/%27", "/h/../..":
        here.ask("GET", quote(path, safe="/?=&%"))
    return "escaped, under a policy; private ones are on no page of others"


CHECKS = {
    "injection parameters": check_parameters, "injection values": check_values, "injection bodies": check_bodies,
    "injection parsers": check_parsers, "injection pages": check_pages,
}
