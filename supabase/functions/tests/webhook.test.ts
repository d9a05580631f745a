import { equal, ok } from "./support/assert.ts";
import { hmac, signature, type Thing } from "./support/mux.ts";
import { draft, World } from "./support/world.ts";

const world = await World.make("uploads", "mux-webhook");
Deno.test.afterAll(() => world[Symbol.asyncDispose]());
const { mux, rest } = world;
const hook = world.get("mux-webhook");
const ann = await world.person();

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `webhook: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

/** Creates an upload of Ann, with its Mux upload. */
async function opened(
  sent = draft(),
  key: string = crypto.randomUUID(),
): Promise<{ id: string; mux: Thing; highlight: string }> {
  const { id } = (await world.open(ann, sent, key)).body;
  return { id, mux: world.muxUpload(id), highlight: sent.highlight_id.toLowerCase() };
}

async function outcome(type: string, data: Thing): Promise<string> {
  const { status, body } = await world.deliver(mux.event(type, data));
  equal(status, 200);
  return body.outcome;
}

async function post(body: string, header: string | null): Promise<number> {
  const headers: Record<string, string> = header === null ? {} : { "mux-signature": header };
  return (await world.send(hook.url, { method: "POST", headers, body })).status;
}

test("created, asset created, ready: one highlight", async () => {
  const sent = draft();
  const { id, mux: upload, highlight } = await opened(sent);
  equal(await outcome("video.upload.created", upload), "ignored");
  const asset = mux.receive(upload);
  equal(await outcome("video.upload.asset_created", upload), "applied");
  equal((await world.state(ann, id)).body.status, "asset_created");
  equal(await outcome("video.asset.created", asset), "applied");
  equal(await world.highlight(highlight), null, "not yet");
  equal(await outcome("video.asset.ready", { ...asset, status: "ready" }), "published");
  const row = await world.highlight(highlight);
  equal(
    [row!.author_id, row!.mux_playback_id, row!.mux_asset_id, row!.caption, row!.privacy_level, row!.duration],
    [ann.id, asset.playback_ids[0].id, asset.id, sent.caption, sent.privacy_level, sent.duration],
  );
  const { body } = await world.state(ann, id);
  equal([body.status, body.asset_id, body.playback_id], ["ready", asset.id, asset.playback_ids[0].id]);
});

test("a post of several clips: one highlight, with the last of them", async () => {
  const sent = draft({ part: 1, part_count: 2 });
  const last = await opened(sent);
  const first = await opened({ ...sent, part: 0, caption: "both" });
  const [lead, other] = [mux.receive(first.mux, "ready"), mux.receive(last.mux, "ready")];
  equal(await outcome("video.asset.ready", other), "applied");
  equal(await world.highlight(last.highlight), null, "not yet");
  equal((await world.state(ann, last.id)).body.status, "asset_created");
  equal(await outcome("video.asset.ready", lead), "published");
  const row = await world.highlight(last.highlight);
  const ids = [lead, other].map((asset) => asset.playback_ids[0].id);
  equal([row!.caption, row!.mux_playback_id, row!.local_rally_index], ["both", ids[0], null]);
  equal(row!.video_urls, ids.map((id) => `https://stream.mux.com/${id}.m3u8`));
  equal((await world.state(ann, last.id)).body.status, "ready");
});

test("only the ready event, or ready first", async () => {
  const { id, mux: upload, highlight } = await opened();
  const asset = mux.receive(upload, "ready");
  equal(await outcome("video.asset.ready", asset), "published");
  equal(await outcome("video.upload.asset_created", upload), "ignored");
  equal(await outcome("video.asset.created", asset), "ignored");
  ok(await world.highlight(highlight));
  equal((await world.state(ann, id)).body.status, "ready");
});

test("repeated and concurrent events", async () => {
  const { mux: upload, highlight } = await opened();
  const event = mux.event("video.asset.ready", mux.receive(upload, "ready"));
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => world.deliver(event)));
  equal(answers.map((answer) => answer.status), [200, 200, 200, 200, 200]);
  equal(answers.map((answer) => answer.body.outcome).sort(), [
    ...Array(4).fill("duplicate"),
    "published",
  ]);
  await world.sql(`delete from highlights where id = '${highlight}'`);
  equal((await world.deliver(event)).body.outcome, "duplicate");
  equal(await world.highlight(highlight), null, "the deleted highlight is not inserted again");
});

test("a superseded attempt creates nothing", async () => {
  const sent = draft();
  const first = await opened(sent, "job-1");
  const asset = mux.receive(first.mux, "ready");
  const second = await opened(sent, "job-2");
  equal(await outcome("video.asset.ready", asset), "ignored");
  equal(await world.highlight(first.highlight), null);
  equal(await world.value(`select count(*) from private.mux_leftovers where id = '${asset.id}'`), "1");
  equal(await outcome("video.asset.ready", mux.receive(second.mux, "ready")), "published");
  ok(await world.highlight(first.highlight), "the second does");
});

test("cancelled here, finished there", async () => {
  const { id, mux: upload, highlight } = await opened();
  await world.cancel(ann, id);
  equal(await outcome("video.asset.ready", mux.receive(upload, "ready")), "ignored");
  equal(await world.highlight(highlight), null);
});

test("failures are reported", async () => {
  const one = await opened();
  const asset = mux.receive(one.mux, "errored", {
    errors: { type: "invalid_input", messages: ["no video", "at all"] },
  });
  equal(await outcome("video.asset.errored", asset), "errored");
  const state = (await world.state(ann, one.id)).body;
  equal([state.status, state.error], ["errored", "no video; at all"]);
  const two = await opened();
  equal(await outcome("video.upload.errored", { ...two.mux, error: { type: "t", message: "gone" } }), "errored");
  equal((await world.state(ann, two.id)).body.error, "gone");
  const three = await opened();
  equal(await outcome("video.upload.cancelled", { ...three.mux, status: "cancelled" }), "applied");
  equal((await world.state(ann, three.id)).body.status, "cancelled");
});

test("a clip that isn't a standard input", async () => {
  const { id, mux: upload } = await opened();
  const asset = mux.receive(upload, "preparing", { non_standard_input_reasons: { video_codec: "av1", size: 3 } });
  equal(await outcome("video.asset.non_standard_input_detected", asset), "applied");
  equal((await world.state(ann, id)).body.non_standard_input_reasons, { video_codec: "av1", size: "3" });
});

test("events about unknown uploads, and unknown events", async () => {
  equal(await outcome("video.asset.ready", { id: "a-x", upload_id: "u-x", playback_ids: [] }), "unknown_upload");
  equal(await outcome("video.asset.static_rendition.ready", { id: "a-x" }), "ignored");
  equal(await outcome("video.delivery.high_traffic", {}), "ignored");
});

test("the form of mux_playback_id is a setting", async () => {
  await using running = await world.start("mux-webhook", { MUX_PLAYBACK_AS: "url" });
  const { mux: upload, highlight } = await opened();
  const asset = mux.receive(upload, "ready");
  equal((await world.deliver(mux.event("video.asset.ready", asset), running)).body.outcome, "published");
  const id = asset.playback_ids[0].id;
  equal((await world.highlight(highlight))!.mux_playback_id, `https://stream.mux.com/${id}.m3u8`);
});

test("the example of the reference", async () => {
  const { isSignedByMux } = await import("../_shared/signature.ts");
  const secret = "whsec_example_0123456789";
  const at = 1_700_000_000;
  const body = new TextEncoder().encode(
    '{"type":"video.asset.ready","id":"11111111-2222-4333-8444-555555555555","data":{"id":"ASSET1","status":"ready"}}',
  );
  equal(body.length, 112);
  const right = "6c6fb5abeec9d8c1f6346d31a95933d0cb21c0d60d2281f35943ba448f54b4f4";
  const check = (header: string, seconds = 0, bytes = body) =>
    isSignedByMux(header, bytes, [secret], (at + seconds) * 1000);
  ok(await check(`t=${at},v1=${right}`));
  ok(await check(`v1=${right}, t=${at}`), "in any order");
  ok(await check(`t=${at},v1=${"0".repeat(64)},v1=${right},v0=x`), "one of several");
  ok(await check(`t=${at},v1=${right}`, 300), "five minutes");
  ok(await check(`t=${at},v1=${right}`, -300), "a slow clock");
  for (
    const header of [
      "",
      `t=${at}`,
      `v1=${right}`,
      `t=${at},v1=`,
      `t=${at},v1=${right.slice(0, 62)}`,
      `t=${at},v1=${right}00`,
      `t=${at},v1=${right.replace("6", "7")}`,
      `t=${at},v0=${right}`,
      `t=0${at},v1=${right}`,
      `t=${at}.0,v1=${right}`,
      `t=x,v1=${right}`,
      `t=${at},t=${at},v1=${right}`,
      `t=${at + 1},v1=${right}`,
    ]
  ) {
    ok(!await check(header), header);
  }
  ok(!await check(`t=${at},v1=${right}`, 301), "too old");
  ok(!await check(`t=${at},v1=${right}`, -301), "of the future");
  ok(!await check(`t=${at},v1=${right}`, 0, new TextEncoder().encode("{}")), "another body");
});

test("a valid signature is required", async () => {
  const { mux: upload, highlight } = await opened();
  const body = JSON.stringify(mux.event("video.asset.ready", mux.receive(upload, "ready")));
  const now = Math.floor(Date.now() / 1000);
  const forged = hmac(body, "whsec_another", `${now}`);
  equal(await post(body, null), 401, "no signature");
  equal(await post(body, `t=${now},v1=${forged}`), 401, "another secret");
  equal(await post(body, signature(body, mux.webhookSecret, `${now - 400}`)), 401, "too old");
  equal(await post(body, signature(body, mux.webhookSecret, `${now + 400}`)), 401, "too early");
  equal(await post(`${body} `, signature(body, mux.webhookSecret)), 401, "the bytes count");
  equal(await post(body, signature(body, "")), 401, "no secret");
  equal(await world.highlight(highlight), null, "nothing was made");
  equal(await post(body, `t=${now},v1=${forged},v1=${hmac(body, mux.webhookSecret, `${now}`)}`), 200, "one is right");
  ok(await world.highlight(highlight));
});

test("secrets can be replaced", async () => {
  await using running = await world.start("mux-webhook", { MUX_WEBHOOK_SECRET: `whsec_new, ${mux.webhookSecret}` });
  const event = mux.event("video.delivery.high_traffic", {});
  equal((await world.deliver(event, running)).status, 200, "the old one");
  const body = JSON.stringify(event);
  const headers = { "Mux-Signature": signature(body, "whsec_new") };
  equal((await world.send(running.url, { method: "POST", headers, body })).status, 200, "the new one");
  const none = { "Mux-Signature": signature(body, "") };
  equal((await world.send(running.url, { method: "POST", headers: none, body })).status, 401);
});

test("without a secret, every event is refused", async () => {
  for (const secret of ["", " , "]) {
    await using running = await world.start("mux-webhook", { MUX_WEBHOOK_SECRET: secret });
    const answer = await world.deliver(mux.event("video.delivery.high_traffic", {}), running);
    equal([answer.status, answer.body.error], [500, { type: "internal", messages: ["the function failed"] }]);
    ok(running.output.includes("MUX_WEBHOOK_SECRET is not set"), "the log names it");
  }
});

test("a signed body that isn't an event", async () => {
  for (const body of ["", "{", "[]", "null", '{"id":1}', '{"id":"x","type":"y"}', '{"id":"x","type":"y","data":[]}']) {
    equal(await post(body, signature(body, mux.webhookSecret)), 400, body);
  }
  const large = JSON.stringify({ id: "x", type: "y", data: { a: "a".repeat(1024 * 1024) } });
  equal(await post(large, signature(large, mux.webhookSecret)), 413);
  equal((await world.send(hook.url)).status, 405);
});

test("the database is unreachable: Mux repeats the event", async () => {
  const { mux: upload, highlight } = await opened();
  const event = mux.event("video.asset.ready", mux.receive(upload, "ready"));
  rest.down = { status: 500, body: "" };
  equal((await world.deliver(event)).status, 503);
  rest.down = null;
  equal((await world.deliver(event)).body.outcome, "published");
  ok(await world.highlight(highlight));
});
