"""Widths, themes, accessibility and motion."""

import os

from axe_playwright_python.sync_playwright import Axe
from backend import want

from .site import KEPT, until
from .watch import PLAYS

WIDTHS = (320, 390, 768, 1440, 3840) if "BSC_TEST_ALL" in os.environ else (320, 3840)
MISSING = "404", "403"


def paths(site):
    return {"feed": "/", "series": f"/h/{site.ids[0]}", "highlight": f"/h/{site.talk}", "long": f"/h/{site.ids[5]}",
            "arabic": f"/h/{site.ids[1]}", "tag": "/tags/spike", "profile": "/u/local", "discover": "/discover",
            "followers": "/u/local/followers",
            "search": "/search?q=spike", "people": "/search?q=local", "sign-in": "/sign-in", "sign-up": "/sign-up",
            "guidelines": "/guidelines", "missing": "/h/nothing", "empty": "/tags/nothing", "enter": "/enter"}


def own_paths(site):
    """The pages that need an account."""
    return {"settings": "/settings", "own": f"/h/{site.own}", "report": f"/report?type=highlight&id={site.ids[0]}"}


OWNER_PATHS = {"uploads": "/uploads", "moderation": "/moderation", "notifications": "/notifications",
               "analytics": "/analytics"}


def want_fit(site, page, pages):
    """No page is wider than its window."""
    for name, path in pages.items():
        page.goto(site.base + path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": max(500, width * 9 // 16)})
            excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            want(excess <= 0, f"{name} is {excess} px wider than {width}")


def check_widths(site):
    for user, pages in (None, paths(site)), ("ann", own_paths(site)), ("owner", OWNER_PATHS):
        with site.page(opens=False, user=user, expected=MISSING) as page:
            want_fit(site, page, pages)
    with site.page(width=390, height=844) as page:
        heights = page.evaluate("[...document.querySelectorAll('.post')].map((one) => one.offsetHeight)")
        want(set(heights) == {844 - 56}, f"on a phone, the highlights are {set(heights)} px high")
        directions = page.evaluate(
            "[...document.querySelectorAll('.caption')].map((one) => getComputedStyle(one).direction)")
        want({"rtl", "ltr"} <= set(directions), f"the directions are {directions}")
    return f"{len(paths(site))} pages from {WIDTHS[0]} to {WIDTHS[-1]} px"


def inspect(site, pages_by_user, seen=lambda page, name: None):
    """axe-core reports no violations; screenshots show the inspected pages. Without BSC_TEST_ALL, half of the pages are inspected, each in
    one of the themes. Returns the number of inspections."""
    axe, found, count = Axe(), [], 0
    for half, (width, scheme) in enumerate(((390, "light"), (1440, "dark"))):
        for user, pages in pages_by_user:
            with site.page(width=width, height=900, color_scheme=scheme, user=user, expected=MISSING) as page:
                chosen = slice(None) if "BSC_TEST_ALL" in os.environ else slice(2 * half, None, 4)
                for name, path in list(pages.items())[chosen]:
                    page.goto(site.base + path)
                    page.wait_for_selector("main")
                    count += 1
                    violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
                    found += [f"{name} {width} {scheme}: {one['id']} at {one['nodes'][0]['target'][0]}"
                              for one in violations]
                    seen(page, name)
                    page.screenshot(path=KEPT / f"{name}-{width}-{scheme}.png")
    want(not found, f"{len(found)} findings: {'; '.join(found[:8])}")
    return count


def check_axe(site):
    def seen(page, name):
        if name in ("feed", "highlight"):
            until(page, PLAYS, f"{name} plays")
    count = inspect(site, (("ann", paths(site) | own_paths(site)), ("owner", OWNER_PATHS)), seen)
    return f"{count} pages, no findings"


def check_calm(site):
    with site.page(reduced_motion="reduce") as page:
        page.wait_for_timeout(600)
        want(not any("/stream/" in url for url in page.requested), "a clip is loaded")
        page.get_by_role("button", name="Play").first.click()
        until(page, PLAYS, "it plays when the user starts it")
    return "with reduced motion, clips wait for the user"
