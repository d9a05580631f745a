"""Signing in, liking, talking, following, and the queue of the owner."""

import signal
import subprocess

from oracles.ground import PATIENCE, want

from .site import PASSWORD, until
from .watch import NOW


def signed(site):
    """Options of a page whose browser somebody has signed in with."""
    def make():
        with site.page(opens=False) as page:
            sign_in(site, page)
            return page.context.storage_state()
    return {"storage_state": site.keep("signed", make), "opens": False}


def sign_in(site, page, path="/"):
    page.goto(f"{site.base}/sign-in?next={path}")
    page.get_by_label("Email").fill(site.ann)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector("#menu")


def check_signing(site):
    highlight = site.ids[2]
    with site.page(f"/h/{highlight}", opens=bool(site.ann)) as page:
        page.get_by_role("link", name="Sign in to comment").click()
        page.expected = "401",
        page.get_by_label("Email").fill(site.ann)
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("alert").get_by_text("Wrong email or password").wait_for()
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"**/h/{highlight}")
        page.get_by_text("Ann 排球 Möller").first.click()
        want(page.evaluate("document.cookie") == "", "scripts see a cookie")
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("link", name="Sign in", exact=True).wait_for()
    with site.page(entered=True) as page:
        page.get_by_text("Volleyball Player").first.wait_for()
    return "with an account, out again, and as the owner by the address of --open"


def check_like(site):
    highlight = site.ids[1]
    with site.page(**signed(site)) as page:
        page.goto(f"{site.base}/#h-{highlight}")
        like = page.locator(f"#like-{highlight}")
        like.scroll_into_view_if_needed()
        until(page, f"{NOW}?.post === 'h-{highlight}'", "the clip in view is the one to like")
        page.keyboard.press("l")
        until(page, f"document.querySelector('#like-{highlight} .figure').textContent === '1'", "L likes")
        want(like.get_attribute("aria-pressed") == "true", "the button is not pressed")
        until(page, "document.getElementById('live').textContent.includes('1 like')", "the live region tells")
        want(page.url.startswith(f"{site.base}/") and "/h/" not in page.url, f"it led away to {page.url}")
        page.reload()
        want(like.get_attribute("aria-pressed") == "true", "the like is gone after a reload")
        like.click()
        until(page, f"document.querySelector('#like-{highlight} .figure').textContent === '0'", "it is taken back")
        page.reload()
        want(like.get_attribute("aria-pressed") == "false", "the like is there after a reload")
    return "on and off, counted at once and true after a reload"


def check_comments(site):
    highlight, text = site.ids[2], 'Great dig 🏐 <b>"really"</b> مرحبا'
    with site.page(opens=False) as page:
        sign_in(site, page, f"/h/{highlight}")
        page.keyboard.press("c")
        page.keyboard.type(text)
        page.keyboard.press("Control+Enter")
        page.locator(".said").get_by_text(text, exact=True).wait_for()
        want(page.get_by_role("heading", name="1 comment").count() == 1, "the count is another one")
        want(page.locator(f"#talk-{highlight} .figure").text_content() == "1", "the button counts another number")
        page.reload()
        page.locator(".said").get_by_text(text, exact=True).wait_for()
        page.get_by_label("Write a comment").fill("Half a comment")
        page.locator("button.like").click()
        page.locator("button.like[aria-pressed=true] .figure").get_by_text("1").wait_for()
        want(page.get_by_label("Write a comment").input_value() == "Half a comment", "a like wipes what was written")
        page.locator("button.like").click()
        page.locator("button.like[aria-pressed=false] .figure").get_by_text("0").wait_for()
        page.get_by_label("Write a comment").fill("x" * 501)
        want(page.get_by_role("button", name="Send").is_disabled(), "501 characters can be sent")
        page.get_by_role("button", name="Delete your comment").click()
        page.get_by_role("heading", name="0 comments").wait_for()
        page.reload()
        want(page.locator(".said").count() == 0, "the comment is there after a reload")
    # The same without JavaScript.
    with site.page(opens=False, java_script_enabled=False) as page:
        sign_in(site, page, f"/h/{highlight}")
        page.get_by_label("Write a comment").fill("Plain words")
        page.get_by_role("button", name="Send").click()
        want(page.locator(".said").text_content() == "Plain words", "the comment is not there")
        page.get_by_role("button", name="Delete your comment").click()
        want(page.locator(".said").count() == 0, "the comment is still there")
        page.locator("button.like").click()
        want(page.locator("button.like").get_attribute("aria-pressed") == "true", "the like is not there")
        page.locator("button.like").click()
    return "written, read and deleted, with JavaScript and without"


def check_profile(site):
    with site.page(**signed(site)) as page:
        page.goto(f"{site.base}/u/local")
        want(page.locator(".tile").count() == len(site.ids), "the grid is not whole")
        columns = page.evaluate("new Set([...document.querySelectorAll('.tile')].map((one) => one.offsetLeft)).size")
        want(columns == 3, f"it has {columns} columns")
        want(page.locator(".several").count() == 1, "the post of several clips has no mark")
        page.get_by_role("button", name="Follow").click()
        page.get_by_role("button", name="Unfollow").wait_for()
        want("1 follower" in page.locator(".counts").inner_text().replace("\n", " "), "the follower is not counted")
        page.get_by_role("button", name="Unfollow").click()
        page.get_by_role("button", name="Follow", exact=True).wait_for()
        page.locator(".tile").first.click()
        page.wait_for_url("**/h/**")
    return "three columns, a mark on several, follow and unfollow"


def check_queue(site):
    with site.page("/uploads", entered=True) as page:
        until(page, "document.getElementById('queue-state').textContent.includes('as it happens')", "events come")
        page.get_by_text("Nothing has been shared from this computer yet").wait_for()
        done = subprocess.run(
            [site.bsc, "share", site.root / "Samples/rally-portrait.mp4", "--json", "--quiet"], env=site.server.home,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        want(done.returncode == 0, f"share: {done.stderr[-300:]}")
        row = page.get_by_role("row", name="rally-portrait.mp4")
        row.get_by_text("registered").wait_for()
        row.get_by_role("link", name="Watch").click()
        page.wait_for_url("**/h/**")
    with site.page("/uploads", opens=False) as page:
        page.expected = "403",
        page.goto(f"{site.base}/uploads")
        want("For the owner only" in page.content(), "strangers see the queue")
    with site.page("/uploads", entered=True, java_script_enabled=True) as page:
        want(page.locator("#queue tbody tr").count() == 1, "the table is another one")
    return "a share appears while it goes on, and leads to its highlight; the owner's alone"


def check_batches(site):
    """The page of a report, as `compress --report html` makes it."""
    report = site.folder / "court <b>.jsonl"
    done = subprocess.run(
        [site.bsc, "compress", site.tall, "-o", f"{site.folder}/results/", "--report", f"jsonl={report}"],
        env=site.server.home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    want(done.returncode == 0, f"compress: {done.stderr[-300:]}")
    site.server.process.send_signal(signal.SIGINT)
    site.server.process.wait(PATIENCE)
    site.server.flags += "--report", str(report), "--report", str(site.folder / "results")
    site.server.start()
    with site.page("/batches", entered=True) as page:
        for name in report.name, "results":
            page.goto(f"{site.base}/batches")
            page.get_by_role("link", name=name).click()
            page.get_by_text("tall.mp4").first.wait_for()
            bar = page.locator(".bar rect").first.bounding_box()
            want(bar and bar["width"] > 0, "the bar of the sizes is not drawn")
            until(page, "[...document.images].every((one) => one.naturalWidth > 0)", "a picture is broken")
        want(page.locator("img").count() == 1, "the result has no picture")
    return "a report and a folder of results, with bars and pictures, under a policy"


CHECKS = {
    "signing": check_signing, "like": check_like, "comments": check_comments, "profile": check_profile,
    "queue": check_queue, "batches": check_batches,
}
