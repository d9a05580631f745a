"""A Supabase project: PostgreSQL with the migrations, the Edge Functions with Deno, and stand-ins for what can't run here.

The stand-ins: PostgREST (each request becomes a step of the conformance tests' driver), Auth (signed tokens), and Mux
(uploads in chunks, signed webhooks, streams and pictures that need the tokens of signed playback IDs).
"""

import asyncio
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import threading
import time
import uuid

import aiohttp
import jwt
from aiohttp import web
from backend import ROOT, want
from scenarios.on_postgres import Postgres

FUNCTIONS = ROOT / "supabase/functions"
JWT_SECRET = "jwt-secret-of-the-story-0123456789abcdef"
WEBHOOK_SECRET = "webhook-secret-of-the-story"
CONFLICTS, MISSING, FORBIDDEN = {"23503", "23505"}, {"42883", "42P01"}, {"42501"}


def token(**claims):
    return jwt.encode({"exp": int(time.time()) + 3600} | claims, JWT_SECRET, algorithm="HS256")


class Mux:
    """Stores the size of uploads, and has an asset with one playback ID for each complete one."""

    def __init__(self, base, public_key, notify):
        self.base, self.public_key, self.notify, self.uploads, self.playback = base, public_key, notify, {}, {}

    def create(self, body):
        upload = {"id": uuid.uuid4().hex, "status": "waiting", "stored": 0} | body
        upload["url"] = f"{self.base}/upload/{upload['id']}"
        self.uploads[upload["id"]] = upload
        return upload

    async def receive(self, request):
        """A chunk, or a question about the offset, as in Google Cloud Storage."""
        upload = self.uploads[request.match_info["id"]]
        if upload["status"] == "waiting":
            upload["stored"] += len(await request.read())
        total = re.search(r"/(\d+)$", request.headers.get("Content-Range", ""))
        if total is None or upload["stored"] < int(total[1]):
            stored = upload["stored"]
            return web.Response(status=308, headers={"Range": f"bytes=0-{stored - 1}"} if stored else {})
        if upload["status"] == "waiting":
            upload["status"] = "asset_created"
            asyncio.get_running_loop().create_task(self.finish(upload))
        return web.Response()

    async def finish(self, upload):
        settings = upload["new_asset_settings"]
        playback, policy = f"PB{uuid.uuid4().hex}", settings["playback_policies"][0]
        self.playback[playback] = policy
        asset = {"id": f"asset-{upload['id']}", "upload_id": upload["id"], "passthrough": settings["passthrough"]}
        ready = asset | {"status": "ready", "playback_ids": [{"id": playback, "policy": policy}], "duration": 4.5,
                         "tracks": [{"type": "video", "max_width": 1080, "max_height": 1920}]}
        created = {"id": upload["id"], "asset_id": asset["id"], "new_asset_settings": settings}
        for kind, data in ("upload.asset_created", created), ("asset.ready", ready):
            body = json.dumps({"id": uuid.uuid4().hex, "type": f"video.{kind}", "data": data})
            stamp = str(int(time.time()))
            signature = hmac.new(WEBHOOK_SECRET.encode(), f"{stamp}.{body}".encode(), hashlib.sha256).hexdigest()
            await self.notify(body, {"Mux-Signature": f"t={stamp},v1={signature}", "Content-Type": "application/json"})

    async def show(self, request):
        """A stream or a picture: the token must be for this playback ID and this use."""
        playback, _, file = request.match_info["path"].partition("/")
        use = {"thumbnail": "t", "animated": "g", "storyboard": "s"}.get(file.split(".")[0], "v")
        playback = playback.split(".")[0]
        if playback not in self.playback:
            return web.Response(status=404)
        if self.playback[playback] == "signed":
            try:
                claims = jwt.decode(request.query.get("token", ""), self.public_key, algorithms=["RS256"], audience=use,
                                    options={"require": ["exp", "sub", "aud"]})
            except jwt.PyJWTError:
                return web.Response(status=403)
            if claims["sub"] != playback:
                return web.Response(status=403)
        return web.Response(text="the video or picture")


class Project:
    name = "project"
    # Nothing opens links here.
    public = "https://clips.example.org"

    def __init__(self, place, database):
        self.postgres, self.lock = Postgres(database), threading.Lock()
        self.postgres.open()
        self.postgres.begin()
        self.service, self.key = token(role="service_role"), token(role="anon")
        key = subprocess.run(["openssl", "genrsa", "2048"], check=True, capture_output=True, text=True).stdout
        public = subprocess.run(["openssl", "rsa", "-pubout"], input=key, check=True, capture_output=True, text=True).stdout
        self.loop, self.functions = asyncio.new_event_loop(), {}
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.run(self.serve(public))
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(place.folder), "DENO_DIR": str(place.folder / "deno"), "NO_COLOR": "1",
            "DENO_NO_UPDATE_CHECK": "1", "DENO_SERVE_ADDRESS": "tcp:127.0.0.1:0", "SUPABASE_URL": self.base,
            "SUPABASE_SERVICE_ROLE_KEY": self.service, "SUPABASE_ANON_KEY": self.key, "LEGACY_JWT_SECRET": JWT_SECRET,
            "MUX_BASE_URL": self.base, "MUX_TOKEN_ID": "id", "MUX_TOKEN_SECRET": "secret",
            "MUX_WEBHOOK_SECRET": WEBHOOK_SECRET, "MUX_SIGNING_KEY": key, "MUX_SIGNING_KEY_ID": "key-1",
            "MUX_STREAM_URL": f"{self.base}/stream", "MUX_IMAGE_URL": f"{self.base}/image"}
        for name in "uploads", "mux-webhook", "playback":
            self.functions[name] = self.start(place, name, environment)

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def start(self, place, name, environment):
        """Starts a function as it is deployed; returns its address."""
        log = place.folder / f"function-{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [f"{sys.prefix}/bin/deno", "run", "--no-remote", "--no-npm", "--no-prompt", "--cached-only",
                 "--allow-env", "--allow-net=127.0.0.1", FUNCTIONS / name / "index.ts"],
                env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        place.processes.append(process)
        begin = time.monotonic()
        while not (port := re.search(r"Listening on http://127\.0\.0\.1:(\d+)", log.read_text())):
            want(process.poll() is None and time.monotonic() - begin < 180, f"{name} does not start: {log.read_text()}")
            time.sleep(0.02)
        return f"http://127.0.0.1:{port[1]}"

    async def serve(self, public_key):
        application = web.Application(client_max_size=1 << 26)
        routes = application.router
        routes.add_get("/auth/v1/.well-known/jwks.json", self.keys)
        routes.add_route("*", "/functions/v1/{name}{rest:.*}", self.forward)
        routes.add_route("*", "/rest/v1/{path:.*}", self.rows)
        self.runner = web.AppRunner(application, access_log=None, shutdown_timeout=0)
        self.session = aiohttp.ClientSession()
        routes.add_post("/video/v1/uploads", self.create_upload)
        routes.add_put("/upload/{id}", self.receive)
        routes.add_get("/{kind:stream|image}/{path:.*}", self.show)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0).start()
        self.base = f"http://127.0.0.1:{self.runner.addresses[0][1]}"
        self.mux = Mux(self.base, public_key, self.notify)

    def close(self):
        self.run(self.session.close())
        self.run(self.runner.cleanup())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.postgres.close()

    # Accounts

    def sign_up(self, name):
        account = str(uuid.uuid4())
        with self.lock:
            # The driver's name of a person is the account's ID.
            self.postgres.sign_up(account, {"full_name": name.title()}, account)
        access = token(sub=account, role="authenticated", aud="authenticated", email=f"{name}@example.org",
                       session_id=str(uuid.uuid4()), iat=int(time.time()))
        return account, access, {"BSC_SUPABASE_ACCESS_TOKEN": access}

    def pass_a_day(self):
        """A family can sync again, and looks up its stored posts."""
        with self.lock:
            self.postgres.owner.execute("update private.social_syncs set started_at = started_at - interval '1 day'")
            self.postgres.owner.execute("update private.social_cursors set last_synced_at = last_synced_at - interval '1 day'")

    def appoint(self, moderator):
        with self.lock:
            self.postgres.owner.execute("insert into public.moderators (user_id) values (%s)", [moderator])

    def caller(self, request):
        """The driver's name of a request's caller; None without a key of the project."""
        key, bearer = request.headers.get("apikey"), request.headers.get("Authorization", "").removeprefix("Bearer ")
        if key == self.service:
            return "service"
        if key != self.key:
            return None
        if bearer in ("", self.key):
            return "anon"
        try:
            return jwt.decode(bearer, JWT_SECRET, algorithms=["HS256"], audience="authenticated")["sub"]
        except jwt.PyJWTError:
            return None

    async def keys(self, request):
        return web.json_response({"keys": []})

    # Functions

    async def forward(self, request):
        """Sends a request to its function, like Supabase's gateway."""
        name = request.match_info["name"]
        headers = {key: value for key, value in request.headers.items()
                   if key.lower() not in ("host", "content-length", "transfer-encoding")}
        return await self.send(name, request.method, request.path_qs.removeprefix("/functions/v1"), await request.read(),
                               headers)

    async def send(self, name, method, path, body, headers):
        if name not in self.functions:
            return web.Response(status=404)
        async with self.session.request(method, self.functions[name] + path, data=body, headers=headers) as answer:
            return web.Response(status=answer.status, body=await answer.read(), content_type=answer.content_type)

    async def notify(self, body, headers):
        answer = await self.send("mux-webhook", "POST", "/mux-webhook", body.encode(), headers)
        if answer.status != 200:
            print(f"mux-webhook: {answer.status} {answer.body}", flush=True)

    async def create_upload(self, request):
        return web.json_response({"data": self.mux.create(await request.json())}, status=201)

    async def receive(self, request):
        return await self.mux.receive(request)

    async def show(self, request):
        return await self.mux.show(request)

    # Rows

    async def rows(self, request):
        person, body = self.caller(request), await request.read()
        if person is None:
            return web.json_response({"code": "PGRST301", "message": "no valid key"}, status=401)
        step = step_of(request.method, request.match_info["path"], request.query.items(),
                       request.headers.get("Prefer", ""), json.loads(body) if body else None)
        outcome = await asyncio.to_thread(self.run_step, step | {"as": person})
        if outcome.code is not None:
            error = {"code": outcome.code, "message": outcome.message, "details": None, "hint": None}
            return web.json_response(error, status=status_of(outcome.code))
        if "call" not in step and "select" not in step and not step.get("shows"):
            return web.Response(status=201 if request.method == "POST" else 204)
        content = outcome.value if outcome.rows is None else outcome.rows
        if content is None and "call" in step:
            return web.Response(status=204)
        return web.json_response(content, status=201 if step.get("shows") and request.method == "POST" else 200)

    def run_step(self, step):
        with self.lock:
            return self.postgres.run(step, None)


def step_of(method, path, query, prefer, body):
    """The conformance tests' step that does what a request of PostgREST does."""
    step, where = {}, {}
    for name, value in query:
        if name == "select":
            # A hint can also be the name of the foreign key.
            step["columns"] = re.sub(rf"!{path}_(\w+)_fkey", r"!\1", value)
        elif name in ("order", "limit", "offset"):
            step[name] = value
        elif name == "on_conflict":
            step["on"] = value
        else:
            where.setdefault(name, []).append(value)
    step["where"] = where
    shows = "return=representation" in prefer
    if path.startswith("rpc/"):
        def is_array(value):
            return isinstance(value, list) and all(isinstance(each, str) for each in value)

        given = {name: "{" + ",".join(value) + "}" if is_array(value) else value
                 for name, value in (body or {}).items()}
        return step | {"call": path.removeprefix("rpc/"), "arguments": given}
    if method == "GET":
        return step | {"select": path}
    if shows:
        step |= {"returning": step.get("columns", "*"), "shows": True}
    if method == "POST":
        merges = "resolution=merge-duplicates" in prefer
        return step | {"upsert" if merges else "insert": path, "rows": body}
    return step | ({"update": path, "set": body} if method == "PATCH" else {"delete": path})


def status_of(code):
    if code.startswith("PT"):
        return int(code[2:])
    return 409 if code in CONFLICTS else 404 if code in MISSING else 403 if code in FORBIDDEN else 400
