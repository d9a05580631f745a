import { equal, ok } from "./support/assert.ts";
import type { Thing } from "./support/mux.ts";
import { draft, World } from "./support/world.ts";

const world = await World.make("uploads", "mux-webhook", "sweep", "trim");
Deno.test.afterAll(() => world[Symbol.asyncDispose]());
const { mux } = world;
const [ann, bob] = await Promise.all([1, 2].map(() => world.person()));

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `trim: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

async function shared(): Promise<{ id: string; asset: Thing }> {
  const sent = draft({ privacy_level: "public", duration: 12.48 });
  const { id } = (await world.open(ann!, sent)).body;
  const asset = mux.receive(world.muxUpload(id), "ready");
  await world.deliver(mux.event("video.asset.ready", asset));
  return { id: sent.highlight_id.toLowerCase(), asset };
}

async function trim(id: string, from: unknown, to: unknown, person = ann!) {
  return await world.send(world.get("trim").url, {
    method: "POST",
    headers: { Authorization: `Bearer ${person.token}` },
    body: JSON.stringify({ highlight_id: id, from, to }),
  });
}

async function state(id: string, person = ann!) {
  return await world.send(`${world.get("trim").url}/${id}`, { headers: { Authorization: `Bearer ${person.token}` } });
}

const clips = (trim: string): Thing[] => mux.assets.filter((asset) => asset.passthrough === trim);

test("the highlight gets the clip, and the old asset is deleted", async () => {
  const { id, asset } = await shared();
  const { status, body } = await trim(id.toUpperCase(), 2.5, 9);
  equal([status, body.highlight_id, body.status], [202, id, "waiting"]);
  equal((await state(body.id)).body, { id: body.id, highlight_id: id, status: "waiting" });
  equal((await state(body.id, bob!)).status, 404);
  const sent = mux.bodies.at(-1)!;
  equal(sent.inputs, [{ url: `mux://assets/${asset.id}`, start_time: 2.5, end_time: 9 }]);
  equal([sent.playback_policies, sent.passthrough], [["public"], body.id]);
  equal((await trim(id, 2.5, 9)).body.id, body.id, "the same trim");
  const [clip, ...more] = clips(body.id);
  equal(more, [], "one clip");
  equal((await world.deliver(mux.event("video.asset.ready", { ...clip, status: "ready" }))).body.outcome, "published");
  equal((await state(body.id)).body.status, "ready");
  const row = await world.highlight(id);
  equal([row!.mux_asset_id, row!.duration, row!.mux_playback_id], [clip!.id, 6.5, clip!.playback_ids[0].id]);
  await world.sweep();
  ok(!mux.assets.some((one) => one.id === asset.id), "the old asset is deleted");
  ok(mux.assets.some((one) => one.id === clip!.id));
});

test("a lost response and a lost webhook", async () => {
  const { id } = await shared();
  mux.fail("POST /assets", { kind: "lost" });
  equal((await trim(id, 1, 5)).status, 503);
  mux.fail("POST /assets", { kind: "lost" });
  equal((await trim(id, 1, 5)).status, 503);
  const { body } = await trim(id, 1, 5);
  equal(clips(body.id).length, 3, "Mux cannot be asked for a passthrough");
  const used = (await world.value(`select mux_asset_id from private.trims where id = '${body.id}'`))!;
  for (const clip of clips(body.id)) clip.status = "ready";
  for (const clip of clips(body.id).filter((one) => one.id !== used)) {
    equal((await world.deliver(mux.event("video.asset.ready", clip))).body.outcome, "ignored");
  }
  await world.sql("update private.trims set checked_at = now() - interval '11 minutes'");
  equal((await world.sweep()).body.repaired, 1);
  equal((await world.highlight(id))!.mux_asset_id, used);
  equal(clips(body.id).map((one) => one.id), [used], "the others are deleted");
});

test("an asset that was deleted at Mux, and limits of Mux", async () => {
  const { id } = await shared();
  const { body } = await trim(id, 1, 5);
  mux.assets.splice(mux.assets.findIndex((asset) => asset.passthrough === body.id), 1);
  await world.sql("update private.trims set checked_at = now() - interval '11 minutes'");
  await world.sweep();
  const { status, error } = (await state(body.id)).body;
  equal([status, error], ["errored", "the asset was deleted"]);
  mux.fail("POST /assets", { kind: "status", status: 429, headers: { "Retry-After": "7" } });
  const limited = await trim(id, 1, 6);
  equal([limited.status, limited.headers.get("retry-after")], [429, "7"]);
  mux.fail("POST /assets", { kind: "status", status: 400 });
  const refused = await trim(id, 1, 6);
  equal(refused.status, 502);
  ok(!refused.text.includes("a reason of Mux's"));
});

test("the previous names of Mux's fields", async () => {
  await using running = await world.start("trim", { MUX_POLICY_FIELD: "playback_policy" });
  const { id } = await shared();
  const headers = { Authorization: `Bearer ${ann!.token}` };
  const body = JSON.stringify({ highlight_id: id, from: 0, to: 4 });
  equal((await world.send(running.url, { method: "POST", headers, body })).status, 202);
  const sent = mux.bodies.at(-1)!;
  equal([sent.input.length, sent.playback_policy, sent.inputs, sent.playback_policies], [
    1,
    ["public"],
    undefined,
    undefined,
  ]);
});

test("what can't be trimmed", async () => {
  const { id } = await shared();
  const before = mux.count("POST /assets");
  for (
    const [from, to, status] of [[0, 2, 422], [5, 1, 422], [-1, 5, 422], [9, 13, 422], ["1", 5, 400], [
      null,
      5,
      400,
    ]] as const
  ) equal((await trim(id, from, to)).status, status, `${from} ${to}`);
  equal((await trim(crypto.randomUUID(), 1, 5)).status, 404);
  equal((await trim("x", 1, 5)).status, 400);
  equal((await trim(id, 1, 5, bob!)).status, 404, "of another person");
  equal((await world.send(world.get("trim").url, { method: "POST", body: "{}" })).status, 401);
  equal((await world.send(world.get("trim").url)).status, 405);
  equal((await state("x")).status, 404);
  equal(mux.count("POST /assets"), before, "Mux is not asked");
});
