"""The hosts of Samples/deploy: nginx with a certificate in front of bsc serve, and with the page for a Supabase project."""

import json
import re
import shlex
import shutil
import subprocess

import requests
from backend import PATIENCE, ROOT, Server, Skipped, free_port, wait_for, want

from . import browser
from .people import PLAYER, clip, example

SAMPLES = ROOT / "Samples/deploy"


def bsc(server, *arguments):
    done = subprocess.run([server.program, *arguments, "--json"], env=server.environment, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=PATIENCE)
    want(done.returncode == 0, f"bsc {' '.join(arguments)}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Host:
    """A sample's configuration with this machine's ports and a new certificate."""

    def __init__(self, place, port, sample, *values):
        folder = place.folder / f"nginx-{port}"
        folder.mkdir()
        self.base, self.certificate = f"https://localhost:{port}", folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out",
                        self.certificate], check=True, capture_output=True)
        text = (SAMPLES / sample).read_text()
        for pattern, value in ((r"listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
                               (r"server_name \S+;", "server_name localhost;"),
                               (r"/etc/\S+/fullchain\.pem", str(self.certificate)),
                               (r"/etc/\S+/privkey\.pem", f"{folder}/key.pem"), *values):
            text, count = re.subn(pattern, value, text)
            want(count > 0, f"{sample} has no {pattern}")
        folders = "".join(f"{kind}_temp_path {folder}/{kind};\n"
                          for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/pid; events {{ worker_connections 64; }}\n"
            f"http {{ access_log off; {folders} {text} }}\n")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        with (folder / "log").open("wb") as log:
            place.processes.append(subprocess.Popen(
                [program, "-e", folder / "errors", "-p", folder, "-c", folder / "nginx.conf"], stdout=log, stderr=log))
        wait_for(lambda: self.ask("/").status_code == 404, "nginx listens")

    def ask(self, path, method="GET", **options):
        try:
            return requests.request(method, self.base + path, verify=self.certificate, timeout=PATIENCE, **options)
        except requests.ConnectionError:
            return requests.Response()


def check_link(place):
    command = re.search(r"^ExecStart=(.+)$", (SAMPLES / "bsc.service").read_text(), re.M)[1]
    flags = shlex.split(command)[4:]
    want(flags == ["--public-url", "https://clips.example.org"], f"the unit runs {command}")
    port = free_port()
    server = Server(place, "deploy", flags[0], f"https://localhost:{port}")
    host = Host(place, port, "nginx.conf", (r"127\.0\.0\.1:7437", f"127.0.0.1:{server.port}"),
                (r"/etc/bsc/well-known", str(SAMPLES / "well-known")))
    path = place.folder / "deploy.mp4"
    path.write_bytes(clip(place))
    shared, = bsc(server, "share", str(path), "--caption", "Only by link", "--privacy", "private", "--allow-no-metadata")
    bsc(server, "recruiting", "family", "create", "Silva", "--as", "athlete")
    bsc(server, "recruiting", "coaches", "add", "Ann", "Lee")
    sent, = bsc(server, "recruiting", "send", shared["highlight"]["id"], "--to", "Lee")
    want(sent["address"].startswith(f"{host.base}/s/"), f"the address is {sent['address']}")
    page = host.ask(sent["address"].removeprefix(host.base))
    want(page.status_code == 200 and "Only by link" in page.text and not page.cookies, f"{page.status_code} {page.text}")
    video, picture, style = (re.search(pattern, page.text)[1].replace("&amp;", "&") for pattern in (
        r' src="(/stream/[^"]+)"', r'poster="(/image/[^"]+)"', r'href="(/static/[^"]+style\.css)"'))
    part = host.ask(video, headers=PLAYER | {"Range": "bytes=4-7"})
    want((part.status_code, part.content) == (206, b"ftyp"), f"the video is {part.status_code} {part.content[:99]}")
    for each in picture, style:
        want(host.ask(each).status_code == 200, f"{each} is {host.ask(each).status_code}")
    want(not host.ask(video.split("?")[0], headers=PLAYER).ok, "the video needs no token")
    for name in "apple-app-site-association", "assetlinks.json":
        answer = host.ask(f"/.well-known/{name}", allow_redirects=False)
        want(answer.headers.get("Content-Type") == "application/json" and answer.json(), f"{name} is {answer.status_code}")
    association = host.ask("/.well-known/apple-app-site-association").json()
    paths = [each["/"] for details in association["applinks"]["details"] for each in details["components"]]
    want(paths == ["/s/*", "/h/*"], f"an iOS app opens {paths}")
    closed = ["/.well-known/", "/family", "/coaches", f"/h/{shared['highlight']['id']}", "/rest/v1/highlights",
              "/auth/v1/health", "/uploads", "/video/v1/assets", "//family", "/s/../family"]
    for each in closed:
        want(host.ask(each).status_code == 404, f"{each} is {host.ask(each).status_code}")
    want(host.ask(sent["address"].removeprefix(host.base), "POST").status_code == 403, "POST is forwarded")
    link, = bsc(server, "recruiting", "links")
    want(link["link"]["open_count"] == 1, f"{link}")
    return f"{len(closed)} other addresses are closed"


def check_project(place):
    """The page for a Supabase project. Scripts/functions-test tests the function that it calls."""
    host = Host(place, free_port(), "supabase/nginx.conf", (r"/var/www/bsc-links", str(SAMPLES / "supabase/site")))
    token, caption = "T" * 43, "Match point <img src=x onerror=alert(1)> مرحبا"
    page = host.ask(f"/s/{token}")
    want(page.status_code == 200 and not page.cookies and "noindex" in page.headers["X-Robots-Tag"]
         and page.headers["Referrer-Policy"] == "no-referrer", f"{page.status_code} {page.headers}")
    for path in "/s", "/index.html", "/hls.mjs", "/link.js/x", "/.git/config":
        want(host.ask(path).status_code == 404, f"{path} is {host.ask(path).status_code}")
    video = f"https://stream.mux.com/{example(place)['mux_playback_id']}.m3u8"
    link = {"caption": caption, "display_name": "Ann", "team_name": None, "link_expires_at": "2030-01-02T12:00:00Z"}
    asked, answers = [], []

    def function(route):
        asked.append(route.request.post_data_json)
        status, body = answers.pop(0)
        route.fulfill(status=status, headers={"Access-Control-Allow-Origin": "*"}, json=body)

    def stream(route):
        if "expired" in route.request.url:
            return route.fulfill(status=403, body="")
        path = route.request.url.removeprefix("https://stream.mux.com")
        ranges = {name: value for name, value in route.request.headers.items() if name == "range"}
        answer = place.server.ask("GET", f"/stream{path}", None, ranges)
        kept = {name: answer.headers[name] for name in ("Content-Type", "Content-Range") if name in answer.headers}
        return route.fulfill(status=answer.status_code, headers=kept, body=answer.content)

    with browser.page(ignore_https_errors=True) as opened:
        if not opened.evaluate("document.createElement('video').canPlayType('application/vnd.apple.mpegurl')"):
            raise Skipped("this Chromium plays HLS only through MediaSource")
        opened.route("https://project.supabase.co/functions/v1/link", function)
        opened.route("https://stream.mux.com/**", stream)

        def open_link(*given):
            asked.clear()
            answers[:] = given
            opened.goto(f"{host.base}/s/{token}")

        expired, fresh = ({**link, "expires_at": 4e9, "clips": [{"video": address}]} for address in (
            video + "?token=expired", video))
        # New addresses replace those that have expired.
        for given in ((200, fresh),), ((200, expired), (200, fresh)):
            open_link(*given)
            opened.get_by_role("heading", name="Highlight of Ann").wait_for()
            want(opened.locator("#caption").text_content() == caption, "the caption is not shown as it is")
            wait_for(lambda: opened.evaluate("document.querySelector('video').readyState >= 2"), "the video is loaded")
            opened.evaluate("document.querySelector('video').play()")
            wait_for(lambda: opened.evaluate("document.querySelector('video').currentTime > 0.2"), "the video plays")
            want(asked == [{"token": token, "is_counted": index == 0} for index in range(len(given))], f"{asked}")
        nothing = 200, {**fresh, "clips": []}
        for given, heading in (([nothing], "Highlight of Ann"), ([(200, expired), nothing], "Highlight of Ann"),
                               ([(410, {})], "This link has ended"), ([(200, expired), (410, {})], "This link has ended"),
                               ([(404, {})], "This link does not exist"), ([(500, {})], "The highlight can't be loaded"),
                               ([(200, expired)] * 2, "The highlight can't be loaded")):
            open_link(*given)
            opened.get_by_role("heading", name=heading).wait_for()
            wait_for(lambda: opened.evaluate("document.querySelector('video') === null"), f"{heading}: no video")
            want(len(asked) == len(given) and opened.get_by_role("status").is_visible(), f"{heading}: {asked}")
    return "plays, asks for new addresses, and says why a link doesn't work"
