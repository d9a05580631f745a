import { equal, ok } from "./support/assert.ts";
import { draft, muxTimeout, World } from "./support/world.ts";

const world = await World.make("uploads");
Deno.test.afterAll(() => world[Symbol.asyncDispose]());
const { mux, rest } = world;

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `uploads: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

test("a draft becomes an upload", async () => {
  const ann = await world.person();
  const sent = draft();
  const before = Math.floor(Date.now() / 1000);
  const { status, body, headers } = await world.open(ann, sent, "job-1", { timeout: 7200 });
  equal(status, 201);
  equal(Object.keys(body).sort(), ["expires_at", "id", "url"]);
  ok(body.expires_at >= before + 7200 && body.expires_at <= before + 7210, "expires when the URL does");
  equal(headers.get("content-type"), "application/json; charset=utf-8");
  equal(headers.get("cache-control"), "no-store");
  const upload = world.muxUpload(body.id);
  equal(body.url, upload.url);
  equal(mux.bodies.at(-1), {
    cors_origin: "*",
    timeout: 7200,
    test: false,
    new_asset_settings: {
      playback_policies: ["public"],
      video_quality: "basic",
      max_resolution_tier: "1080p",
      passthrough: body.id,
    },
  });
  const row = await world.row(body.id);
  equal(row.author_id, ann.id);
  equal(row.mux_upload_id, upload.id);
  equal(row.idempotency_key, "job-1");
  const lower = { ...sent, highlight_id: sent.highlight_id.toLowerCase() };
  equal(Object.fromEntries(Object.keys(sent).map((key) => [key, row[key]])), lower, "the draft is stored whole");
  equal((await world.state(ann, body.id)).body, { id: body.id, highlight_id: lower.highlight_id, status: "waiting" });
});

test("the smallest draft, with its timeout in the body", async () => {
  const ann = await world.person();
  const small = {
    highlight_id: crypto.randomUUID(),
    tags: [],
    privacy_level: "public",
    hide_likes: false,
    duration: 3,
    confidence: 0,
    quality: 0,
    detection_count: 0,
    timeout: 60,
    unknown: { attempt: "x" },
  };
  const answer = await world.send(world.get("uploads").url, {
    method: "POST",
    headers: { Authorization: `Bearer ${ann.token}`, "Idempotency-Key": "k" },
    body: JSON.stringify(small),
  });
  equal(answer.status, 201);
  equal(mux.bodies.at(-1)!.timeout, 60);
  equal((await world.row(answer.body.id)).caption, null);
});

test("the gateway may leave its prefix", async () => {
  const ann = await world.person();
  const { body } = await world.open(ann, draft());
  const base = new URL(world.get("uploads").url).origin;
  const headers = { Authorization: `Bearer ${ann.token}` };
  equal((await world.send(`${base}/functions/v1/uploads/${body.id}`, { headers })).status, 200);
  equal((await world.send(`${base}/uploads/${body.id.toUpperCase()}`, { headers })).status, 200);
  for (const path of ["/", "/upload", "/uploads/x/y", `/uploads/${body.id}/cancel/x`]) {
    equal((await world.send(base + path, { headers })).body.error.type, "not_found", path);
  }
});

test("the same key gives the same upload while it waits", async () => {
  const ann = await world.person();
  const sent = draft();
  const first = await world.open(ann, sent, "job");
  const made = mux.uploads.length;
  const again = await world.open(ann, { ...sent, highlight_id: sent.highlight_id.toLowerCase() }, "job");
  equal(again.status, 200);
  equal(again.body, first.body);
  equal(mux.uploads.length, made, "Mux was not asked");
  const other = await world.open(ann, { ...sent, caption: "another" }, "job");
  equal(other.status, 409);
  equal(other.body.error.type, "idempotency_conflict");
  const bob = await world.person();
  const foreign = await world.open(bob, draft(), "job");
  equal(foreign.status, 201, "keys are the author's");
});

test("after the expiry, the same key gives a new upload", async () => {
  const ann = await world.person();
  const sent = draft();
  const first = (await world.open(ann, sent, "job")).body;
  await world.sql(`update uploads set expires_at = now() - interval '1 second' where id = '${first.id}'`);
  equal((await world.state(ann, first.id)).body.status, "timed_out");
  const second = await world.open(ann, sent, "job");
  equal(second.status, 201);
  ok(second.body.id !== first.id && second.body.url !== first.url, "another upload");
  equal((await world.row(first.id)).superseded, true);
});

test("a new key supersedes the old attempt", async () => {
  const ann = await world.person();
  const sent = draft();
  const first = (await world.open(ann, sent, "job-1")).body;
  const second = await world.open(ann, sent, "job-2");
  equal(second.status, 201);
  const state = (await world.state(ann, first.id)).body;
  equal([state.status, state.error], ["cancelled", "a newer upload of this highlight took its place"]);
  equal((await world.row(second.body.id)).attempt, 2);
});

test("clips of one post are separate uploads", async () => {
  const ann = await world.person();
  const sent = draft({ part: 0, part_count: 2 });
  const first = (await world.open(ann, sent, "job-a")).body;
  const second = await world.open(ann, { ...sent, part: 1 }, "job-b");
  equal(second.status, 201);
  equal((await world.state(ann, first.id)).body.status, "waiting", "the other one is not superseded");
  const row = await world.row(second.body.id);
  equal([row.part, row.part_count, row.attempt], [1, 2, 1]);
  const other = await world.open(ann, { ...sent, part: 2, part_count: 3 }, "job-c");
  equal([other.status, other.body.error.type], [409, "different_post"]);
  equal((await world.cancel(ann, second.body.id)).body.status, "cancelled");
  const state = (await world.state(ann, first.id)).body;
  equal([state.status, state.error], ["cancelled", "another clip of the post was cancelled"]);
});

test("two concurrent requests get one upload", async () => {
  const ann = await world.person();
  const sent = draft();
  mux.fail("POST /uploads", { kind: "slow", milliseconds: 100 });
  const answers = await Promise.all([1, 2, 3, 4].map(() => world.open(ann, sent, "job")));
  equal(answers.map((answer) => answer.status).sort(), [200, 200, 200, 201]);
  equal(new Set(answers.map((answer) => answer.text)).size, 1, "the same answer");
  const { id, url } = answers[0]!.body;
  const mine = mux.uploads.filter((upload) => upload.new_asset_settings.passthrough === id);
  const row = await world.row(id);
  equal(mine.find((upload) => upload.url === url)!.id, row.mux_upload_id, "the URL is of the one that is recorded");
  const leftovers = await world.sql(`select id from private.mux_leftovers`);
  for (const upload of mine) {
    if (upload.id !== row.mux_upload_id) ok(leftovers.some(([left]) => left === upload.id), "the others are left over");
  }
});

test("a lost response of Mux creates no second upload", async () => {
  for (const fault of [{ kind: "lost" }, { kind: "slow", milliseconds: muxTimeout + 500 }] as const) {
    const ann = await world.person();
    mux.fail("POST /uploads", fault);
    const { status, body } = await world.open(ann, draft(), "job");
    equal(status, 201, fault.kind);
    // A slow request may create its upload after the search. That upload's URL is never returned.
    if (fault.kind === "slow") await new Promise((resolve) => setTimeout(resolve, 800));
    const mine = mux.uploads.filter((upload) => upload.new_asset_settings.passthrough === body.id);
    equal(mine.length, fault.kind === "lost" ? 1 : 2, fault.kind);
    equal((await world.row(body.id)).mux_upload_id, mine[0]!.url === body.url ? mine[0]!.id : mine[1]!.id);
  }
});

test("a lost response, then an outage: the same key finds the upload later", async () => {
  const ann = await world.person();
  const sent = draft();
  mux.fail("POST /uploads", { kind: "lost" });
  mux.fail("GET /uploads", { kind: "status", status: 500 });
  const first = await world.open(ann, sent, "job");
  equal([first.status, first.body.error.type], [503, "unavailable"]);
  ok(Number(first.headers.get("retry-after")) > 0, "when to come again");
  const made = mux.uploads.length;
  const second = await world.open(ann, sent, "job");
  equal(second.status, 200);
  equal(mux.uploads.length, made, "it was found");
  equal(second.body.url, mux.uploads.at(-1)!.url);
});

test("Mux fails: nothing is created twice, and the key can be used again", async () => {
  const ann = await world.person();
  const sent = draft();
  for (const status of [500, 503]) {
    mux.fail("POST /uploads", { kind: "status", status });
    mux.fail("POST /uploads", { kind: "status", status });
    const answer = await world.open(ann, sent, "job");
    equal([answer.status, answer.body.error.type], [503, "unavailable"]);
    ok(!answer.text.includes("a reason of Mux's"), "its reason is the log's");
  }
  equal((await world.open(ann, sent, "job")).status, 200);
});

test("Mux limits the rate: the function waits for a short time, the client for a long one", async () => {
  const ann = await world.person();
  mux.fail("POST /uploads", { kind: "status", status: 429, headers: { "Retry-After": "1" } });
  const began = performance.now();
  equal((await world.open(ann, draft())).status, 201);
  ok(performance.now() - began > 950, "waited");
  mux.fail("POST /uploads", { kind: "status", status: 429, headers: { "Retry-After": "77" } });
  const answer = await world.open(ann, draft());
  equal([answer.status, answer.headers.get("retry-after")], [429, "77"]);
  equal(answer.body.error.type, "rate_limited");
});

test("Mux refuses: the reason is not revealed", async () => {
  const ann = await world.person();
  for (const status of [400, 401, 403]) {
    mux.fail("POST /uploads", { kind: "status", status });
    const answer = await world.open(ann, draft());
    equal([answer.status, answer.body.error.type], [502, "mux_refused"]);
    ok(!answer.text.includes("a reason of Mux's"), "its reason is the log's");
  }
  ok(world.get("uploads").output.includes("a reason of Mux's"), "there it is");
  mux.fail("POST /uploads", { kind: "status", status: 200, body: "<html>" });
  equal((await world.open(ann, draft())).status, 201, "nonsense is a lost answer");
});

test("invalid drafts", async () => {
  const ann = await world.person();
  const flag = "\u{1F1E9}\u{1F1EA}";
  const cases: [Record<string, unknown>, string][] = [
    [{ duration: 2.99 }, "duration is 2.99 s; a rally must last 3 to 60 s"],
    [{ duration: 60.000_002 }, "duration is 60.000002 s; a rally must last 3 to 60 s"],
    [{ duration: 60.01 }, "duration is 60.01 s; a rally must last 3 to 60 s"],
    [{ duration: -1 }, "duration is -1 s; a rally must last 3 to 60 s"],
    [{ caption: "a".repeat(2201) }, "caption has 2201 characters; the limit is 2200"],
    [{ caption: flag.repeat(2201) }, "caption has 2201 characters; the limit is 2200"],
    // Few characters with very many bytes, which only the table checks.
    [{ caption: "e" + "\u0301".repeat(40_000) }, "caption violates a rule"],
    [{ tags: Array(735).fill("a") }, "tags has 735 entries; the limit is 734"],
    [{ tags: ["a", ""] }, "tags has an entry that is empty or too long"],
    [{ tags: ["a".repeat(2201)] }, "tags has an entry that is empty or too long"],
    [{ confidence: 1.1 }, "confidence is 1.1; it must be 0 to 1"],
    [{ quality: -0.1 }, "quality is -0.1; it must be 0 to 1"],
    [{ detection_count: -1 }, "detection_count is negative"],
    [{ detection_count: 3e9 }, "detection_count is too large"],
    ...["confidence", "quality", "detection_count"].flatMap((name): [Record<string, unknown>, string][] => [
      [{ [name]: null }, `${name} is missing; only rallies with metadata are accepted`],
      [{ [name]: undefined }, `${name} is missing; only rallies with metadata are accepted`],
      [{ [name]: null, part: 1, part_count: 2 }, `${name} is missing; only rallies with metadata are accepted`],
    ]),
    [{ local_rally_index: -1 }, "local_rally_index is negative"],
    [{ local_rally_index: 3e9 }, "local_rally_index is too large"],
    [{ part: 1 }, "part is 1; it must be less than part_count and not negative"],
    [{ part: -1, part_count: 2 }, "part is -1; it must be less than part_count and not negative"],
    [{ part: 2, part_count: 2 }, "part is 2; it must be less than part_count and not negative"],
    [{ part: 3e9, part_count: 3e9 }, "part_count is 3000000000; it must be 1 to 10"],
    [{ part_count: 11 }, "part_count is 11; it must be 1 to 10"],
    [{ part_count: 0 }, "part_count is 0; it must be 1 to 10"],
  ];
  const asked = mux.requests.length;
  for (const [more, reason] of cases) {
    const answer = await world.open(ann, draft(more));
    equal([answer.status, answer.body], [422, { error: { type: "invalid_parameters", messages: [reason] } }]);
  }
  const many = await world.open(ann, draft({ duration: 1, quality: 2 }), "k", { timeout: 59 });
  equal(many.body.error.messages.length, 3, "all are reported");
  equal(many.body.error.messages[2], "timeout must be 60 to 604800 s");
  equal((await world.open(ann, draft(), "k", { timeout: 604_801 })).status, 422);
  equal((await world.open(ann, draft(), "k", { timeout: "1h" })).status, 400);
  equal(mux.requests.length, asked, "Mux hears nothing of it");
  equal(await world.value(`select count(*) from uploads where author_id = '${ann.id}'`), "0");
});

test("drafts at the limits", async () => {
  const ann = await world.person();
  const flag = "\u{1F1E9}\u{1F1EA}";
  const cases = [
    { duration: 3 },
    { duration: 60 },
    // A microsecond is tolerated.
    { duration: 3 - 5e-7 },
    { duration: 60 + 5e-7, confidence: 1 + 5e-10, quality: -5e-10 },
    { caption: flag.repeat(2200) },
    { caption: null },
    { confidence: 0, quality: 1, detection_count: 0, local_rally_index: 0 },
    { local_rally_index: null, local_video_id: null },
    { tags: Array(734).fill("a") },
    { part: 9, part_count: 10 },
    { part: 0, part_count: 1 },
    { privacy_level: "private" },
    { caption: 'it\'s \\ "quoted" \u{1F3D0} ; drop table uploads; -- $1' },
  ];
  for (const more of cases) {
    const answer = await world.open(ann, draft(more));
    equal(answer.status, 201, answer.text.slice(0, 200));
    if ("caption" in more) equal((await world.row(answer.body.id)).caption, more.caption);
  }
});

test("bodies that are not drafts", async () => {
  const ann = await world.person();
  const cases: [Record<string, unknown>, string][] = [
    [{ highlight_id: undefined }, "highlight_id is missing"],
    [{ highlight_id: "x" }, "highlight_id has an invalid value"],
    [{ highlight_id: 7 }, "highlight_id has the wrong type"],
    [{ duration: null }, "duration is null"],
    [{ duration: "12" }, "duration has the wrong type"],
    [{ tags: undefined }, "tags is missing"],
    [{ tags: ["a", 1] }, "tags.1 has the wrong type"],
    [{ tags: "a" }, "tags has the wrong type"],
    [{ tags: ["a\0"] }, "tags.0 has an invalid value"],
    [{ hide_likes: "no" }, "hide_likes has the wrong type"],
    [{ privacy_level: "friends" }, "privacy_level has an invalid value"],
    [{ caption: 1 }, "caption has the wrong type"],
    [{ caption: "a\0b" }, "caption has an invalid value"],
    [{ caption: "\ud83c" }, "caption has an invalid value"],
    [{ detection_count: 1.5 }, "detection_count has an invalid value"],
    [{ part: 0.5, part_count: 2 }, "part has an invalid value"],
    [{ part_count: "2" }, "part_count has the wrong type"],
    [{ local_video_id: "video" }, "local_video_id has an invalid value"],
  ];
  for (const [more, reason] of cases) {
    const answer = await world.open(ann, draft(more));
    equal([answer.status, answer.body], [400, { error: { type: "invalid_parameters", messages: [reason] } }]);
  }
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    world.send(world.get("uploads").url, {
      method: "POST",
      headers: { Authorization: `Bearer ${ann.token}`, "Idempotency-Key": "k", ...headers },
      body,
    });
  const bodies = ["", "{", "null", "[]", "7", '"x"', new Uint8Array([0x7b, 0xff, 0x7d]), "{}x", "[".repeat(100_000)];
  for (const body of bodies) equal((await post(body)).status, 400, `${body}`.slice(0, 20));
  equal((await post(JSON.stringify(draft()).replace("12.5", "1e400"))).body.error.messages, [
    "duration has an invalid value",
  ]);
});

test("large bodies", async () => {
  const ann = await world.person();
  const post = (body: BodyInit) =>
    world.send(world.get("uploads").url, {
      method: "POST",
      headers: { Authorization: `Bearer ${ann.token}`, "Idempotency-Key": "k" },
      body,
    });
  const large = await post(JSON.stringify(draft({ more: "a".repeat(256 * 1024) })));
  equal([large.status, large.body.error.messages], [413, ["the body is larger than 256 KiB"]]);
  // Without a length, bytes are counted as they arrive.
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      if (sent++ > 1000) return controller.close();
      controller.enqueue(new Uint8Array(65536).fill(32));
    },
  });
  const answer = await post(endless).catch(() => null);
  ok(answer === null || answer.status === 413, "an endless body ends");
  ok(sent < 900, `it was not read: ${sent} pieces`);
  equal((await world.open(ann, draft())).status, 201, "it succeeds");
});

test("an Idempotency-Key is required", async () => {
  const ann = await world.person();
  for (const key of ["", "a".repeat(256), "\u00e4"]) {
    const answer = await world.open(ann, draft(), key);
    equal([answer.status, answer.body.error.messages], [400, [
      "an Idempotency-Key header of 1 to 255 bytes is required",
    ]]);
  }
  equal((await world.open(ann, draft(), "a".repeat(255))).status, 201);
});

test("an existing highlight is already registered", async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const sent = draft();
  await world.sql(`insert into highlights (id, author_id, mux_playback_id, duration)
    values ('${sent.highlight_id}', '${ann.id}', 'x', 12)`);
  const mine = await world.open(ann, sent);
  equal([mine.status, mine.body.error.type], [409, "already_registered"]);
  const theirs = await world.open(bob, sent);
  equal([theirs.status, theirs.body.error.type], [409, "highlight_taken"]);
});

test("other users can't see or cancel an upload", async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  const { id } = (await world.open(ann, draft())).body;
  for (const asked of [id, crypto.randomUUID(), "x", "..", "%00", "' or true --"]) {
    const path = encodeURIComponent(asked);
    for (const answer of [await world.state(bob, path), await world.cancel(bob, path)]) {
      if (asked === "..") continue;
      equal([answer.status, answer.body.error.type], [404, "not_found"], asked);
    }
  }
  equal((await world.state(ann, id)).body.status, "waiting");
});

test("cancelling, in each state", async () => {
  const ann = await world.person();
  const { id } = (await world.open(ann, draft())).body;
  const answer = await world.cancel(ann, id);
  equal([answer.status, answer.body.id, answer.body.status], [200, id, "cancelled"]);
  const upload = world.muxUpload(id).id;
  equal(await world.value(`select count(*) from private.mux_leftovers where id = '${upload}'`), "1", "Mux is to hear");
  for (const status of ["cancelled", "asset_created", "ready", "errored", "timed_out"]) {
    await world.sql(`update uploads set status = '${status}' where id = '${id}'`);
    const refused = await world.cancel(ann, id);
    equal([refused.status, refused.body.error], [409, {
      type: "not_waiting",
      messages: [`only a waiting upload can be cancelled; this one is ${status}`],
    }]);
  }
  const late = (await world.open(ann, draft())).body.id;
  await world.sql(`update uploads set expires_at = now() where id = '${late}'`);
  equal((await world.cancel(ann, late)).body.error.messages[0].split(" ").at(-1), "timed_out");
});

test("the state is readable by the client", async () => {
  const ann = await world.person();
  const { id } = (await world.open(ann, draft())).body;
  await world.sql(`update uploads set status = 'errored', error = 'no video', mux_asset_id = 'a', mux_playback_id = 'p',
    non_standard_input_reasons = '{"video_codec": "av1", "files": ["x"], "rate": 7}' where id = '${id}'`);
  const { body } = await world.state(ann, id);
  equal(body.non_standard_input_reasons, { video_codec: "av1", files: '["x"]', rate: "7" }, "texts");
  equal([body.status, body.error, body.asset_id, body.playback_id], ["errored", "no video", "a", "p"]);
});

test("cancelled or superseded while Mux is asked", async () => {
  const ann = await world.person();
  const sent = draft();
  mux.fail("POST /uploads", { kind: "slow", milliseconds: 800 });
  const asked = mux.count("POST /uploads");
  const first = world.open(ann, sent, "job-1");
  while (mux.count("POST /uploads") === asked) await new Promise((resolve) => setTimeout(resolve, 5));
  equal((await world.open(ann, sent, "job-2")).status, 201);
  const answer = await first;
  equal([answer.status, answer.body.error.type], [409, "not_waiting"]);
});

test("a deleted account", async () => {
  const ann = await world.person();
  await world.sql(`delete from auth.users where id = '${ann.id}'`);
  const answer = await world.open(ann, draft());
  equal([answer.status, answer.body.error.type], [403, "not_allowed"]);
});

test("the database is unreachable", async () => {
  const ann = await world.person();
  const refusals = [
    { status: 503, body: '{"code":"PGRST000","message":"secret host"}' },
    { status: 502, body: "<html>secret host</html>" },
    { status: 401, body: '{"message":"secret host"}' },
    { status: 404, body: '{"code":"PGRST202","message":"secret host"}' },
  ];
  for (const refusal of refusals) {
    rest.down = refusal;
    const answer = await world.open(ann, draft());
    rest.down = null;
    equal([answer.status, answer.body.error.type], [503, "unavailable"]);
    ok(!answer.text.includes("secret host"), "its words stay inside");
  }
});

test("methods and preflights", async () => {
  const { url } = world.get("uploads");
  const preflight = await world.send(url, { method: "OPTIONS", headers: { Origin: "https://app.example" } });
  equal([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, "*"]);
  for (const name of ["authorization", "apikey", "content-type", "idempotency-key", "x-client-info"]) {
    ok(preflight.headers.get("access-control-allow-headers")!.split(", ").includes(name), name);
  }
  const ann = await world.person();
  const headers = { Authorization: `Bearer ${ann.token}` };
  const cases = [["GET", ""], ["PUT", ""], ["DELETE", "/x"], ["POST", "/x"], ["GET", "/x/cancel"]] as const;
  for (const [method, path] of cases) {
    const answer = await world.send(url + path, { method, headers });
    equal([answer.status, answer.body.error.type], [405, "method_not_allowed"], method + path);
    equal(answer.headers.get("access-control-allow-origin"), "*", "browsers can read refusals");
  }
});
