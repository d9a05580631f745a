"""SQL and JSON injection through every parameter and body. Each response must be the only correct one."""

import urllib.parse
import uuid

from backend import LOCAL_USER, Account, want

from .wire import WRITES, exchange, request, statuses, usage, want_alive, want_intact

# Ends of strings, comments, operators, functions, and texts that a driver could interpret.
TEXTS = [
    "'", "''", '"', "\\", "\\'", "`", ";", "--", "/*", "' or '1'='1", "' or 1=1 --", '" or "1"="1', "x') or (1=1",
    "') union select * from users --", "1; drop table highlights; --", "%", "_", "%%", "*", "null", "true", "?", "?1",
    ":a",
    "$1", "@a", "x'41'", "char(65)", "||", "{", "}", "{}", "{a,b}", "(", ")", "()", ",", ".", "eq.1", "not.eq.1",
    "is.null",
    "a.eq.b,c.eq.d", "\\00", "\u202e", "\ufeff", "İ", "ß", "e\u0301", "\x01", "\x7f", "\t", " ", "a" * 2000,
    "-1",
    "1e999", "NaN", "9" * 400, "9223372036854775808", "<script>alert(1)</script>", "%00", "%27", "\\u0000",
    "randomblob(1000000000)", "1/0",
]
SHAPES = """select=@ select=id,@ select=x:@ select=id,@(*) select=id,author:profiles!@(*) select=id,author:profiles(@)
    select=id::@ order=@ order=id.@ order=id.desc.@ order=id,@.desc limit=@ offset=@ @=eq.1 id=@ caption=@.x id=not.@
    or=@ or=(@) or=(caption.eq.@,id.eq.x) and=(@) not.or=(@) columns=@ on_conflict=@ id=in.@ id=in.(@) tags=cs.@
    tags=ov.{@} hide_likes=is.@ duration=gt.@ caption=like(any).@ caption=fts(@).x
    author.@=eq.1&select=id,author:profiles(id)""".split()
FUNCTIONS = ["rpc/highlights_with_tag?tag=@", "rpc/highlights_with_tag?@=1", "rpc/highlights_with_tag?tag=a&max_rows=@",
             "rpc/highlights_with_tag?tag=a&before=@", "@?select=*", "rpc/@"]
LARGE = ["&".join(f"id=eq.{number}" for number in range(500)), "or=(" + "or(" * 500 + "id.eq.1" + ")" * 501,
         "select=" + ",".join(["id"] * 3000), "select=" + "author:profiles(highlights(" * 50 + "id" + "))" * 50,
         "caption=like." + "%25" * 500 + "x", "order=" + ",".join(["id.desc"] * 500)]
DEEP = 100_000
BODIES = [
    b"[" * DEEP + b"]" * DEEP, b'{"a":' * DEEP + b"1" + b"}" * DEEP, b"[" * DEEP, b'{"duration":1e999}',
    b'{"duration":' + b"9" * 5000 + b"}", b'{"duration":-0}', b'{"duration":NaN}', b'{"duration":0x10}',
    b'{"caption":"\\ud800"}', b'{"caption":"\\udc00\\ud800"}', b'{"caption":"a\\u0000b"}', b'{"caption":"a\0b"}',
    b'{"caption":"\xff\xfe"}', b'{"caption":"\xc0\xaf"}', b'{"caption":"\xed\xa0\x80"}',
    b'{"caption":"\xf4\x90\x80\x80"}',
    '{"caption":"x"}'.encode("utf-16"), b'\xef\xbb\xbf{"caption":"x"}', b'{"caption":"a","caption":"b"}',
    b'{"caption":"a",}', b'{"caption":"a"}//', b'{"caption":"a"}{"caption":"b"}', b"{'caption':'a'}",
    b'{"caption":"a\nb"}', b'{"caption":"\\x41"}', b'{"":1}', b'{"__proto__":{"a":1}}', b"1", b'"a"', b"null", b"",
    b"   ",
    b"[[]]", b'[{"caption":"a"},1]', b'{"capt', b'{"caption\\" = 1; --":"a"}', b'{"caption":{"a":1}}', b'{"tags":"a"}',
    b'{"tags":[null]}', b'{"duration":true}', b'{"duration":"5; --"}', b'{"id":"\' or 1=1"}', b'{"created_at":"now()"}',
    b'{"rally_metadata":"x"}', b'{"rally_metadata":' + b'{"a":' * 900 + b"1" + b"}" * 901,
]


def quote(text):
    return urllib.parse.quote(text, safe="")


class Scene:
    """A victim with private rows, and an attacker with an account."""

    def __init__(self, place):
        self.server = place.fresh()
        self.victim, self.attacker = Account(self.server, "victim"), Account(self.server, "attacker")
        self.canary = f"canary{uuid.uuid4().hex}"
        self.row = self.victim.share(caption=self.canary, privacy_level="private", tags=[self.canary])["id"]
        self.victim.open(caption=self.canary)
        self.victim.ask("PATCH", f"/rest/v1/profiles?id=eq.{self.victim.id}",
                        {"team_name": self.canary, "privacy_level": "private"})

    def counts(self):
        headers = {"apikey": self.server.keys["secret_key"], "Prefer": "count=exact"}
        return [self.server.ask("HEAD", f"/rest/v1/{table}?select=*", headers=headers).headers["Content-Range"]
                for table in ("profiles", "highlights", "likes", "comments", "uploads", "follows", "user_blocks",
                              "polls")]

    def want_silent(self, what, status, text):
        want(status < 500, f"{what} is {status}: {text[:200]}")
        found = [word for word in (self.canary, "SQLITE", "sqlite", "GRDB", "syntax error near", "no such table",
                                   "no such column") if word in text]
        want(not found, f"{what} shows {found}: {text[:200]}")

    def ask(self, method, path, body=None, **headers):
        """As the attacker and without an account; returns the attacker's response."""
        if isinstance(body, bytes):
            headers["Content_Type"] = "application/json"
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        key = {"apikey": self.server.keys["publishable_key"]}
        for one in key, key | {"Authorization": f"Bearer {self.attacker.token}"}:
            answer = self.server.ask(method, path, body, one | names)
            self.want_silent(f"{method} {path[:160]} with {str(body)[:80]}", answer.status_code, answer.text)
        return answer


def scene(place):
    return place.keep("scene", lambda: Scene(place))


def check_parameters(place):
    here = scene(place)
    before = here.counts()
    for text in TEXTS:
        for shape in [f"highlights?{shape}" for shape in SHAPES] + FUNCTIONS:
            here.ask("GET", "/rest/v1/" + shape.replace("@", quote(text)))
        for name in "Prefer", "Range", "Accept", "Accept-Profile", "Range-Unit":
            value = text.encode().decode("latin-1").replace("\r", "").replace("\n", "")
            got, _ = exchange(here.server, request("GET", "/rest/v1/highlights?select=id", f"{name}: {value}",
                                                   "Connection: close"))
            here.want_silent(f"{name}: {value[:80]}", (statuses(got) or [400])[0], got.decode(errors="replace"))
    for query in LARGE:
        begun = usage(here.server).cpu_times()
        here.ask("GET", f"/rest/v1/highlights?{query}")
        spent = usage(here.server).cpu_times().user - begun.user
        want(spent < 5, f"{query[:60]} takes {spent:.1f} s of the processor")
    want(here.counts() == before, f"rows were {before}, are {here.counts()}")
    return f"{len(TEXTS) * (len(SHAPES) + len(FUNCTIONS))} queries, twice each: nothing shown or changed, no 5xx"


def check_values(place):
    """A stored text is found by that text, and no other row is."""
    here, count = scene(place), 0
    for text in TEXTS:
        row = here.attacker.share(caption=text, tags=[text])
        want(row["caption"] == text and row["tags"] == [text], f"{text!r} was stored as {row['caption']!r}")
        literal = text.replace("\\", "\\\\").replace('"', '\\"')
        like = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        quoted = quote(f'"{literal}"')
        asks = [f"caption=eq.{quote(text)}", f"caption=in.({quoted})", f"tags=cs.{{{quoted}}}",
                f"or=(caption.eq.{quoted},id.eq.{LOCAL_USER})"]
        # In a pattern, * is the same as %, and a pattern has at most 500 characters.
        asks += [] if "*" in text or len(like) > 500 else [f"caption=like.{quote(like)}"]
        for query in asks:
            answer = here.ask("GET", f"/rest/v1/highlights?select=id&author_id=eq.{here.attacker.id}&{query}")
            want(answer.status_code == 200 and answer.json() == [{"id": row["id"]}],
                 f"{query[:80]}: {answer.text[:200]}")
            count += 1
        gone = here.attacker.ask("DELETE", f"/rest/v1/highlights?{asks[0]}", Prefer="return=representation")
        want(gone.status_code == 200 and len(gone.json()) == 1, f"deleting by {text[:40]!r}: {gone.text[:100]}")
    return f"{count} queries, each with the one correct result"


def check_bodies(place):
    here = scene(place)
    own = f"author_id=eq.{here.attacker.id}"
    targets = WRITES + [
        ("POST", "/rest/v1/highlights?on_conflict=id&columns=caption"), ("PATCH", f"/rest/v1/highlights?{own}"),
        ("POST", "/rest/v1/likes"), ("POST", "/rest/v1/comments"), ("POST", "/rest/v1/rpc/highlights_with_tag"),
        ("POST", "/rest/v1/rpc/feed"), ("POST", "/auth/v1/token?grant_type=refresh_token"), ("POST", "/auth/v1/logout")]
    for method, path in targets:
        for number, body in enumerate(BODIES):
            here.ask(method, path, body, Idempotency_Key=f"k{number}", Prefer="resolution=merge-duplicates")
        want_alive(here.server, path)
    # Signing out ended the attacker's session.
    here.attacker = Account(here.server, "attacker")
    want_intact(here.server)
    victim = here.victim.ask("GET", f"/rest/v1/highlights?id=eq.{here.row}").json()
    want(victim[0]["caption"] == here.canary, f"the victim's row is {victim}")
    return f"{len(targets) * len(BODIES)} bodies, twice each: no 5xx, the database is intact"
