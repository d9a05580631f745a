import { createVerify, generateKeyPairSync } from "node:crypto";
import { equal, ok } from "./support/assert.ts";
import type { Thing } from "./support/mux.ts";
import { draft, type Running, World } from "./support/world.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** As Mux returns it: PKCS #1 as PEM, in Base64. */
const key = btoa(pair.privateKey.export({ type: "pkcs1", format: "pem" }) as string);
const signing = { MUX_SIGNING_KEY_ID: "key-7", MUX_SIGNING_KEY: key };

const world = await World.make("uploads", "mux-webhook", "sweep", "playback");
const [playback, sweep] = await Promise.all([world.start("playback", signing), world.start("sweep", signing)]);
Deno.test.afterAll(async () => {
  for (const one of [playback, sweep, world]) await one[Symbol.asyncDispose]();
});
const { mux } = world;
const [ann, bob, eve] = await Promise.all([1, 2, 3].map(() => world.person()));
await world.sql(`insert into follows (follower_id, following_id) values ('${bob!.id}', '${ann!.id}')`);

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `playback: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

async function shared(level: string, more: Thing = {}): Promise<{ id: string; asset: Thing }> {
  const sent = draft({ privacy_level: level, ...more });
  const { id } = (await world.open(ann!, sent)).body;
  const asset = mux.receive(world.muxUpload(id), "ready");
  equal((await world.deliver(mux.event("video.asset.ready", asset))).body.outcome, "published");
  return { id: sent.highlight_id.toLowerCase(), asset };
}

async function ask(person: { token: string }, ids: string[], more: Thing = {}, at: Running = playback) {
  return await world.send(at.url, {
    method: "POST",
    headers: { Authorization: `Bearer ${person.token}` },
    body: JSON.stringify({ highlight_ids: ids, ...more }),
  });
}

async function run(at: Running = sweep): Promise<Thing> {
  const { status, body } = await world.sweep(at);
  equal(status, 200);
  return body;
}

const setLevel = (id: string, level: string) =>
  world.sql(`update highlights set privacy_level = '${level}' where id = '${id}'`);
const policies = (asset: Thing): string[] => asset.playback_ids.map((entry: Thing) => entry.policy);

/** Checks the signature of an address's token, and returns the claims. */
function claims(address: string): Thing {
  const parts = new URL(address).searchParams.get("token")!.split(".");
  const verify = createVerify("RSA-SHA256").update(`${parts[0]}.${parts[1]}`);
  ok(verify.verify(pair.publicKey, parts[2]!, "base64url"), "the signature is valid");
  const [head, payload] = parts.slice(0, 2).map((part) =>
    JSON.parse(atob(part!.replace(/-/g, "+").replace(/_/g, "/")))
  );
  equal([head.alg, head.kid], ["RS256", "key-7"]);
  return payload;
}

test("without a signing key, nothing is closed, and the response says so", async () => {
  const { id, asset } = await shared("followers_only");
  equal(policies(asset), ["public"]);
  equal((await run(world.get("sweep"))).changed_playback, 0);
  const { body } = await ask(bob!, [id], {}, world.get("playback"));
  equal(body.highlights.map((one: Thing) => [one.id, one.is_signed]), [[id, false]]);
  ok(!body.highlights[0].clips[0].video.includes("token"));
  equal((await world.highlight(id))!.mux_playback_id, asset.playback_ids[0].id);
  // With the first key, older highlights are closed.
  const old = asset.playback_ids[0].id;
  ok((await run()).changed_playback >= 1);
  equal(policies(asset), ["signed"]);
  ok(!asset.playback_ids.some((entry: Thing) => entry.id === old), "the public ID is deleted at Mux");
  equal((await world.highlight(id))!.mux_playback_id, null);
  equal((await ask(bob!, [id])).body.highlights[0].is_signed, true);
});

test("a closed highlight has a signed ID from the beginning, and tokens for each use", async () => {
  await run();
  const { id, asset } = await shared("followers_only");
  equal(policies(asset), ["signed"]);
  const row = await world.highlight(id);
  equal([row!.mux_playback_id, row!.thumbnail_url, row!.video_urls, row!.is_ready], [null, null, null, true]);
  equal((await run()).changed_playback, 0, "nothing to change");
  const before = Math.floor(Date.now() / 1000);
  const { status, headers, body } = await ask(bob!, [id], {
    thumbnail: { time: 1.5, width: 320 },
    animation: { start: 1, end: 3, fps: 15 },
  });
  equal([status, headers.get("cache-control")], [200, "no-store"]);
  ok(body.expires_at - before >= 299 && body.expires_at - before <= 301, "five minutes");
  const [clip] = body.highlights[0].clips;
  const sub = asset.playback_ids[0].id;
  const exp = body.expires_at;
  equal(claims(clip.video), { sub, exp, aud: "v" });
  equal(claims(clip.thumbnail), { sub, exp, aud: "t", time: 1.5, width: 320 });
  equal(claims(clip.animation), { sub, exp, aud: "g", start: 1, end: 3, fps: 15 });
  equal(claims(clip.storyboard), { sub, exp, aud: "s" });
  ok(clip.video.startsWith(`https://stream.mux.com/${sub}.m3u8?token=`));
  for (const address of Object.values(clip)) equal([...new URL(address as string).searchParams.keys()], ["token"]);
});

test("parameters as texts, other servers, and a shorter life", async () => {
  await using running = await world.start("playback", {
    ...signing,
    MUX_TOKEN_PARAMETERS: "texts",
    MUX_TOKEN_SECONDS: "60",
    MUX_STREAM_URL: "https://video.example/",
    MUX_IMAGE_URL: "https://pictures.example",
    MUX_SIGNING_KEY: pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  });
  const { id } = await shared("private");
  const { body } = await ask(ann!, [id], { thumbnail: { time: 1.5, flip_v: true } }, running);
  const [clip] = body.highlights[0].clips;
  const { time, flip_v, exp } = claims(clip.thumbnail);
  equal([time, flip_v], ["1.5", "true"]);
  ok(exp <= Date.now() / 1000 + 61);
  ok(clip.video.startsWith("https://video.example/PB") && clip.thumbnail.startsWith("https://pictures.example/PB"));
});

test("only callers who may see the highlight get addresses", async () => {
  const [followers, nobody, open] = [await shared("followers_only"), await shared("private"), await shared("public")];
  const ids = [followers.id, nobody.id, open.id];
  const seen = async (person: { token: string }) =>
    (await ask(person, ids)).body.highlights.map((one: Thing) => one.id).sort();
  equal(await seen(ann!), [...ids].sort());
  equal(await seen(bob!), [followers.id, open.id].sort());
  equal(await seen(eve!), [open.id]);
  const files = async (person: { token: string }) =>
    (await ask(person, ids)).body.highlights.filter((one: Thing) => one.clips[0].file !== undefined).map((one: Thing) =>
      one.id
    );
  equal(await files(bob!), [], "downloads are off");
  equal((await files(ann!)).sort(), [...ids].sort(), "the author may download");
  await world.sql(`update highlights set allow_downloads = true where id = '${followers.id}'`);
  equal(await files(bob!), [followers.id]);
  await world.sql(`delete from follows where follower_id = '${bob!.id}'`);
  equal(await seen(bob!), [open.id], "no longer a follower");
  await world.sql(`insert into follows (follower_id, following_id) values ('${bob!.id}', '${ann!.id}')`);
  await world.sql(`insert into user_blocks (blocker_id, blocked_id) values ('${ann!.id}', '${eve!.id}')`);
  equal(await seen(eve!), [], "blocked");
  for (const token of ["", "x.y.z", bob!.token.slice(0, -6) + "AAAAAA"]) {
    equal((await ask({ token }, ids)).status, 401, token);
  }
  equal((await world.send(playback.url, { method: "POST", body: "{}" })).status, 401);
});

test("after the level changes, the IDs change at Mux", async () => {
  const { id, asset } = await shared("public");
  const first = asset.playback_ids[0].id;
  equal((await world.highlight(id))!.mux_playback_id, first);
  await setLevel(id, "followers_only");
  equal((await world.highlight(id))!.mux_playback_id, null, "at once");
  equal((await ask(bob!, [id])).body, {
    expires_at: (await ask(bob!, [id])).body.expires_at,
    highlights: [],
    waiting: [id],
  });
  equal((await run()).changed_playback, 1);
  equal(policies(asset), ["signed"]);
  equal((await ask(bob!, [id])).body.highlights[0].is_signed, true);
  await setLevel(id, "public");
  equal((await ask(bob!, [id])).body.highlights[0].is_signed, true, "until the public ID exists");
  equal((await run()).changed_playback, 1);
  equal(policies(asset), ["public"]);
  const row = await world.highlight(id);
  ok(row!.mux_playback_id !== first, "a new ID");
  equal(row!.thumbnail_url, `https://image.mux.com/${row!.mux_playback_id}/thumbnail.jpg?time=2`);
  const [clip] = (await ask(eve!, [id])).body.highlights.concat([{ clips: [{}] }])[0].clips;
  ok(clip.video === undefined || !clip.video.includes("token"));
});

test("failures at Mux lose nothing, and create no second ID", async () => {
  const faults = [
    ["GET /assets/", { kind: "status", status: 500 }],
    ["DELETE /assets/", { kind: "status", status: 429 }],
    ["DELETE /assets/", { kind: "lost" }],
    ["POST /assets/", { kind: "status", status: 503 }],
    ["POST /assets/", { kind: "lost" }],
  ] as const;
  for (const [call, fault] of faults) {
    const { id, asset } = await shared("public");
    await setLevel(id, "private");
    mux.fail(call, fault);
    const { failed } = await run();
    // Deno repeats a DELETE whose connection was closed.
    if (call !== "DELETE /assets/" || fault.kind !== "lost") equal(failed, 1, `${call} ${fault.kind}`);
    equal((await world.highlight(id))!.mux_playback_id, null);
    equal((await run()).failed, 0);
    equal(policies(asset), ["signed"], `${call} ${fault.kind}`);
    equal((await ask(ann!, [id])).body.highlights.length, 1);
  }
  equal(mux.pendingFaults, 0);
});

test("a lost key opens nothing", async () => {
  const { id, asset } = await shared("followers_only");
  equal((await run(world.get("sweep"))).changed_playback, 0);
  equal(policies(asset), ["signed"]);
  equal((await ask(bob!, [id], {}, world.get("playback"))).status, 503);
});

test("requests that aren't valid", async () => {
  const { id } = await shared("public");
  for (
    const body of [
      {},
      { highlight_ids: [] },
      { highlight_ids: "x" },
      { highlight_ids: ["x"] },
      { highlight_ids: Array(51).fill(id) },
      { highlight_ids: [id], thumbnail: 1 },
      { highlight_ids: [id], thumbnail: { sub: "x" } },
      { highlight_ids: [id], thumbnail: { exp: 4102444800 } },
      { highlight_ids: [id], thumbnail: { time: "2" } },
      { highlight_ids: [id], thumbnail: { fit_mode: ["crop"] } },
      { highlight_ids: [id], thumbnail: { __proto__: null, constructor: 1 } },
      { highlight_ids: [id], animation: { time: 1 } },
      { highlight_ids: [id], animation: { fps: -1 } },
    ]
  ) equal((await ask(ann!, [], body)).status, 400, JSON.stringify(body));
  equal((await world.send(playback.url)).status, 405);
  for (const [setting, value] of [["MUX_SIGNING_KEY", "bm8="], ["MUX_TOKEN_SECONDS", "301"]]) {
    await using running = await world.start("playback", { ...signing, [setting!]: value! });
    equal((await ask(ann!, [id], {}, running)).status, 500, setting);
  }
  ok(!playback.output.includes("token="), "addresses are not logged");
});

test("an asset that is not a rally is removed, and its author gets the reason", async () => {
  const sent = draft();
  const { id } = (await world.open(ann!, sent)).body;
  const asset = mux.receive(world.muxUpload(id), "ready", { duration: 61.5 });
  equal((await world.deliver(mux.event("video.asset.ready", asset))).body.outcome, "errored");
  equal(await world.highlight(sent.highlight_id.toLowerCase()), null);
  equal((await world.state(ann!, id)).body.status, "errored");
  await run();
  ok(!mux.assets.some((one) => one.id === asset.id), "the asset is deleted");
  equal(
    await world.value(
      `select details ->> 'action' from notifications where user_id = '${ann!.id}' and kind = 'moderation'
       and details ->> 'target_id' = '${sent.highlight_id.toLowerCase()}'`,
    ),
    "refuse",
  );
});
