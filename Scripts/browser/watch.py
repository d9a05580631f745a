"""The feed, the player, keys, series of clips, and pages without JavaScript."""

from backend import want

from .site import until

# The clip that plays.
NOW = """(() => {
  const video = [...document.querySelectorAll('video')].find((one) => !one.paused);
  return video && { time: video.currentTime, post: video.closest('.post').id, clip: video.closest('.clip').id,
    frames: video.getVideoPlaybackQuality().totalVideoFrames, muted: video.muted, width: video.videoWidth };
})()"""
PLAYS = f"{NOW}?.frames > 8 && {NOW}.time > 0.3 && {NOW}"
# The times of five frames that were really displayed.
SHOWN = """new Promise((done) => {
  const video = document.querySelector('video'), times = [];
  const step = (_, facts) => {
    times.push(facts.mediaTime);
    if (times.length === 5) done(times); else video.requestVideoFrameCallback(step);
  };
  video.requestVideoFrameCallback(step);
})"""


def check_feed(site):
    first, second = site.ids[:2]
    with site.page() as page:
        want(page.title() == "Highlights · bsc", f"the title is {page.title()}")
        found = until(page, PLAYS, "the first clip plays")
        want(found["post"] == f"h-{first}" and found["muted"], f"{found} plays")
        times = page.evaluate(SHOWN)
        want(times == sorted(times) and times[-1] > times[0], f"the frames are at {times}")
        streams = {url.split("/stream/")[1][:32] for url in page.requested if "/stream/" in url}
        want(len(streams) == 1, f"{len(streams)} clips are loaded while one is visible")
        broken = page.evaluate("[...document.images].filter((one) => one.complete && !one.naturalWidth).length")
        want(broken == 0, f"{broken} images are broken")
        page.evaluate(f"document.getElementById('h-{second}').scrollIntoView({{behavior: 'instant'}})")
        until(page, f"({PLAYS})?.post === 'h-{second}'", "the second clip plays when it is visible")
        want(not page.evaluate(f"document.querySelector('#h-{first} video').hasAttribute('src')"),
             "the first is loaded")
        page.keyboard.press("End")
        until(page, f"document.querySelectorAll('.post').length === {len(site.ids)}", "older highlights are added")
        order = page.evaluate("[...document.querySelectorAll('.post')].map((post) => post.dataset.id)")
        want(order == site.ids, "the highlights are in another order, or duplicates")
    return f"plays one clip at a time; {len(site.ids)} load while scrolling"


def check_player(site):
    at = "!video.seeking && video.readyState >= 2 && Math.abs(video.currentTime - {}) < 0.2"
    with site.page(opens=False, expected=("404",)) as page:
        page.route("**/stream/*.mp4", lambda route: route.fulfill(status=404))
        page.goto(f"{site.base}/h/{site.ids[-1]}")
        page.get_by_text("This clip cannot be played.").wait_for()
        page.unroute("**/stream/*.mp4")
        media = []
        page.on("response", lambda answer: "/stream/" in answer.url and media.append((answer.url[-4:], answer.status)))
        page.get_by_role("button", name="Play").click()
        want(until(page, PLAYS, "it plays at the next attempt")["width"] == 1280, "the clip has another size")
        want(page.get_by_text("This clip cannot be played.").count() == 0, "the error is still shown")
        page.evaluate("window.video = document.querySelector('video'); video.pause(); video.currentTime = 5")
        until(page, at.format(5), "it seeks forward")
        page.evaluate("video.currentTime = 1")
        until(page, at.format(1), "it seeks back")
        page.evaluate("video.currentTime = 5.3; video.play()")
        until(page, "video.ended && Math.abs(video.duration - 6) < 0.2", "it ends")
        page.get_by_role("button", name="Play").click()
        until(page, "!video.paused && video.currentTime > 0.2 && video.currentTime < 3", "it plays again")
        want(set(media) == {(".mp4", 206)}, f"it loads {media}")
    return "seeks in both directions, ends, plays again, recovers from an error, from byte ranges of the MP4"


def check_keys(site):
    first, second = site.ids[:2]
    with site.page() as page:
        until(page, PLAYS, "the first clip plays")
        for key, expression in (
                ("j", f"({PLAYS})?.post === 'h-{second}'"), ("ArrowUp", f"({PLAYS})?.post === 'h-{first}'"),
                (" ", f"!{NOW}"), (" ", NOW), ("m", f"{NOW}?.muted === false"), ("m", f"{NOW}?.muted === true")):
            page.keyboard.press(key)
            until(page, expression, f"the key {key!r} works")
        page.keyboard.press("?")
        page.get_by_role("dialog").get_by_text("next highlight").wait_for()
        page.get_by_label("Enable single-key shortcuts").uncheck()
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        page.wait_for_timeout(300)
        want(page.evaluate(f"{NOW}?.post") == f"h-{first}", "keys work although they are turned off")
        page.keyboard.press("?")
        page.get_by_label("Enable single-key shortcuts").check()
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        seen = []
        for _ in range(40):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.className + ' ' + document.activeElement.id"))
        for name in "skip", "brand", "toggle", "sound", "author", "like", "talk", "share":
            want(any(name in one for one in seen), f"Tab does not reach {name}: {seen[:15]}")
        want(len(set(seen)) > 12, f"Tab is trapped: {seen}")
        page.keyboard.press("c")
        page.get_by_role("dialog", name="Comments").get_by_label("Write a comment").wait_for()
    return "J, arrows, Space, M, C and ? work, and can be turned off; Tab reaches all controls"


def check_series(site):
    with site.page(width=390, height=844) as page:
        until(page, PLAYS, "the first clip plays")
        clip = f"c-{site.ids[0]}-"
        page.keyboard.press("ArrowRight")
        until(page, f"({PLAYS})?.clip === '{clip}2'", "the arrow leads to the second clip")
        page.locator(".dots a").nth(2).click()
        until(page, f"({PLAYS})?.clip === '{clip}3'", "a dot leads to the third clip")
        want(page.locator(".dots a[aria-current]").count() == 1, "several dots are current")
        page.evaluate("document.querySelector('.clips').scrollTo({left: 0})")
        until(page, f"({PLAYS})?.clip === '{clip}1'", "a swipe leads back")
    return "keys, dots and swipes"


def check_plain(site):
    with site.page(width=390, height=844, java_script_enabled=False) as page:
        want(page.locator(".post").count() == 8 and page.locator("video[controls]").count() >= 8, "the feed")
        is_covered = page.evaluate("""(() => {
          const box = (name) => document.querySelector(name).getBoundingClientRect();
          return box('.feed .about').top < box('.feed .stage').bottom - 1;
        })()""")
        want(not is_covered, "on a phone, text covers the controls")
        page.get_by_role("link", name="Older highlights").click()
        want(page.locator(".post").count() == len(site.ids) - 8, "older highlights")
        page.locator(".post .quiet").first.click()
        want("/h/" in page.url and page.locator("#comments").count() == 1, f"{page.url} has no comments")
        # Likes and comments are forms.
        highlight = site.ids[4]
        site.sign_in(page, f"/h/{highlight}")
        page.get_by_label("Write a comment").fill("Plain words")
        page.get_by_role("button", name="Send").click()
        want(page.locator(".said").text_content() == "Plain words", "the comment is missing")
        page.get_by_role("button", name="Delete your comment").click()
        want(page.locator(".said").count() == 0, "the comment is not deleted")
        for state in "true", "false":
            page.locator(".action.like").click()
            want(page.locator(".action.like").get_attribute("aria-pressed") == state, f"liked is not {state}")
    return "feed, highlights, comments and likes without JavaScript"


def check_views(site):
    """A view counts once per viewer, with the seconds that were played."""
    with site.page("/analytics", user="ann") as author:
        views = f"document.querySelector(`a[href='/h/{site.own}']`)?.closest('tr').cells[1].innerText ?? '0'"
        want(author.evaluate(views) == "0", f"there are {author.evaluate(views)} views before")
        for _ in range(2):
            with site.page(f"/h/{site.own}", user="owner") as page:
                until(page, f"{NOW}?.time > 2", "the clip plays for two seconds")
                # Chromium doesn't show the requests of a page that is left.
                with page.expect_response(lambda answer: answer.url.endswith("/view")) as reported:
                    page.evaluate("dispatchEvent(new Event('pagehide'))")
                want(reported.value.status == 204, f"the report is answered with {reported.value.status}")
                seconds = float(reported.value.request.post_data.split("watched=")[1])
                want(1.5 < seconds < 10, f"{seconds} seconds are reported")
        author.reload()
        want(author.evaluate(views) == "1", f"there are {author.evaluate(views)} views")
    return "reported when the viewer leaves, counted once"
