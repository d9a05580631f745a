"""Sign-in, likes, comments, follows, the owner's queue, and a server that stops."""

import contextlib
import re
import signal
import subprocess
import uuid
from datetime import date

from backend import PASSWORD, PATIENCE, ROOT, wait_for, want

from .site import ago, until
from .watch import NOW

# On a page.
COMMENTS = 50
LIVE = "document.getElementById('queue-state').textContent.includes('{}')"


def run(site, *arguments):
    done = subprocess.run([site.bsc, *arguments], env=site.server.environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=PATIENCE)
    want(done.returncode == 0, f"bsc {arguments[0]}: {done.stderr[-300:]}")


@contextlib.contextmanager
def started(site, *arguments):
    """Runs bsc during the block, and waits for its success."""
    with subprocess.Popen([site.bsc, *arguments], env=site.server.environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
            want(process.wait(PATIENCE) == 0, f"bsc {arguments[0]} failed")
        finally:
            process.kill()


def check_sign_in(site):
    highlight, email = site.ids[2], site.ann.email
    with site.page(f"/h/{highlight}", expected=("401",)) as page:
        page.get_by_role("button", name="Sign in to like").click()
        page.get_by_text("Sign in to like this highlight.").wait_for()
        page.get_by_label("Email").fill(email)
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("alert").get_by_text("Wrong email or password").wait_for()
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"**/h/{highlight}")
        page.locator(f"#like-{highlight}[aria-pressed=true]").click()
        page.locator(f"#like-{highlight}[aria-pressed=false]").wait_for()
        page.get_by_text("Ann 排球 Möller").first.click()
        want(page.evaluate("document.cookie") == "", "scripts can read a cookie")
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("link", name="Sign in", exact=True).wait_for()
    with site.page(f"/h/{highlight}", expected=("422",)) as page:
        page.get_by_role("button", name="Sign in to like").click()
        page.get_by_role("button", name="Create an account").click()
        page.get_by_label("Name").fill("Zoë 排球")
        page.get_by_label("Email").fill(f"{uuid.uuid4().hex}@example.org")
        page.get_by_label("Password").fill("short!")
        page.get_by_label("Date of birth").fill(f"{date.today().year - 5}-01-01")
        page.get_by_role("button", name="Create the account").click()
        page.get_by_role("alert").get_by_text("too young").wait_for()
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_label("Date of birth").fill(f"{date.today().year - 20}-01-01")
        page.get_by_role("button", name="Create the account").click()
        page.get_by_text("Zoë 排球").first.wait_for()
        page.locator(f"#like-{highlight}[aria-pressed=true]").click()
        page.locator(f"#like-{highlight}[aria-pressed=false]").wait_for()
    with site.page(user="owner") as page:
        page.get_by_text("Volleyball Player").first.wait_for()
    return "with an account, out again, with a new account, and as the owner with the URL of --open"


def check_like(site):
    highlight = site.ids[1]
    figure = f"document.querySelector('#like-{highlight} .figure').textContent === '{{}}'"
    with site.page(f"/#h-{highlight}", user="ann") as page:
        like = page.locator(f"#like-{highlight}")
        like.scroll_into_view_if_needed()
        until(page, f"{NOW}?.post === 'h-{highlight}'", "the highlight is visible")
        page.keyboard.press("l")
        until(page, figure.format(1), "L likes")
        want(like.get_attribute("aria-pressed") == "true" and "/h/" not in page.url, "the button is not pressed")
        until(page, "document.getElementById('live').textContent.includes('1 like')", "the live region is updated")
        page.reload()
        want(like.get_attribute("aria-pressed") == "true", "the like is gone after a reload")
        like.click()
        until(page, figure.format(0), "the like is removed")
        page.reload()
        want(like.get_attribute("aria-pressed") == "false", "the like is back after a reload")
    with site.page(f"/h/{highlight}", user="ann", expected=("500",)) as page:
        answered = []
        page.route(f"**/h/{highlight}/like", lambda route: answered.append(route))
        like = page.locator(f"#like-{highlight}")
        like.click()
        page.locator(f"#like-{highlight}[aria-pressed=true]").wait_for()
        wait_for(lambda: page.wait_for_timeout(20) or answered, "the like is sent")
        answered[0].fulfill(status=500, body="")
        page.locator(f"#like-{highlight}[aria-pressed=false]").wait_for()
        page.locator("#toast").get_by_text("The server rejected the request.").wait_for()
    return "on and off, counted at once, kept after a reload, and reverted after an error"


def check_comments(site):
    highlight, text = site.ids[2], 'Great dig 🏐 <b>"really"</b> مرحبا'
    with site.page(f"/h/{highlight}", user="ann") as page:
        page.keyboard.press("c")
        page.keyboard.type(text)
        page.keyboard.press("Control+Enter")
        page.locator(".said").get_by_text(text, exact=True).wait_for()
        want(page.get_by_role("heading", name="1 comment").count() == 1, "the heading has another count")
        want(page.locator(f"#talk-{highlight} .figure").text_content() == "1", "the button has another count")
        page.reload()
        page.locator(".said").get_by_text(text, exact=True).wait_for()
        field = page.get_by_label("Write a comment")
        field.fill("Half a comment")
        for state, count in ("true", "1"), ("false", "0"):
            page.locator(f"#like-{highlight}").click()
            page.locator(f"#like-{highlight}[aria-pressed={state}] .figure").get_by_text(count).wait_for()
        like = page.locator(".talk button.like")
        like.click()
        page.locator(".talk button.like[aria-pressed=true]").get_by_text("1").wait_for()
        until(page, "document.getElementById('live').textContent === 'Like, 1 like'", "the like of a comment is announced")
        want(field.input_value() == "Half a comment", "a like clears the comment")
        # The response of a like replaces the form.
        held = []
        page.route("**/like", lambda route: held.append(route))
        like.click()
        wait_for(lambda: page.wait_for_timeout(20) or held, "the like is sent")
        field.fill("x" * 501)
        held[0].continue_()
        until(page, "document.getElementById('live').textContent === 'Like'", "the like of a comment is removed")
        want(page.get_by_role("button", name="Send").is_disabled(), "501 characters can be sent")
        page.get_by_role("button", name="Delete your comment").click()
        page.get_by_role("heading", name="0 comments").wait_for()
        page.reload()
        want(page.locator(".said").count() == 0, "the comment is back after a reload")
    busy, rights = site.ids[6], ["clipboard-read", "clipboard-write"]
    # The service has no limit, and can set the times.
    rows = [{"highlight_id": busy, "author_id": site.owner.id, "text": f"Comment {number}", "created_at": ago(2 - number / 60)}
            for number in range(COMMENTS + 1)]
    answer = site.server.ask("POST", "/rest/v1/comments", rows, {"apikey": site.server.keys["secret_key"]})
    want(answer.status_code == 201, f"the comments are refused: {answer.text}")
    with site.page(f"/h/{busy}", permissions=rights) as page:
        page.get_by_role("link", name="Share the link").first.click()
        page.locator("#toast", has_text="Link copied").wait_for()
        link = page.evaluate("navigator.clipboard.readText()")
        want(link == f"{site.base}/h/{busy}", f"the copied link is {link}")
        want(page.locator(".said").count() == COMMENTS, "the page has another number of comments")
        page.get_by_role("link", name="Older comments").click()
        page.get_by_text("Comment 0", exact=True).wait_for()
        want(page.locator(".said").count() == 1, "the next page repeats comments")
    return "written, read, deleted and paged; the link is copied"


def check_profile(site):
    count = len(site.ids)
    with site.page("/u/local", user="ann") as page:
        columns = page.evaluate("new Set([...document.querySelectorAll('.tile')].map((one) => one.offsetLeft)).size")
        want((page.locator(".tile").count(), columns) == (count, 3), f"the grid has {columns} columns")
        want(page.locator(".several").count() == 1, "the post with several clips has no mark")
        page.get_by_role("button", name="Follow").click()
        page.get_by_role("button", name="Unfollow").wait_for()
        want("1 follower" in page.locator(".counts").inner_text().replace("\n", " "), "the follower is not counted")
        page.get_by_role("button", name="Unfollow").click()
        page.get_by_role("button", name="Follow", exact=True).wait_for()
        second = page.locator(".tile").nth(1)
        highlight = second.get_attribute("href").split("#")[1]
        second.click()
        page.wait_for_url(f"**/u/local/highlights?from=*#{highlight}")
        until(page, f"{NOW}?.post === '{highlight}'", "the tile opens its highlight")
        page.keyboard.press("j")
        until(page, f"{NOW}?.post !== '{highlight}'", "J shows the person's next highlight")
    return "a grid, its highlights, follow and unfollow"


def check_search(site):
    with site.page("/search", user="ann") as page:
        field = page.get_by_label("Search for people, teams, tags and captions")
        field.type("#spi")
        until(page, "[...document.querySelectorAll('#suggestions option')].some((one) => one.value === '#spike')",
              "the tag is suggested")
        page.get_by_role("button", name="Search").click()
        until(page, "location.search === '?q=%23spi'", "the button searches")
        page.get_by_role("link", name="#spike", exact=True).wait_for()
        want(page.locator(".tile").count() > 0, "no highlights are found")
        page.goto(f"{site.base}/search?q=local")
        page.get_by_role("button", name="Follow Volleyball Player").click()
        page.get_by_role("button", name="Follow Volleyball Player").wait_for(state="detached")
        want(page.url.endswith("/search?q=local"), f"a follow leads to {page.url}")
        page.goto(site.base)
        tab = page.get_by_role("navigation", name="Feeds").locator("[aria-current=page]")
        want(tab.inner_text() == "Following", f"the tab is {tab.inner_text()}")
        page.get_by_role("link", name="Discover").click()
        page.wait_for_url("**/discover")
        want(page.locator(".post").count() > 0, "nothing is discovered")
        page.goto(f"{site.base}/u/local")
        page.get_by_role("button", name="Unfollow").click()
        page.get_by_role("button", name="Follow", exact=True).wait_for()
    return "tags are suggested, people found and followed; Following is the start page then"


def check_reactions(site):
    with site.page(f"/h/{site.talk}", user="ann") as page:
        comment = page.locator(".talk > li").first
        comment.get_by_text("React", exact=True).click()
        comment.get_by_role("button", name="Fire").click()
        comment.get_by_role("img", name="Fire, 1").wait_for()
        until(page, "document.getElementById('live').textContent === 'Reaction added'", "the reaction is announced")
        button = comment.get_by_role("button", name="Fire, 1")
        want(button.get_attribute("aria-pressed") == "true", "the button is not pressed")
        button.click()
        comment.get_by_role("img", name="Fire, 1").wait_for(state="detached")
    return "added and removed without leaving the page"


def check_poll(site):
    """Votes without leaving the page; a later vote replaces an earlier one."""
    with site.page(f"/h/{site.talk}", user="ann") as page:
        poll = page.locator(f"#poll-{site.talk}")
        for name, votes in ("In", ["1 vote, 100 %", "0 votes, 0 %"]), ("Out", ["0 votes, 0 %", "1 vote, 100 %"]):
            button = poll.get_by_role("button", name=re.compile(f"^{name[:2]}"))
            button.click()
            poll.locator(f"li:has-text('{votes[0]}') + li:has-text('{votes[1]}')").wait_for()
            want(button.get_attribute("aria-pressed") == "true", f"{name} is not pressed")
            want(poll.locator("[aria-pressed=true]").count() == 1, "two answers are pressed")
        until(page, "document.getElementById('live').textContent === 'Vote counted'", "the vote is announced")
    with site.page(f"/h/{site.talk}") as page:
        page.get_by_role("link", name="Sign in to vote").click()
        page.wait_for_url(f"**/sign-in?next=*{site.talk}")
    return "a vote is counted and can change"


def check_live(site):
    highlight = site.ids[4]
    with site.page(f"/h/{highlight}", user="owner") as open_page, site.page(f"/h/{highlight}", user="ann") as page:
        field = open_page.get_by_label("Write a comment")
        field.fill("Half a comment")
        page.get_by_label("Write a comment").fill("Live!")
        page.get_by_role("button", name="Send").click()
        # The response of the comment replaces the button, which would end a click that has begun.
        page.locator(".said").get_by_text("Live!", exact=True).wait_for()
        open_page.locator(".said").get_by_text("Live!", exact=True).wait_for()
        page.locator(".action.like").click()
        until(open_page, f"document.querySelector('#like-{highlight} .figure').textContent === '1'", "the like arrives")
        want(field.input_value() == "Half a comment", "an event clears the comment")
        open_page.goto(f"{site.base}/notifications")
        open_page.get_by_role("link", name="commented on your highlight").wait_for()
        open_page.get_by_role("button", name="Mark as read").click()
        until(open_page, "document.querySelector('.unread') === null", "the notifications are read")
        page.locator(".action.like[aria-pressed=true]").click()
        page.get_by_role("button", name="Delete your comment").click()
        page.get_by_role("heading", name="0 comments").wait_for()
        open_page.goto(f"{site.base}/notifications")
        want(open_page.get_by_text("commented on your highlight").count() == 0, "the notification is still there")
    return "likes and comments of others appear, and notify"


def check_moderation(site):
    """Without JavaScript."""
    with site.page(f"/h/{site.talk}", user="ann", java_script_enabled=False) as page:
        page.get_by_role("link", name="Report this comment").first.click()
        page.get_by_label("Reason").select_option("spam")
        page.get_by_label("What happened (optional)").fill("It is an advertisement.")
        page.get_by_role("button", name="Send the report").click()
        page.get_by_text("pending").wait_for()
        page.goto(f"{site.base}/u/local")
        page.get_by_role("button", name="Mute").click()
        page.get_by_role("button", name="Unmute").click()
        page.get_by_role("button", name="Block").click()
        page.get_by_role("button", name="Unblock").click()
        page.get_by_text("You have blocked no one.").wait_for()
        page.get_by_role("button", name="Withdraw").click()
        page.get_by_text("You have reported nothing.").wait_for()
        page.get_by_label("About you").fill("Libero")
        page.get_by_role("button", name="Save the profile").click()
        page.locator("#menu summary").click()
        page.get_by_role("link", name="Your profile").click()
        page.get_by_text("Libero").wait_for()
    with site.page("/moderation", user="owner", java_script_enabled=False) as page:
        page.get_by_text("No reports are waiting.").wait_for()
    return "reports, mutes and blocks, and their undoing"


def check_queue(site):
    with site.page("/uploads", user="owner") as page:
        until(page, LIVE.format("updates automatically"), "events arrive")
        run(site, "share", ROOT / "Samples/rally-portrait.mp4", "--json", "--quiet")
        row = page.get_by_role("row", name="rally-portrait.mp4")
        row.get_by_role("link").first.click()
        page.wait_for_url("**/h/**")
        # Another page follows the same upload.
        banner = page.locator("#upload")
        with started(site, "share", ROOT / "Samples/rally-4k.mp4", "--force", "--json", "--quiet"):
            banner.get_by_role("link", name="rally-4k.mp4: ").wait_for()
            page.goto(site.base)
            banner.get_by_role("link", name="rally-4k.mp4: ").wait_for()
        banner.get_by_role("link", name="rally-4k.mp4 is shared").click()
        page.wait_for_url("**/h/**")
    with site.page("/uploads", expected=("403",)) as page:
        want("Owner access required" in page.content(), "others see the queue")
    with site.page(user="ann") as page:
        want(page.locator("#upload").count() == 0, "others have the banner")
    return "a share appears live, on all pages, and leads to its highlight; only for the owner"


def check_batches(site):
    """A report of `compress`, and a folder of results."""
    report = site.folder / "court <b>.jsonl"
    run(site, "compress", site.tall, "-o", f"{site.folder}/results/", "--report", f"jsonl={report}")
    site.server.kill(signal.SIGINT)
    site.server.flags += "--report", str(report), "--report", str(site.folder / "results")
    site.server.start()
    with site.page("/batches", user="owner") as page:
        for name in report.name, "results":
            page.goto(f"{site.base}/batches")
            page.get_by_role("link", name=name).click()
            page.get_by_text("tall.mp4").first.wait_for()
            bar = page.locator(".bar rect").first.bounding_box()
            want(bar and bar["width"] > 0, "the bar of the sizes is missing")
            until(page, "[...document.images].every((one) => one.naturalWidth > 0)", "all images load")
        want(page.locator("img").count() == 1, "the result has no image")
    return "bars and images of a report and of a folder"


def check_stop(site):
    with site.page("/uploads", user="owner", expected=("ERR_",)) as page:
        until(page, LIVE.format("updates automatically"), "events arrive")
        site.server.process.send_signal(signal.SIGINT)
        # A busy server can end before it sends its last event.
        until(page, f"{LIVE.format('has stopped')} || {LIVE.format('not responding')}", "the page reports the stop")
        wait_for(lambda: site.server.process.poll() is not None, "the server ends")
        site.server.start()
        until(page, LIVE.format("updates automatically"), "the page connects again")
        page.reload()
        want(page.locator("#menu").count() == 1, "a restart signs the owner out")
    return "the page reports a stop, and connects to the next server"
