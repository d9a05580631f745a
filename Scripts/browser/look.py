"""How the pages look: narrow and wide, light and dark, for screen readers."""

from axe_playwright_python.sync_playwright import Axe
from oracles.ground import want

from .act import signed
from .site import until
from .watch import PLAYS

WIDTHS = 320, 390, 768, 1440, 3840
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def paths(site):
    return {"feed": "/", "series": f"/h/{site.ids[0]}", "highlight": f"/h/{site.talk}", "long": f"/h/{site.ids[5]}",
            "arabic": f"/h/{site.ids[1]}", "tag": "/tags/spike", "profile": "/u/local", "sign-in": "/sign-in",
            "missing": "/h/nothing", "empty": "/tags/nothing", "enter": "/enter"}


def check_sizes(site):
    """Nothing is wider than the window, whatever people write."""
    with site.page(opens=False) as page:
        page.expected = "404", "403"
        for name, path in paths(site).items():
            page.goto(site.base + path)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": max(500, width * 9 // 16)})
                excess = page.evaluate(TOO_WIDE)
                want(excess <= 0, f"{name} is {excess} px wider than {width}")
    # One highlight a screen.
    with site.page(width=390, height=844) as page:
        heights = page.evaluate("[...document.querySelectorAll('.post')].map((one) => one.offsetHeight)")
        want(set(heights) == {844 - 56}, f"on a phone the highlights are {set(heights)} px high")
        direction = page.evaluate("""[...document.querySelectorAll('.caption')].map((one) =>
            getComputedStyle(one).direction)""")
        want("rtl" in direction and "ltr" in direction, f"captions run {direction}")
    return f"{len(paths(site))} pages from {WIDTHS[0]} to {WIDTHS[-1]} px"


def check_axe(site):
    axe, found, count = Axe(), [], 0
    options = {"resultTypes": ["violations"]}
    for width, scheme in (390, "light"), (1440, "dark"):
        with site.page(width=width, height=900, color_scheme=scheme, **signed(site)) as page:
            page.expected = "404", "403"
            for name, path in paths(site).items():
                page.goto(site.base + path)
                page.wait_for_selector("main")
                count += 1
                for one in axe.run(page, options=options).response["violations"]:
                    found.append(f"{name} {width} {scheme}: {one['id']} at {one['nodes'][0]['target'][0]}")
    with site.page("/uploads", entered=True) as page:
        for one in axe.run(page, options=options).response["violations"]:
            found.append(f"uploads: {one['id']} at {one['nodes'][0]['target'][0]}")
    want(not found, f"{len(found)} findings: {'; '.join(found[:8])}")
    return f"{count + 1} looks of axe-core, nothing found"


def check_pictures(site):
    site.pictures.mkdir(parents=True, exist_ok=True)
    for scheme in "light", "dark":
        for width, height in (390, 844), (1440, 900):
            with site.page(width=width, height=height, color_scheme=scheme, **signed(site)) as page:
                for name in "feed", "highlight", "profile":
                    page.goto(site.base + paths(site)[name])
                    if name in ("feed", "highlight"):
                        until(page, PLAYS, f"{name} plays")
                    page.screenshot(path=site.pictures / f"{name}-{width}-{scheme}.png")
            with site.page("/uploads", width=width, height=height, color_scheme=scheme, entered=True) as page:
                page.screenshot(path=site.pictures / f"uploads-{width}-{scheme}.png")
    return f"kept in {site.pictures.relative_to(site.root)}"


def check_calm(site):
    """Who wants no motion gets none that they did not ask for."""
    with site.page(reduced_motion="reduce") as page:
        page.wait_for_timeout(600)
        want(not page.evaluate("[...document.querySelectorAll('video')].some((one) => !one.paused)"), "a clip plays")
        want(not any("/stream/" in url for url in page.requested), "a clip is loaded")
        page.get_by_role("button", name="Play").first.click()
        until(page, PLAYS, "it plays when it is asked to")
    return "reduced motion: posters, until somebody plays"


CHECKS = {"sizes": check_sizes, "axe": check_axe, "pictures": check_pictures, "calm": check_calm}
