import { equal, ok } from "./support/assert.ts";
import type { Thing } from "./support/mux.ts";
import { generateKeyPairSync } from "node:crypto";
import { anonKey, draft, type Running, World } from "./support/world.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string;

const world = await World.make("uploads", "mux-webhook", "sweep", "link");
const signed = await world.start("link", { MUX_SIGNING_KEY_ID: "key-7", MUX_SIGNING_KEY: key });
Deno.test.afterAll(async () => {
  for (const one of [signed, world]) await one[Symbol.asyncDispose]();
});
const { mux } = world;
const [ann, bob] = await Promise.all([1, 2].map(() => world.person()));
const [family, coach] = [crypto.randomUUID(), crypto.randomUUID()];
await world.sql(`
  update profiles set display_name = 'Ann', team_name = 'Sets' where id = '${ann!.id}';
  insert into family_units (id, name) values ('${family}', 'Silva');
  insert into family_members (family_unit_id, user_id, role) values ('${family}', '${ann!.id}', 'athlete');
  insert into coaches (id, family_unit_id, first_name, last_name) values ('${coach}', '${family}', 'Lee', 'Park');`);

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `link: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

/** A highlight of Ann, and a link to it. */
async function sent(level = "private"): Promise<{ token: string; highlight: string; asset: Thing }> {
  const clip = draft({ privacy_level: level, caption: "Match point" });
  const { id } = (await world.open(ann!, clip)).body;
  const asset = mux.receive(world.muxUpload(id), "ready");
  await world.deliver(mux.event("video.asset.ready", asset));
  const [token, highlight] = [crypto.randomUUID().replaceAll("-", ""), clip.highlight_id.toLowerCase()];
  await world.sql(
    `insert into highlight_shares (highlight_id, family_unit_id, coach_id, sent_by, channel, token_hash, expires_at)
    values ('${highlight}', '${family}', '${coach}', '${
      ann!.id
    }', 'email', private.hash_token('${token}'), now() + interval '9 days')`,
  );
  return { token, highlight, asset };
}

const change = (token: string, change: string) =>
  world.sql(`update highlight_shares set ${change} where token_hash = private.hash_token('${token}')`);
const opened = (token: string) =>
  world.value(`select open_count from highlight_shares where token_hash = private.hash_token('${token}')`);

async function open(token: unknown, headers: Record<string, string> = {}, more: Thing = {}, at: Running = signed) {
  return await world.send(at.url, { method: "POST", headers, body: JSON.stringify({ token, ...more }) });
}

test("the page's content and nothing else, with addresses that expire", async () => {
  const { token, asset } = await sent("public");
  const { status, headers, body } = await open(token);
  equal([status, headers.get("cache-control"), headers.get("access-control-allow-origin")], [200, "no-store", "*"]);
  equal(Object.keys(body).sort(), ["caption", "clips", "display_name", "expires_at", "link_expires_at", "team_name"]);
  equal([body.caption, body.display_name, body.team_name], ["Match point", "Ann", "Sets"]);
  const days = (Date.parse(body.link_expires_at) - Date.now()) / 86_400_000;
  ok(days > 8.9 && days < 9.1, `${days} days`);
  const playback = asset.playback_ids[0].id;
  equal(body.clips, [{
    video: `https://stream.mux.com/${playback}.m3u8`,
    thumbnail: `https://image.mux.com/${playback}/thumbnail.jpg?time=2`,
  }]);
});

test("the video of a closed highlight plays with tokens of five minutes", async () => {
  const { token, asset } = await sent();
  // The webhook has no key, so that the sweep changes the ID.
  await using sweep = await world.start("sweep", { MUX_SIGNING_KEY_ID: "key-7", MUX_SIGNING_KEY: key });
  await world.sweep(sweep);
  const { body } = await open(token);
  const { video, thumbnail } = body.clips[0];
  const playback = asset.playback_ids[0].id;
  ok(video.startsWith(`https://stream.mux.com/${playback}.m3u8?token=`), video);
  for (const [address, audience] of [[video, "v"], [thumbnail, "t"]]) {
    const payload = new URL(address).searchParams.get("token")!.split(".")[1]!;
    const claims = JSON.parse(atob(payload.replace(/-/g, "+").replace(/_/g, "/")));
    equal([claims.sub, claims.aud, claims.exp], [playback, audience, body.expires_at]);
    ok(claims.exp - Date.now() / 1000 <= 300);
  }
  const off = await open(token, {}, {}, world.get("link"));
  equal([off.status, off.body.error.type], [503, "signing_off"]);
  equal(await opened(token), "1", "only the first one");
});

test("a highlight whose playback IDs are being changed has no clips", async () => {
  const { token, highlight } = await sent("public");
  const second =
    `insert into private.playbacks (mux_asset_id, highlight_id, part) values ('second', '${highlight}', 1)`;
  await world.sql(second);
  equal((await open(token)).body.clips, []);
});

test("openings are counted, except those of the family, of programs and of the same visit", async () => {
  const { token } = await sent("public");
  const agent = { "User-Agent": "Mozilla/5.0" };
  const authorization = (token: string) => ({ ...agent, Authorization: `Bearer ${token}` });
  const openings: [string, Record<string, string>, Thing, number][] = [
    ["a coach", agent, {}, 1],
    ["another user", authorization(bob!.token), {}, 2],
    ["the project's key", authorization(anonKey), {}, 3],
    ["an invalid token", authorization("x.y.z"), {}, 4],
    ["a phone of the brand CUBOT", { "User-Agent": "Mozilla/5.0 (CUBOT X30)" }, {}, 5],
    ["a member of the family", authorization(ann!.token), {}, 5],
    ["a preview", { "User-Agent": "Slackbot-LinkExpanding 1.0" }, {}, 5],
    ["the same visit", agent, { is_counted: false }, 5],
  ];
  for (const [who, headers, more, count] of openings) {
    equal((await open(token, headers, more)).status, 200, who);
    equal(await opened(token), `${count}`, who);
  }
});

test("a link that has ended, and one that never existed", async () => {
  const { token, highlight } = await sent("public");
  await change(token, "revoked_at = now()");
  const revoked = await open(token);
  equal([revoked.status, revoked.body.error.type], [410, "link_ended"]);
  await change(token, "revoked_at = null, expires_at = now() - interval '1 second'");
  equal((await open(token)).status, 410);
  equal(await opened(token), "0");
  await change(token, "expires_at = now() + interval '1 day'");
  equal((await open(token)).status, 200);
  await world.sql(`delete from highlights where id = '${highlight}'`);
  equal((await open(token)).status, 404);
  for (const unknown of ["", "x".repeat(64), "'; select 1", "\u0000"]) {
    equal((await open(unknown)).status, 404, unknown);
  }
});

test("a request that isn't one", async () => {
  equal((await world.send(signed.url)).status, 405);
  equal((await world.send(signed.url, { method: "OPTIONS" })).status, 204);
  for (const body of ["", "[]", "{", '{"token": 7}', '{"token": "x", "is_counted": 1}']) {
    equal((await world.send(signed.url, { method: "POST", body })).status, 400, body);
  }
  equal((await open("x".repeat(5000))).status, 413);
  world.rest.down = { status: 502, body: "<html>" };
  const { status, headers } = await open("x");
  world.rest.down = null;
  equal([status, headers.get("retry-after")], [503, "2"]);
});

test("videos that were not uploaded through these functions", async () => {
  const addresses: [string, string[]][] = [
    ["video_urls = '{https://files.example/1.mp4}', mux_playback_id = null", ["https://files.example/1.mp4"]],
    ["video_urls = '{1.mp4,javascript:1}', mux_playback_id = null", []],
    ["video_urls = null, mux_playback_id = 'https://files.example/2.m3u8'", ["https://files.example/2.m3u8"]],
    ["video_urls = null, mux_playback_id = 'abc'", ["https://stream.mux.com/abc.m3u8"]],
    ["video_urls = null, mux_playback_id = null", []],
  ];
  const { token, highlight } = await sent("public");
  await world.sql(`delete from private.playbacks where highlight_id = '${highlight}'`);
  for (const [values, expected] of addresses) {
    await world.sql(`update highlights set ${values} where id = '${highlight}'`);
    equal((await open(token)).body.clips.map((clip: Thing) => clip.video), expected, values);
  }
});
