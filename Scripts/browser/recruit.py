"""The pages of recruiting: a family, a link that a coach opens, posts and charts."""

from backend import PASSWORD, Account, want

from .look import inspect, want_fit
from .site import KEPT, PUBLIC_BASE, Family, ago, until

# The visible targets, except for links in texts, that are too low.
SMALL = """[...document.querySelectorAll('main :is(a.button, .sections a, button, select, summary, input, textarea)')]
  .filter((one) => one.checkVisibility() && !['checkbox', 'radio', 'hidden'].includes(one.type))
  .filter((one) => one.getBoundingClientRect().height < 43.9)
  .map((one) => `${one.outerHTML.slice(0, 80)} ${one.getBoundingClientRect().height}`)"""


def enter(site, page, account, path="/family"):
    page.goto(f"{site.base}/sign-in?next={path}")
    page.get_by_label("Email").fill(account.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector("#menu")


def figure(page, label):
    return page.locator("#figures li", has_text=label).locator("b").inner_text()


def choice(page, name):
    # Pages with filters have lists of the same names.
    page.wait_for_url("**/interactions/add?*")
    return page.locator(f"select[name={name}]").input_value()


def check_story(site):
    """Without JavaScript, except for the coach's player."""
    mia, leo = (Account(site.server, name, {"full_name": name.title()}) for name in ("mia", "leo"))
    highlight = leo.upload(site.tall.read_bytes(), caption="Block party #block")["id"]
    with (site.page(opens=False, java_script_enabled=False) as parent,
          site.page(opens=False, java_script_enabled=False) as athlete,
          site.page(opens=False, expected=("410",)) as coach):
        enter(site, parent, mia, "/social")
        parent.wait_for_url("**/family")
        parent.locator("#new-name").fill("The Spikers")
        parent.get_by_role("button", name="Create the family").click()
        parent.get_by_label("Role").select_option("athlete")
        parent.get_by_role("button", name="Create an invitation").click()
        code = parent.locator("#code").inner_text()
        enter(site, athlete, leo)
        athlete.get_by_label("Invitation code").fill(code.lower())
        athlete.get_by_role("button", name="Join the family").click()
        athlete.get_by_role("heading", name="The Spikers").wait_for()
        athlete.goto(f"{site.base}/schools/import")
        athlete.get_by_label("CSV file").set_input_files(
            {"name": "schools.csv", "mimeType": "text/csv", "buffer": "School,Twitter\nStanford,@stanford\n".encode()})
        athlete.get_by_role("button", name="Preview").click()
        athlete.get_by_role("button", name="Add 1 school").click()
        athlete.goto(f"{site.base}/coaches/add")
        athlete.get_by_label("First name").fill("John")
        athlete.get_by_label("Last name").fill("Smith")
        athlete.get_by_label("School").select_option("Stanford")
        athlete.get_by_label("X (Twitter) handle").fill("https://x.com/coachsmith")
        athlete.get_by_role("button", name="Save the coach").click()
        coach_page = athlete.url
        athlete.goto(f"{site.base}/h/{highlight}")
        athlete.get_by_role("link", name="Send to a coach").click()
        athlete.get_by_role("button", name="Create the link").click()
        address = athlete.locator("#address").inner_text()
        want(address.startswith(f"{PUBLIC_BASE}/s/"), f"the link is {address}")
        path = address.removeprefix(PUBLIC_BASE)
        parent.goto(site.base + path)
        coach.goto(site.base + path)
        want(coach.context.cookies() == [], "the visitor of a link gets a cookie")
        coach.evaluate("document.querySelector('video').play()")
        until(coach, "document.querySelector('video').currentTime > 0.3", "the link's video plays")
        parent.goto(coach_page)
        parent.get_by_text("Opened 1 time,").wait_for()
        parent.get_by_text("Last contact").wait_for()
        parent.get_by_text("Revoke the link", exact=True).first.click()
        parent.get_by_role("button", name="Revoke the link").click()
        parent.get_by_text("Revoked", exact=True).wait_for()
        coach.reload()
        coach.get_by_role("heading", name="This link has ended").wait_for()
        parent.goto(f"{site.base}/interactions")
        parent.get_by_text("1 interaction found").wait_for()
    return "a parent invites the athlete, who sends a highlight; the coach opens it; the parent revokes the link"


def check_posts(site):
    family = site.family
    Family.call(site.owner, "ingest_posts", family=family.id, posts=[
        family.post(901, "Offers go out today", "positive", ago(0))])
    with site.page("/social", user="owner") as page:
        want((figure(page, "Total Posts"), page.locator(".socialpost").count()) == ("61", 50), "another number of posts")
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        until(page, "document.querySelectorAll('.socialpost').length === 61", "older posts are added")
        page.evaluate("scrollTo(0, 0)")
        first = page.locator(".socialpost").first
        first.get_by_role("button", name="Flag for review").click()
        first.locator("[aria-pressed=true]").wait_for()
        until(page, "document.querySelector('#figures li:last-child b').textContent === '1'", "the card counts the flag")
        want(page.locator(".socialpost").count() == 61, "the flag leaves the page")
        page.get_by_label("Type").select_option("flagged")
        page.wait_for_url("**/social?type=flagged")
        want(page.locator(".socialpost").count() == 1, "the filter shows other posts")
        page.get_by_role("button", name="Flag for review").click()
        page.locator(".socialpost").wait_for(state="detached")
        page.get_by_role("link", name="Remove the filter Flagged Only").click()
        page.wait_for_url("**/social")
        post = page.locator(".socialpost").first
        notes = post.get_by_label("Notes of your family")
        post.get_by_text("Add notes").click()
        until(page, "document.activeElement.name === 'notes'", "the field for notes has the focus")
        page.keyboard.type("Half a note")
        other = page.locator(".socialpost").nth(1)
        other.get_by_role("button", name="Flag for review").click()
        other.locator("[aria-pressed=true]").wait_for()
        want(notes.input_value() == "Half a note", "a flag clears the notes")
        post.get_by_role("button", name="Cancel").click()
        want(not notes.is_visible() and notes.input_value() == "", "Cancel keeps the notes")
        post.get_by_text("Add notes").click()
        notes.fill("Ask about <housing>")
        post.get_by_role("button", name="Save").click()
        page.get_by_text("Ask about <housing>").first.wait_for()
        page.locator(".post-text .switch").first.click()
        want(page.locator(".post-text[open] .body").first.is_visible(), "a long post is not shown")
        page.get_by_role("link", name="Log as interaction").first.click()
        want((choice(page, "type"), choice(page, "coach")) == ("tweet", family.coach),
             "the form has another type or coach")
        page.get_by_role("button", name="Log Interaction").click()
        page.get_by_text("Offers go out today").wait_for()
        page.goto(f"{site.base}/social?q=offers")
        post = page.locator(".socialpost").first
        post.locator("summary", has_text="Delete").click()
        post.get_by_text("Delete this post from your feed?").wait_for()
        post.get_by_role("button", name="Delete the post").click()
        page.get_by_text("No posts match your filters").wait_for()
    return "60 posts while scrolling; flag, notes, log as interaction and deletion"


def check_zone(site):
    """Times are in the browser's time zone."""
    for zone, shown in ("Asia/Tokyo", "Feb 3, 2026, 9:30 AM"), ("America/New_York", "Feb 2, 2026, 7:30 PM"):
        interaction = site.family.insert("interactions", type="email", direction="inbound", subject=zone,
                                         occurred_at="2026-02-03T00:30:00Z")
        with site.page(f"/interactions/{interaction}", user="owner", timezone_id=zone) as page:
            page.get_by_text(shown).wait_for()
            page.get_by_text(f"({zone})").wait_for()
            page.goto(f"{site.base}/interactions/{interaction}/edit")
            want(page.get_by_label("Date and time").input_value()[11:] == ("09:30" if "Asia" in zone else "19:30"),
                 "the field has another time")
    return "in lists and forms"


def check_charts(site):
    with site.page("/social/analytics?days=90", user="ann") as page:
        total = int(figure(page, "Total Posts"))
        titles = page.evaluate("[...document.querySelectorAll('.days title')].map((one) => one.textContent)")
        counts = [int(title.split(": ")[1].split()[0]) for title in titles]
        want((len(counts), sum(counts)) == (90, total), f"{len(counts)} bars add up to {sum(counts)} of {total} posts")
        heights = page.evaluate("[...document.querySelectorAll('.days .fill')].map((one) => one.getBBox().height)")
        want(heights[counts.index(max(counts))] == max(heights), "the largest count has not the highest bar")
        page.get_by_role("img", name="Sentiment distribution chart. Very Positive").wait_for()
        lengths = page.evaluate("""[...document.querySelectorAll('.bars svg')].map((svg) =>
          (svg.querySelector('.fill')?.width.baseVal.value ?? 0) / svg.querySelector('.track').width.baseVal.value)""")
        shares = page.evaluate("[...document.querySelectorAll('.bars span:nth-of-type(even)')].map((one) => one.textContent)")
        want([f"({length:.0%})".replace("%", " %") for length in lengths] == [share.split(" ", 1)[1] for share in shares],
             f"bars of {lengths} show {shares}")
        page.get_by_role("link", name="View All").click()
        page.wait_for_url("**/social?type=recruiting")
        page.emulate_media(media="print")
        page.goto(f"{site.base}/social/analytics")
        want(not page.locator(".bar").is_visible() and page.locator(".days").is_visible(), "the print-out is wrong")
        names = page.evaluate("[...document.querySelectorAll('.fill')].map((one) => getComputedStyle(one).animationName)")
        want(set(names) == {"none"}, "the bars of the print-out haven't their full length")
        page.screenshot(path=KEPT / "analytics-print.png", full_page=True)
    return "90 bars that add up to the total, and a print-out"


def stored_posts(family):
    return family.owner.ask("GET", f"/rest/v1/social_media_posts?select=*&family_unit_id=eq.{family.id}").json()


def check_sync(site):
    """Posts of X and Instagram are added, one is flagged and logged, and the figures agree with a separate count."""
    family = site.family
    # A sync removes stored posts that X no longer has.
    stored = [(int(post["post_url"].rsplit("/", 1)[1]), post["post_content"]) for post in stored_posts(family)
              if post["platform"] == "twitter"]
    site.platforms.x = {"coach": sorted(stored) + [(number, f"Great win {number}") for number in range(2001, 2004)]}
    site.platforms.instagram = {"coach.official": [(3001, "Camp registration is open")]}
    with site.page("/social", user="owner") as page:
        before = int(figure(page, "Total Posts"))
        clicked = page.evaluate("""[1, 2].map(() => {
          const button = document.getElementById("sync");
          button.click();
          return `${button.disabled} ${button.textContent}`;
        })""")
        want(clicked == ["true Syncing..."] * 2, f"the button of a sync that runs is {clicked}")
        page.get_by_role("status").get_by_text("4 new posts").wait_for()
        page.locator("#sync-message").wait_for(state="hidden")
        synced = [url for url in page.requested if url.endswith("/social/sync")]
        want(len(synced) == 1, "a second click starts a second sync")
        want(int(figure(page, "Total Posts")) == before + 4, "another number of posts is added")
        page.goto(f"{site.base}/social?q=camp+registration")
        page.get_by_role("button", name="Flag for review").click()
        page.locator(".socialpost [aria-pressed=true]").wait_for()
        page.get_by_role("link", name="Log as interaction").click()
        want(choice(page, "type") == "dm", "the form has another type")
        page.get_by_role("button", name="Log Interaction").click()
        page.get_by_text("Camp registration is open").wait_for()

        page.goto(f"{site.base}/social/analytics?days=all")
        posts = stored_posts(family)
        recruiting = sum(post["is_recruiting_related"] for post in posts)
        moods = [post["sentiment"] for post in posts if post["sentiment"] is not None]
        positive = sum(mood in ("positive", "very_positive") for mood in moods)
        schools = {post["school_id"] for post in posts} - {None}
        shown = {label: figure(page, label) for label in (
            "Total Posts", "Recruiting Posts", "Positive Sentiment", "Active Schools")}
        counted = {"Total Posts": f"{len(posts)}", "Recruiting Posts": f"{recruiting}",
                   "Positive Sentiment": f"{positive}", "Active Schools": f"{len(schools)}"}
        want(shown == counted, f"{shown} instead of {counted}")
        for platform in "twitter", "instagram":
            count = sum(post["platform"] == platform for post in posts)
            want(page.locator(f".platforms .{platform} b").inner_text() == f"{count}", f"{platform}: not {count} posts")
    return f"4 posts of two platforms; figures of {len(posts)} posts agree"


def check_clicks(site):
    """Chips, cards and ranges open their pages; long texts are shortened; labels don't overlap."""
    interaction = site.family.interaction
    with site.page("/interactions?type=email&direction=inbound", user="owner", width=320) as page:
        page.get_by_role("link", name="Remove the filter Email").click()
        page.wait_for_url("**/interactions?direction=inbound")
        page.get_by_role("link", name="Clear all").click()
        page.wait_for_url(f"{site.base}/interactions")
        lines = page.evaluate("""['subject', 'content'].map((name) => Math.max(...[...document.querySelectorAll(`.entry .${name}`)]
          .map((one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight))))""")
        want(lines[0] < 1.5 and 1.5 < lines[1] < 2.5, f"the texts of a card have {lines} lines")
        page.locator(f".cover[href$='{interaction}']").click()
        page.wait_for_url(f"**/interactions/{interaction}")
        page.go_back()
        page.get_by_role("link", name="Log Interaction").click()
        page.wait_for_url("**/interactions/add")
        page.goto(f"{site.base}/social/analytics")
        page.locator(".ranges a[href$='days=90']").click()
        page.wait_for_url("**/social/analytics?days=90")
        want(page.locator(".ranges [aria-current]").count() == 1, "several ranges are selected")
        ends = page.evaluate("[...document.querySelectorAll('.axis span')].map((one) => one.getBoundingClientRect())"
                             ".map((box) => [box.left, box.right])")
        want(len(ends) == 2 and ends[0][1] < ends[1][0], f"the labels of the days are at {ends}")
        page.get_by_role("link", name="Back to Social Feed").click()
        page.wait_for_url(f"{site.base}/social")
    return "chips, cards, ranges and links; one line and two lines of text; two labels"


def check_text_size(site):
    """With text of twice the size, nothing is wider than a phone's window."""
    with site.page(opens=False, user="owner", width=390, height=844) as page:
        for path in "/social", f"/social/coach/{site.family.coach}", "/social/analytics", "/interactions":
            page.goto(site.base + path)
            size = "parseFloat(getComputedStyle(document.querySelector('main p')).fontSize)"
            before = page.evaluate(size)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            want(page.evaluate(size) > 1.9 * before, f"{path}: the text keeps its size")
            if path.endswith("analytics"):
                chart = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.bars span')).fontSize)")
                want(chart >= 1.75 * before, f"the chart's text has {chart} px")
                page.screenshot(path=KEPT / "analytics-large-text.png", full_page=True)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            want(wide <= 0, f"{path}: {wide} px wider than the window")
    return "four pages at 200 %"


def check_connection(site):
    """A list that cannot grow shows the reason, and a button that tries again. Without a connection, no sync can start."""
    want(site.family is not None, "there is no family")
    count, end = "document.querySelectorAll('.socialpost').length", "scrollTo(0, document.body.scrollHeight)"
    with site.page("/social", user="owner", expected=("ERR_INTERNET_DISCONNECTED", "500")) as page:
        failure = page.locator("#load-failure[role=alert]")
        page.route("**/social?before=*", lambda route: route.fulfill(status=500, body=""))
        page.evaluate(end)
        failure.get_by_text("Server error. Please try again.").wait_for()
        page.unroute("**/social?before=*")
        page.context.set_offline(True)
        page.locator("#offline").wait_for(state="attached")
        want(page.locator("#sync").is_disabled(), "a sync can start without a connection")
        failure.get_by_role("button", name="Try again").click()
        failure.get_by_text("Unable to load posts. Check your connection.").wait_for()
        until(page, "document.activeElement.textContent === 'Try again'", "the button keeps the focus")
        page.locator(".socialpost").first.get_by_role("button", name="Flag for review").click()
        page.locator("#toast").get_by_text("You are offline.").wait_for()
        want(page.evaluate(count) == 50, "the list has another length")
        page.context.set_offline(False)
        until(page, f"{count} > 50 && !document.getElementById('load-failure')", "the list continues")
        want(page.locator("#offline").count() == 0 and page.locator("#sync").is_enabled(), "the page is still offline")
    # After the session has ended, requests are refused.
    with site.page("/social", user="owner", expected=("403",)) as page:
        page.context.clear_cookies()
        page.evaluate(end)
        page.locator("#load-failure").get_by_role("link", name="Sign in").click()
        page.wait_for_url("**/sign-in?*")
    with site.page(opens=False, user="owner", expected=("403",)) as page:
        page.add_init_script("const limit = AbortSignal.timeout; AbortSignal.timeout = () => limit.call(AbortSignal, 200)")
        page.goto(f"{site.base}/social")
        held = []
        page.route("**/social?before=*", lambda route: held.append(route))
        page.evaluate(end)
        page.locator("#load-failure").get_by_text("Connection timed out").wait_for()
        for route in held:
            route.abort()
        page.unroute("**/social?before=*")
        page.context.clear_cookies()
        page.get_by_role("button", name="Try again").click()
        page.wait_for_url("**/sign-in?*")
    return "reasons, a button, offline and online again, and a session that has ended"


def pages(site):
    family = site.family
    shared = {"family": "/family", "interactions": "/interactions", "social": "/social",
              "social-filtered": "/social?type=recruiting&q=camp", "social-nothing": "/social?q=zzzz",
              "social-coach": f"/social/coach/{family.coach}", "social-analytics": "/social/analytics"}
    athlete = shared | {
        "schools": "/schools", "school": f"/schools/{family.school}", "school-form": f"/schools/{family.school}/edit",
        "coaches": "/coaches", "coach": f"/coaches/{family.coach}", "coach-form": f"/coaches/{family.coach}/edit",
        "import": "/coaches/import", "interaction": f"/interactions/{family.interaction}",
        "interaction-form": "/interactions/add", "send": f"/h/{site.ids[0]}/send", "archive": "/schools?archived=1",
        "coach-missing": f"/social/coach/{family.id}"}
    return (("owner", athlete), ("ann", {f"parent-{name}": path for name, path in shared.items()}),
            (None, {"link": family.link, "link-missing": "/s/nothing"}))


def check_widths(site):
    for user, paths in pages(site):
        with site.page(opens=False, user=user, expected=("404",)) as page:
            want_fit(site, page, paths)
            page.set_viewport_size({"width": 390, "height": 844})
            for name, path in paths.items():
                page.goto(site.base + path)
                small = page.evaluate(SMALL)
                want(not small, f"{name} has targets with less than 44 px: {small[:3]}")
    return "from 320 to 3840 px, targets of at least 44 px"


def check_axe(site):
    return f"{inspect(site, pages(site))} pages, no findings"
