"""The host of Samples/deploy: nginx with a certificate in front of bsc serve, and requests as a visitor of a link."""

import json
import re
import shlex
import shutil
import subprocess

import requests
from backend import PATIENCE, ROOT, Server, free_port, wait_for, want

from .people import PLAYER, clip


def bsc(server, *arguments):
    done = subprocess.run([server.program, *arguments, "--json"], env=server.environment, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=PATIENCE)
    want(done.returncode == 0, f"bsc {' '.join(arguments)}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Host:
    """The sample's configuration with this machine's ports and a new certificate."""

    def __init__(self, place, server, port):
        folder = place.folder / "deploy-nginx"
        folder.mkdir()
        self.base, self.certificate = f"https://localhost:{port}", folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out",
                        self.certificate], check=True, capture_output=True)
        sample = (ROOT / "Samples/deploy/nginx.conf").read_text()
        for pattern, value in ((r"listen 443 ssl", f"listen 127.0.0.1:{port} ssl"), (r"127\.0\.0\.1:7437",
                               f"127.0.0.1:{server.port}"), (r"server_name \S+;", "server_name localhost;"),
                               (r"/etc/bsc/well-known", str(ROOT / "Samples/deploy/well-known")),
                               (r"/etc/\S+/fullchain\.pem", str(self.certificate)), (r"/etc/\S+/privkey\.pem",
                                                                                    f"{folder}/key.pem")):
            sample, count = re.subn(pattern, value, sample)
            want(count > 0, f"the sample has no {pattern}")
        folders = "".join(f"{kind}_temp_path {folder}/{kind};\n"
                          for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/pid; events {{ worker_connections 64; }}\n"
            f"http {{ access_log off; {folders} {sample} }}\n")
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
    port = free_port()
    command = re.search(r"^ExecStart=(.+)$", (ROOT / "Samples/deploy/bsc.service").read_text(), re.M)[1]
    flags = shlex.split(command)[4:]
    want(flags == ["--public-url", "https://clips.example.org"], f"the unit runs {command}")
    server = Server(place, "deploy", flags[0], f"https://localhost:{port}")
    host = Host(place, server, port)
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
    closed = ["/.well-known/", "/family", "/coaches", f"/h/{shared['highlight']['id']}", "/rest/v1/highlights",
              "/auth/v1/health", "/uploads", "/video/v1/assets", "//family", "/s/../family"]
    for each in closed:
        want(host.ask(each).status_code == 404, f"{each} is {host.ask(each).status_code}")
    want(host.ask(sent["address"].removeprefix(host.base), "POST").status_code == 403, "POST is forwarded")
    link, = bsc(server, "recruiting", "links")
    want(link["link"]["open_count"] == 1, f"{link}")
    return f"{len(closed)} other addresses are closed"
