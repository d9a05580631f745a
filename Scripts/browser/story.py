"""A player, a follower and a moderator: a video for followers, and who can get at it at each step."""

import json
import uuid

from backend import Account, want

from .recruit import enter
from .site import KEPT, until
from .watch import PLAYS


class Outside:
    """A program without an account, and an account that doesn't follow the player."""

    def __init__(self, site, highlight, playback, stranger):
        self.site, self.highlight, self.playback, self.stranger = site, highlight, playback, stranger
        self.step = ""

    def want_closed(self, step):
        for name, headers in ("a visitor", {}), ("a stranger", {"Authorization": f"Bearer {self.stranger.token}"}):
            for path in (f"/stream/{self.playback}.mp4", f"/stream/{self.playback}.m3u8",
                         f"/image/{self.playback}/thumbnail.jpg?time=2", f"/image/{self.playback}/animated.gif"):
                status = self.site.server.ask("GET", path, None, headers).status_code
                want(status in (403, 404), f"{step}: {name} gets {path} with {status}")
            rows = self.site.server.ask("GET", f"/rest/v1/highlights?id=eq.{self.highlight}", None, self.key(headers))
            want(rows.json() == [], f"{step}: {name} reads the row")
            answer = self.site.server.ask("POST", "/functions/v1/playback",
                                          {"highlight_ids": [self.highlight]}, self.key(headers))
            want(self.playback not in answer.text, f"{step}: {name} gets an address")
            page = self.site.server.ask("GET", f"/h/{self.highlight}", None, headers | {"Accept": "text/html"})
            want(page.status_code == 404 and self.playback not in page.text and "og:image" not in page.text,
                 f"{step}: {name} opens the page with {page.status_code}")

    def key(self, headers):
        return {"apikey": self.site.server.keys["publishable_key"]} | headers


def report(page, reason):
    page.get_by_label("Reason").select_option(reason)
    page.get_by_role("button", name="Send the report").click()
    page.get_by_text("pending").first.wait_for()


def decide(case, decision, reason):
    case.get_by_label("Decision").select_option(decision)
    case.get_by_label("Reason").fill(reason)
    case.get_by_role("button", name="Decide").click()


def check_story(site):
    player, follower, stranger = (
        Account(site.server, name, {"full_name": name.title()}) for name in ("player", "follower", "stranger"))
    name = "the.player" + uuid.uuid4().hex[:6]
    row = player.upload(site.tall.read_bytes(), caption="Only for friends #block", privacy_level="followers_only")
    clip = json.loads(player.ask("POST", "/functions/v1/playback", {"highlight_ids": [row["id"]]}).text)
    playback = json.dumps(clip).split("/stream/")[1].split(".")[0]
    outside = Outside(site, row["id"], playback, stranger)
    with (site.page(opens=False) as own, site.page(opens=False, expected=("404",)) as other,
          site.page(user="owner") as moderator):
        enter(site, own, player, "/settings")
        own.get_by_label("Username").fill(name)
        own.get_by_label("Who can see your highlights").select_option("followers_only")
        own.get_by_role("button", name="Save the profile").click()
        outside.want_closed("after the post")

        enter(site, other, follower, f"/u/{name}")
        other.get_by_role("button", name="Request to follow").click()
        other.get_by_role("button", name="Cancel request").wait_for()
        other.goto(f"{site.base}/h/{row['id']}")
        other.get_by_role("heading", name="Page not found").wait_for()
        outside.want_closed("after the request")

        own.goto(f"{site.base}/notifications")
        own.get_by_role("button", name="Accept Follower").click()
        until(own, "!document.getElementById('requests')", "the request is accepted")
        outside.want_closed("after the request was accepted")

        other.goto(f"{site.base}/following")
        until(other, PLAYS, "the video plays for the follower")
        other.locator("a.talk").first.focus()
        other.keyboard.press("c")
        sheet = other.get_by_role("dialog", name="Comments")
        sheet.get_by_label("Write a comment").fill(f"What a block @{name}, you fool")
        sheet.get_by_role("button", name="Send").click()
        sheet.get_by_text("What a block").wait_for()
        sheet.get_by_role("status").get_by_text("Comment posted").wait_for()
        until(other, PLAYS, "the video plays while comments are open")
        other.keyboard.press("Escape")
        # The browser reports the end of a dialog later.
        until(other, "!document.querySelector('dialog')", "Escape closes the comments")
        until(other, "document.activeElement.matches('.talk')", "the focus returns to the link")
        outside.want_closed("after the comment")

        own.goto(f"{site.base}/notifications")
        own.get_by_role("link", name="mentioned you").click()
        own.get_by_role("link", name="Report this comment").click()
        report(own, "harassment")

        moderator.goto(f"{site.base}/moderation")
        decide(moderator.locator(".case", has_text="you fool"), "remove", "Insult")
        until(moderator, "!document.querySelector('.case')?.textContent.includes('you fool')", "the case is decided")

        other.goto(f"{site.base}/notifications")
        other.get_by_text("Your comment was removed").wait_for()
        other.get_by_text("Insult").first.wait_for()
        other.goto(f"{site.base}/h/{row['id']}")
        want(other.get_by_text("you fool").count() == 0, "the comment is still there")
        outside.want_closed("after the decision")

        other.goto(f"{site.base}/report?type=highlight&id={row['id']}")
        report(other, "other")
        moderator.goto(f"{site.base}/moderation")
        case = moderator.locator(".case", has_text="Only for friends")
        case.locator("video").evaluate("(video) => video.play()")
        until(moderator, "[...document.querySelectorAll('.case video')].some((one) => one.currentTime > 0)",
              "the moderator sees the video")
        moderator.screenshot(path=KEPT / "case.png")
        decide(case, "dismiss", "No rule is broken")
        outside.want_closed("after the moderator watched it")

        own.goto(f"{site.base}/u/{name}")
        own.get_by_role("link", name="1 follower").click()
        own.get_by_role("link", name="Follower", exact=True).click()
        own.get_by_role("button", name="Remove follower").click()
        own.get_by_role("button", name="Remove follower").wait_for(state="detached")
        other.goto(f"{site.base}/h/{row['id']}")
        other.get_by_role("heading", name="Page not found").wait_for()
    return "posted, requested, accepted, watched, mentioned, reported, removed, unfollowed; closed to others at each step"


def check_own_highlight(site):
    """The author's forms: tags with suggestions, a download, a trim after a preview, and the level."""
    ann = site.ann
    row = ann.upload(site.clip("wide", "rally-4k.mp4", "1280:720", 6).read_bytes(), caption="Mine")
    want(site.ids, "there are tags to suggest")
    with site.page(f"/h/{row['id']}", user="ann") as page:
        page.get_by_text("Edit", exact=True).click()
        page.get_by_label("Tags, separated by spaces").type("spi")
        page.get_by_role("button", name="#spike").click()
        want(page.get_by_label("Tags, separated by spaces").input_value() == "#spike ", "the tag is not completed")
        page.get_by_role("button", name="Save", exact=True).click()
        page.get_by_role("link", name="#spike").wait_for()
        with page.expect_download() as download:
            page.get_by_role("link", name="Download").click()
        want(download.value.suggested_filename == "highlight.mp4", f"{download.value.suggested_filename} is downloaded")
        page.get_by_text("Trim", exact=True).first.click()
        page.get_by_label("From, in seconds").fill("1")
        page.get_by_label("To, in seconds").fill("4.5")
        page.get_by_role("button", name="Preview").click()
        until(page, "(() => { const v = document.querySelector('video'); return v.currentTime >= 4.4 && v.paused; })()",
              "the preview ends with the part")
        page.get_by_role("button", name="Trim", exact=True).click()
        page.locator(".length", has_text="0:04").wait_for()
        want(page.locator("meta[property='og:image']").count() == 1, "a public clip has no preview")
        page.get_by_text("Edit", exact=True).click()
        page.get_by_label("Who can see it").select_option("private")
        page.get_by_role("button", name="Save", exact=True).click()
        page.locator(".badge", has_text="private").wait_for()
        want(page.locator("meta[property^='og:']").count() == 0, "a closed clip has a preview")
        page.get_by_text("Edit", exact=True).click()
        page.get_by_label("Who can see it").select_option("public")
        page.get_by_role("button", name="Save", exact=True).click()
        page.get_by_role("button", name="Make it public").click()
        page.get_by_text("Edit", exact=True).wait_for()
        want(page.locator("meta[property='og:image']").count() == 1, "the confirmed clip is not public")
        page.get_by_text("Delete", exact=True).click()
        page.screenshot(path=KEPT / "delete.png")
        page.get_by_role("button", name="Delete the highlight").click()
        page.wait_for_url("**/u/**")
        want(ann.ask("GET", f"/rest/v1/highlights?id=eq.{row['id']}").json() == [], "the highlight is still there")
    return "tags are suggested, a file is saved, a part is kept, a closed clip has no preview, a deleted one is gone"


def check_picture(site):
    with site.page("/settings", user="ann") as page:
        page.locator("#file-field").set_input_files(
            {"name": "me.png", "mimeType": "image/png", "buffer": page.screenshot()})
        canvas = page.locator("#crop canvas")
        canvas.wait_for()
        page.get_by_label("Zoom").fill("2")
        canvas.press("ArrowRight")
        page.get_by_role("button", name="Save the picture").click()
        page.get_by_role("button", name="Remove the picture").wait_for()
        until(page, "document.querySelector('img.avatar').naturalWidth === 512", "the cropped picture is shown")
        page.get_by_role("button", name="Remove the picture").click()
        page.locator("img.avatar").first.wait_for(state="detached")
    return "cropped, shown and removed"


def drag(page, start, end, wait=0):
    """Moves a finger. Chromium derives scrolls, canceled touches and clicks from it, as on a phone."""
    session = page.context.new_cdp_session(page)

    def send(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    send("touchStart", start)
    for step in range(1, 9) if start != end else ():
        send("touchMove", tuple(one + (other - one) * step / 8 for one, other in zip(start, end)))
    page.wait_for_timeout(wait)
    send("touchEnd")


def pinch(page, middle, start, end):
    """Two fingers move from one distance from the middle to another."""
    session = page.context.new_cdp_session(page)

    def send(kind, *offsets):
        points = [{"x": middle[0] + sign * offset, "y": middle[1], "id": index}
                  for offset in offsets for index, sign in enumerate((-1, 1))]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", start)
    for step in range(1, 6):
        send("touchMove", start + (end - start) * step / 5)
    send("touchEnd")


def check_gestures(site):
    """Swipes, pinches, taps, a long press and keys on a phone."""
    highlight = site.ids[4]
    with site.page("/latest", width=390, height=844, user="ann", has_touch=True) as page:
        first = page.locator(".post").first
        like = first.locator("button.like")
        until(page, PLAYS, "the first clip plays")
        # A post with several clips scrolls sideways, so that only keys work there.
        page.keyboard.press("o")
        options = page.get_by_role("dialog", name="Options")
        options.get_by_role("button", name="Like").click()
        until(page, "document.querySelector('form:not([data-busy]) > button.like[aria-pressed=true]')", "O offers Like")
        page.keyboard.press("z")
        until(page, "document.querySelector('video').style.transform === 'scale(2)'", "Z zooms in")
        page.keyboard.press("z")
        until(page, "document.querySelector('video').style.transform === ''", "Z zooms out")
        with page.expect_response(lambda response: "like" in response.url):
            like.click()
    with site.page("/tags/spike", width=390, height=844, user="ann", has_touch=True) as page:
        until(page, PLAYS, "the first clip plays")
        pressed = "document.querySelector('button.like').getAttribute('aria-pressed')"
        want(page.evaluate(f"{pressed} === 'false'"), "the highlight is liked already")
        drag(page, (150, 500), (230, 200))
        page.wait_for_timeout(1000)
        page.evaluate("document.querySelector('.post').scrollIntoView()")
        page.wait_for_timeout(1000)
        until(page, PLAYS, "the first clip plays after the scroll")
        want(page.evaluate(f"{pressed} === 'false'"), "a scroll likes")
        drag(page, (100, 300), (250, 300))
        until(page, f"{pressed} === 'true'", "a swipe to the right likes")
        drag(page, (200, 300), (200, 300), wait=800)
        options = page.get_by_role("dialog", name="Options")
        options.get_by_role("button", name="Unlike").wait_for()
        page.wait_for_timeout(500)
        want(options.is_visible(), "the end of the touch closes the options")
        entries = options.locator("li button").all_inner_texts()
        want(entries == ["Unlike", "Comments", "Share the link", "Report", "Zoom in"], f"the options are {entries}")
        options.get_by_role("button", name="Comments").tap()
        page.get_by_role("dialog", name="Comments").get_by_label("Write a comment").wait_for()
        page.keyboard.press("Escape")
        drag(page, (250, 300), (100, 300))
        until(page, "document.querySelectorAll('.post')[1].getBoundingClientRect().top < 200", "a swipe to the left skips")
        want(page.evaluate(f"{pressed} === 'true'"), "a skip changes the like")
    with site.page(f"/h/{highlight}", width=390, height=844, user="ann", has_touch=True) as page:
        until(page, PLAYS, "the clip plays")
        scale = "Number(document.querySelector('video').style.transform.replace(/[^0-9.]/g, '') || 1)"
        box = page.locator(".stage").bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        # Half the distance of the fingers in pixels.
        for start, end, zoom in (20, 50, 2.5), (20, 180, 4), (100, 5, 1):
            pinch(page, middle, start, end)
            until(page, f"Math.abs({scale} - {zoom}) < 0.1", f"a pinch zooms to {zoom}")
        # The heart is gone after 0.8 s, which a busy computer can miss.
        page.evaluate("""new MutationObserver(() => {
            if (document.querySelector(".burst")) document.body.dataset.heart = "shown";
        }).observe(document.body, { childList: true, subtree: true })""")
        page.locator(".stage .toggle").dblclick()
        until(page, "document.body.dataset.heart", "a double tap shows a heart")
        until(page, f"{pressed} === 'true'", "a double tap likes")
        page.locator(".burst").wait_for(state="detached")
        page.locator(".stage .toggle").dblclick()
        # Removing the like would show at once.
        want(page.evaluate(f"{pressed} === 'true'"), "the next double tap removes the like")
        page.locator("button.like").first.click()
        until(page, f"{pressed} === 'false'", "the like is removed")
    return "swipes like and skip, pinches zoom, double taps like, a long press and O show options, Z zooms"
