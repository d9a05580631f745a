"""The story of a family, as commands of a parent and an athlete, and the attempts of another family."""

import re
import time
from datetime import datetime

from backend import want

from .people import CLIP, Local, Person, ask, in_project
from .platforms import Platforms

BROWSER = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"}
COACHES = """name;school;role;twitter_handle;instagram_handle
Ann Lee;Rice;Head Coach;@AnnLee;
Bo Diaz;Yale;assistant_coach;;bo.diaz
Cy Wu;Yale;;cywu;
;Nowhere;;;
"""


class Family:
    """A person's `bsc recruiting`, and the border of another family."""

    def __init__(self, other):
        self.other, self.count = other, 0

    def want_closed(self, step, *ids):
        for table in "schools", "coaches", "interactions", "links":
            rows = self.other.run("recruiting", table, "list")
            want(all("figures" in row for row in rows), f"{step}: another family lists {table}: {rows}")
        posts = self.other.run("recruiting", "posts", "list")
        want([each for each in posts if "post" in each] == [], f"{step}: another family lists posts")
        for kind, row in ids:
            self.other.fails("recruiting", kind, "show", row, code=66, error="recruiting.unknown-name")
        self.count += 1


def posts_of(person, *arguments):
    return [each["post"] for each in person.run("recruiting", "posts", "list", *arguments) if "post" in each]


def sync(person, stage):
    stage.pass_a_day()
    report, = person.run("recruiting", "sync")
    return report, {each["handle"]: (each["posts"], each.get("problem")) for each in report["handles"]}


def play(place, stage):
    parent, athlete, other = (Person(place, stage, name) for name in ("mia", "leo", "eve"))
    athlete.environment["BSC_SHARE_BASE_URL"] = stage.public
    parent.fails("recruiting", "coaches", "list", code=5, error="recruiting.no-family")
    parent.run("recruiting", "family", "create", "The Spikers")
    other.run("recruiting", "family", "create", "The Others")
    invite, = parent.run("recruiting", "family", "invite", "athlete")
    athlete.run("recruiting", "family", "join", stdin=invite["code"] + "\n")
    other.fails("recruiting", "family", "join", invite["code"], code=4, error="recruiting.gone")
    names = {each["member"]["display_name"]: each["member"]["role"]
             for each in athlete.run("recruiting", "family", "members")}
    want(names == {"Mia": "parent", "Leo": "athlete"}, f"the members are {names}")

    table = athlete.folder / "coaches.csv"
    table.write_text(COACHES)
    dry, = athlete.run("recruiting", "coaches", "import", str(table), "--dry-run")
    done, = athlete.run("recruiting", "coaches", "import", str(table), "--force")
    want((dry["added"], done["added"], [each["line"] for each in done["problems"]]) == (3, 3, [5]), f"{dry} {done}")
    athlete.run("recruiting", "schools", "add", "Nowhere", "--x", "nowherevb")
    family = Family(other)
    coach = next(each["coach"]["id"] for each in parent.run("recruiting", "coaches", "list")
                 if each["coach"]["last_name"] == "Lee")
    family.want_closed("after the import", ("coaches", coach))

    shared, = athlete.run("share", str(CLIP), "--caption", "Match point #kill", "--privacy", "private",
                          "--coach", "Ann Lee", "--via", "dm")
    link, = shared["links"]
    want(re.fullmatch(re.escape(stage.public) + r"/s/[\w-]{32}", link["address"]), f"{link}")
    sent, = parent.run("recruiting", "links", "list")
    want((sent["coach"], sent["link"]["channel"], sent["link"]["open_count"]) == ("Ann Lee", "dm", 0), f"{sent}")
    if isinstance(stage, Local):
        seen = ask(link["address"], headers=BROWSER)
        want(seen.status_code == 200 and "Match point" in seen.text, f"the coach sees {seen.status_code}")
        ask(link["address"], headers={"User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)"})
        opened, = parent.run("recruiting", "links", "list")
        want(opened["link"]["open_count"] == 1, f"{opened}")
    family.want_closed("after the link")

    call, = athlete.run("recruiting", "interactions", "add", "phone_call", "inbound", "--coach", "Bo Diaz",
                        "--subject", "First call", "--sentiment", "very_positive")
    *rows, figures = parent.run("recruiting", "interactions", "list")
    want([row["interaction"]["type"] for row in rows] == ["phone_call", "dm"], f"{rows}")
    want((figures["figures"]["total"], figures["figures"]["inbound"]) == (2, 1), f"{figures}")
    parent.fails("recruiting", "interactions", "delete", call["interaction"]["id"], "--force", code=66,
                 error="recruiting.not-found")
    family.want_closed("after the call", ("interactions", call["interaction"]["id"]))
    count = read_posts(stage, parent, athlete, family)

    athlete.run("recruiting", "links", "revoke", sent["link"]["id"])
    if isinstance(stage, Local):
        want(ask(link["address"], headers=BROWSER).status_code == 410, "the coach still sees the page")
    revoked, = parent.run("recruiting", "links", "list")
    want(revoked["state"] == "revoked", f"{revoked}")
    return f"sent, opened, logged, {count} posts read, revoked; closed to another family at {family.count} steps"


def read_posts(stage, parent, athlete, family):
    long = "The camp registration is open. " * 20
    platforms = Platforms(
        x={"annlee": [(number, f"Practice {number}") for number in range(1, 130)] + [(130, long)], "cywu": [(1, "Secret")]},
        instagram={"bo.diaz": [(number, "" if number == 7 else f"What a great win {number}!") for number in range(1, 31)]},
        protected={"cywu"})
    try:
        athlete.environment |= platforms.settings
        report, handles = sync(athlete, stage)
        want(report["added"] == 160, f"{report}")
        want(handles == {"annlee": (130, None), "bo.diaz": (30, None), "cywu": (0, "protected-account"),
                         "nowherevb": (0, "unknown-account")}, f"{handles}")
        # One lookup, and two pages on each platform.
        want(len(platforms.requests) == 5, f"{platforms.requests}")
        recruiting, = posts_of(parent, "--only", "recruiting")
        want(recruiting["post_content"].strip() == long.strip() and recruiting["coach_id"], f"{recruiting}")
        family.want_closed("after the sync", ("posts", recruiting["id"]))

        # Only new posts are read. A deleted one isn't added again.
        parent.run("recruiting", "posts", "delete", recruiting["id"], "--force")
        platforms.x["annlee"] += [(131, "Tryouts on Friday"), (132, "We lost again, so sad")]
        platforms.instagram["bo.diaz"].append((31, "New gym"))
        platforms.requests.clear()
        report, handles = sync(athlete, stage)
        want((report["added"], handles["annlee"], handles["bo.diaz"]) == (3, (2, None), (1, None)), f"{report}")
        # One lookup of accounts, one of stored posts, and a page on each platform.
        want(len(platforms.requests) == 4 and "since_id=130" in "".join(platforms.requests), f"{platforms.requests}")
        platforms.is_limited = True
        platforms.instagram["bo.diaz"].append((32, "Another one"))
        report, handles = sync(athlete, stage)
        want((report["added"], handles["annlee"][1], "retryAt" in report) == (1, "rate-limited", True), f"{report}")

        newest = posts_of(athlete, "--search", "tryouts")[0]
        athlete.run("recruiting", "posts", "flag", newest["id"])
        athlete.run("recruiting", "posts", "notes", newest["id"], "Ask about Friday")
        shown, = parent.run("recruiting", "posts", "show", newest["id"])
        want((shown["post"]["flagged_for_review"], shown["post"]["notes"]) == (True, "Ask about Friday"), f"{shown}")
        logged, = athlete.run("recruiting", "posts", "log", newest["id"], "--as", "tweet")
        want((logged["interaction"]["direction"], logged["coach"]) == ("inbound", "Ann Lee"), f"{logged}")
        figures, = parent.run("recruiting", "analytics", "--days", "all")
        want((figures["total"], figures["twitter"], figures["instagram"]) == (163, 131, 32), f"{figures}")
        family.want_closed("after the second sync", ("posts", newest["id"]))
        read_changed_posts(stage, athlete, platforms)
        return figures["total"]
    finally:
        platforms.close()


def read_changed_posts(stage, athlete, platforms):
    """Posts that were edited and deleted, limits inside the pages, and values of the wrong type."""
    def post(number):
        found = [each for each in posts_of(athlete) if each["post_url"] == f"https://twitter.com/annlee/status/{number}"]
        return found[0] if found else None

    platforms.is_limited, platforms.retry_after = True, 60
    report, _ = sync(athlete, stage)
    wait = datetime.fromisoformat(report["retryAt"]).timestamp() - time.time()
    want(30 < wait <= 61, f"Retry-After: {report}")
    platforms.is_limited, platforms.retry_after = False, None

    # The flagged post is edited, which gives it a new ID, and the other one is deleted.
    platforms.x["annlee"] = [each for each in platforms.x["annlee"] if each[0] < 131] + [(133, "Tryouts on Saturday", 131)]
    platforms.instagram["bo.diaz"][-1] = (32, "Another caption")
    report, _ = sync(athlete, stage)
    want((report["added"], report["changed"], report["removed"]) == (0, 2, 1), f"{report}")
    edited = post(131)
    want((edited["post_content"], edited["flagged_for_review"], edited["notes"])
         == ("Tryouts on Saturday", True, "Ask about Friday"), f"{edited}")
    want(post(132) is None and post(133) is None, "a deleted post, or an edited one twice")
    # A flagged post stays.
    platforms.x["annlee"].pop()
    report, _ = sync(athlete, stage)
    want(report["removed"] == 0 and post(131), f"{report}")

    # A limit after the first of three pages: the next sync continues there.
    platforms.x["annlee"] += [(number, f"Serve {number}") for number in range(201, 451)]
    platforms.page_budget = 1
    platforms.requests.clear()
    report, handles = sync(athlete, stage)
    want((report["added"], handles["annlee"]) == (100, (100, "rate-limited")), f"{report}")
    want(len([each for each in platforms.requests if "tweets?" in each and "users" in each]) == 1, f"{platforms.requests}")
    platforms.page_budget = None
    platforms.requests.clear()
    report, handles = sync(athlete, stage)
    want((report["added"], handles["annlee"]) == (150, (150, None)), f"{report}")
    want("until_id=351" in "".join(platforms.requests), f"{platforms.requests}")

    # The other posts are read.
    platforms.broken = [{"id": 5, "text": ["x"]}, None, "x"]
    platforms.x["annlee"].append((451, "Ace"))
    report, handles = sync(athlete, stage)
    skipped = {each["handle"]: each["skippedPosts"] for each in report["handles"]}
    want((report["added"], handles["annlee"], skipped["annlee"], skipped["bo.diaz"]) == (1, (1, None), 3, 3), f"{report}")
    platforms.broken = []

    # X no longer returns the account. Its posts stay.
    posts = platforms.x.pop("annlee")
    report, handles = sync(athlete, stage)
    want((report["removed"], handles["annlee"]) == (0, (0, "unknown-account")) and post(451), f"{report}")
    platforms.x["annlee"] = posts


def check_local(place):
    return play(place, Local(place))


def check_project(place):
    return in_project(place, play)
