"""A server that goes away while somebody looks."""

import signal

from oracles.ground import want, wait_for

from .site import until


def check_ending(site):
    with site.page("/uploads", entered=True) as page:
        page.expected = "ERR_",
        until(page, "document.getElementById('queue-state').textContent.includes('as it happens')", "events come")
        site.server.process.send_signal(signal.SIGINT)
        until(page, "document.getElementById('queue-state').textContent.includes('The server has ended')", "it is told")
        wait_for(lambda: site.server.process.poll() is not None, "the server does not end")
        site.server.start()
        # The page goes on by itself.
        until(page, "document.getElementById('queue-state').textContent.includes('as it happens')",
              "the page does not connect again")
        page.reload()
        want(page.locator("#menu").count() == 1, "the owner is signed out by a restart")
    return "is told, does not wait for the page, and is found again"


CHECKS = {"ending": check_ending}
