"""Opening and watching: the feed, the player, keys, several clips, no JavaScript."""

from oracles.ground import want

from .site import until

# The clip in view, told by itself.
NOW = """(() => {
  const video = [...document.querySelectorAll('video')].find((one) => !one.paused);
  return video && { time: video.currentTime, post: video.closest('.post').id,
    clip: video.closest('.clip').id, frames: video.getVideoPlaybackQuality().totalVideoFrames, muted: video.muted,
    size: [video.videoWidth, video.videoHeight] };
})()"""
PLAYS = f"{NOW}?.frames > 8 && {NOW}.time > 0.3 && {NOW}"
# Two pictures that were really shown, one after the other.
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
        want(found["post"] == f"h-{first}" and found["muted"], f"it is {found}")
        times = page.evaluate(SHOWN)
        want(times == sorted(times) and times[-1] > times[0], f"the frames shown are at {times}")
        streams = {url.split("/stream/")[1][:32] for url in page.requested if "/stream/" in url}
        want(len(streams) == 1, f"{len(streams)} clips are loaded while one is in view")
        broken = page.evaluate("[...document.images].filter((one) => one.complete && !one.naturalWidth).length")
        want(broken == 0, f"{broken} pictures are broken")
        page.evaluate(f"document.getElementById('h-{second}').scrollIntoView({{behavior: 'instant'}})")
        until(page, f"({PLAYS})?.post === 'h-{second}'", "the second plays when it is in view")
        left = page.evaluate(f"document.querySelector('#h-{first} video').hasAttribute('src')")
        want(not left, "the first clip is still loaded")
        # All the others, as one goes on.
        page.keyboard.press("End")
        until(page, f"document.querySelectorAll('.post').length === {len(site.ids)}", "older ones come by themselves")
        order = page.evaluate("[...document.querySelectorAll('.post')].map((post) => post.dataset.id)")
        want(order == site.ids, "they are not in their order, or twice")
    return f"plays one clip at a time; {len(site.ids)} load while scrolling"


def check_player(site):
    """Plays the MP4 in byte ranges: seeks both ways, ends, and begins again."""
    with site.page(opens=False) as page:
        media = []
        page.on("response", lambda answer: "/stream/" in answer.url and media.append((answer.url, answer.status)))
        page.goto(f"{site.base}/h/{site.ids[-1]}")
        found = until(page, PLAYS, "it plays")
        want(found["size"] == [1280, 720], f"it is {found}")
        page.evaluate("window.video = document.querySelector('video'); video.pause(); video.currentTime = 5")
        until(page, "!video.seeking && video.readyState >= 2 && Math.abs(video.currentTime - 5) < 0.2", "it seeks on")
        page.evaluate("video.currentTime = 1")
        until(page, "!video.seeking && video.readyState >= 2 && Math.abs(video.currentTime - 1) < 0.2", "it seeks back")
        page.evaluate("video.currentTime = 5.3; video.play()")
        until(page, "video.ended && Math.abs(video.currentTime - video.duration) < 0.2", "it ends")
        want(abs(page.evaluate("video.duration") - 6) < 0.2, "its length is another one")
        page.get_by_role("button", name="Play").click()
        until(page, "!video.paused && video.currentTime > 0.2 && video.currentTime < 3", "it begins again")
        want(media and all(url.endswith(".mp4") and status == 206 for url, status in media), f"it loads {media}")
    return "seeks both ways, ends, begins again, from byte ranges of the MP4"


def check_trouble(site):
    """A clip that cannot be loaded: the page reports it, and the next attempt plays."""
    with site.page(opens=False) as page:
        page.expected = "404",
        page.route("**/stream/*.mp4", lambda route: route.fulfill(status=404))
        page.goto(f"{site.base}/h/{site.ids[-1]}")
        trouble = page.get_by_text("This clip cannot be played.")
        trouble.wait_for()
        page.unroute("**/stream/*.mp4")
        page.get_by_role("button", name="Play").click()
        until(page, PLAYS, "it plays when it can be loaded")
        want(trouble.count() == 0, "the page still reports that it cannot play")
    return "a clip that cannot be loaded is reported, and plays at the next attempt"


def check_keys(site):
    first, second = site.ids[:2]
    with site.page() as page:
        until(page, PLAYS, "the first clip plays")
        page.keyboard.press("j")
        until(page, f"({PLAYS})?.post === 'h-{second}'", "J leads on")
        page.keyboard.press("ArrowUp")
        until(page, f"({PLAYS})?.post === 'h-{first}'", "the arrow leads back")
        page.keyboard.press(" ")
        until(page, f"!{NOW}", "Space pauses")
        page.keyboard.press(" ")
        until(page, NOW, "Space plays")
        page.keyboard.press("m")
        until(page, f"{NOW}?.muted === false", "M turns the sound on")
        page.keyboard.press("m")
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
        # Every control can be reached, and none is a trap.
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        seen = []
        for _ in range(40):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.className + ' ' + document.activeElement.id"))
        for name in "skip", "brand", "toggle", "sound", "author", "like", "talk", "share":
            want(any(name in one for one in seen), f"Tab does not come to {name}: {seen[:15]}")
        want(len(set(seen)) > 12, f"Tab goes round: {seen}")
        page.keyboard.press("c")
        page.wait_for_url("**/h/**")
    return "J K, arrows, Space, M, C and ? do what they say, and can be turned off; Tab reaches all"


def check_series(site):
    with site.page(width=390, height=844) as page:
        until(page, PLAYS, "the first clip plays")
        place = f"c-{site.ids[0]}-"
        page.keyboard.press("ArrowRight")
        until(page, f"({PLAYS})?.clip === '{place}2'", "the arrow leads to the second clip")
        page.locator(".dots a").nth(2).click()
        until(page, f"({PLAYS})?.clip === '{place}3'", "a dot leads to the third")
        want(page.locator(".dots a[aria-current]").count() == 1, "several dots are the current one")
        page.evaluate("document.querySelector('.clips').scrollTo({left: 0})")
        until(page, f"({PLAYS})?.clip === '{place}1'", "a swipe leads back")
    return "three side by side: keys, dots and swipes"


def check_plain(site):
    """No JavaScript: reading, watching, and forms."""
    with site.page(java_script_enabled=False) as page:
        want(page.locator(".post").count() == 8, "the feed is not there")
        want(page.locator("video[controls]").count() >= 8, "clips have no controls")
        page.get_by_role("link", name="Older highlights").click()
        want(page.locator(".post").count() == len(site.ids) - 8, "the link leads to no older ones")
        page.locator(".post .quiet").first.click()
        want("/h/" in page.url and page.locator("#comments").count() == 1, f"{page.url} has no comments")
    with site.page(width=390, height=844, java_script_enabled=False) as page:
        # The browser's own controls lie free.
        covered = page.evaluate("""(() => {
          const box = (name) => document.querySelector(name).getBoundingClientRect();
          return box('.feed .about').top < box('.feed .stage').bottom - 1;
        })()""")
        want(not covered, "on a phone the words lie over the controls")
    return "feed, pages, highlights and comments"


CHECKS = {
    "feed": check_feed, "player": check_player, "trouble": check_trouble, "keys": check_keys,
    "series": check_series, "plain": check_plain,
}
