import { equal, ok } from "./support/assert.ts";
import type { Thing } from "./support/mux.ts";
import { draft, muxTimeout, sweepSecret, World } from "./support/world.ts";

const world = await World.make("uploads", "mux-webhook", "sweep");
Deno.test.afterAll(() => world[Symbol.asyncDispose]());
const { mux, rest } = world;
const ann = await world.person();

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `sweep: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

async function opened(): Promise<{ id: string; mux: Thing; highlight: string }> {
  const sent = draft();
  const { id } = (await world.open(ann, sent)).body;
  return { id, mux: world.muxUpload(id), highlight: sent.highlight_id.toLowerCase() };
}

/** Makes uploads look unchanged for ten minutes, so that they are checked. */
async function wait(...ids: string[]): Promise<void> {
  const list = ids.map((id) => `'${id}'`).join();
  await world.sql(`update uploads set checked_at = now() - interval '11 minutes' where id in (${list})`);
}

async function status(id: string): Promise<string> {
  const { body } = await world.state(ann, id);
  return body.error === undefined ? body.status : `${body.status}: ${body.error}`;
}

async function sweep(): Promise<Thing> {
  const answer = await world.sweep();
  equal(answer.status, 200, answer.text);
  return answer.body;
}

async function leftovers(): Promise<string[]> {
  return (await world.sql("select id from private.mux_leftovers")).map(([id]) => id!);
}

test("the secret is required", async () => {
  const { url } = world.get("sweep");
  const asked = rest.calls.length;
  for (const secret of ["", "x", `${sweepSecret}x`, sweepSecret.slice(1), sweepSecret.toUpperCase(), ann.token]) {
    for (const [name, value] of [["Authorization", `Bearer ${secret}`], ["X-Sweep-Secret", secret]]) {
      equal((await world.send(url, { method: "POST", headers: { [name!]: value! } })).status, 401, secret);
    }
  }
  equal((await world.send(url, { method: "POST" })).status, 401);
  equal((await world.send(url, { headers: { Authorization: `Bearer ${sweepSecret}` } })).status, 405);
  equal(rest.calls.length, asked, "the database hears nothing");
  equal((await world.send(url, { method: "POST", headers: { "X-Sweep-Secret": sweepSecret } })).status, 200);
  for (const secret of ["", "short"]) {
    await using running = await world.start("sweep", { SWEEP_SECRET: secret });
    const headers = { Authorization: `Bearer ${secret}` };
    equal((await world.send(running.url, { method: "POST", headers })).status, 500, "no secret, no sweep");
  }
});

test("lost webhooks are repaired", async () => {
  const [ready, errored, preparing, waiting, cancelled, broken] = [
    await opened(),
    await opened(),
    await opened(),
    await opened(),
    await opened(),
    await opened(),
  ];
  mux.receive(ready.mux, "ready", { non_standard_input_reasons: { video_codec: "av1" } });
  mux.receive(errored.mux, "errored", { errors: { type: "invalid_input", messages: ["no video"] } });
  mux.receive(preparing.mux);
  cancelled.mux.status = "cancelled";
  Object.assign(broken.mux, { status: "errored", error: { type: "t", message: "the bytes broke off" } });
  const young = await opened();
  mux.receive(young.mux, "ready");
  await wait(ready.id, errored.id, preparing.id, waiting.id, cancelled.id, broken.id);
  const report = await sweep();
  equal([report.checked, report.repaired, report.failed], [6, 3, 0]);
  equal(await status(ready.id), "ready");
  const row = await world.highlight(ready.highlight);
  equal([row!.author_id, row!.mux_asset_id], [ann.id, ready.mux.asset_id]);
  equal((await world.state(ann, ready.id)).body.non_standard_input_reasons, { video_codec: "av1" });
  equal(await status(errored.id), "errored: no video");
  equal(await status(preparing.id), "asset_created");
  equal(await status(waiting.id), "waiting");
  equal(await status(cancelled.id), "cancelled");
  equal(await status(broken.id), "errored: the bytes broke off");
  equal(await status(young.id), "waiting", "its webhook is still awaited");
  // The webhook arrives later.
  const late = mux.event("video.asset.ready", mux.assets.find((asset) => asset.id === ready.mux.asset_id)!);
  equal((await world.deliver(late)).body.outcome, "ignored");
  equal((await sweep()).checked, 0, "not asked again at once");
});

test("the asset is found by its upload, or was deleted", async () => {
  const [unnamed, gone, unknown, old] = [await opened(), await opened(), await opened(), await opened()];
  mux.receive(unnamed.mux, "ready");
  delete unnamed.mux.asset_id;
  mux.receive(gone.mux, "ready");
  mux.assets.pop();
  for (const upload of [unknown, old]) mux.uploads.splice(mux.uploads.indexOf(upload.mux), 1);
  await world.sql(`update uploads set created_at = now() - interval '25 hours' where id = '${old.id}'`);
  await wait(unnamed.id, gone.id, unknown.id, old.id);
  await sweep();
  equal(await status(unnamed.id), "ready");
  ok(await world.highlight(unnamed.highlight));
  equal(await status(gone.id), "errored: the asset was deleted");
  equal(await status(unknown.id), "waiting", "for a day it may be a wrong token");
  equal(await status(old.id), "errored: Mux no longer knows the upload");
});

test("highlights of the app are shown when their video is in the Storage", async () => {
  const id = crypto.randomUUID();
  const path = `${ann.id}/${id}.mp4`;
  await world.sql(
    `insert into highlights (id, author_id, mux_playback_id, duration, is_ready)
     values ('${id}', '${ann.id}', '${rest.url}/storage/v1/object/public/videos/${path}', 9, false)`,
  );
  equal((await sweep()).shown, 0);
  await world.sql("insert into storage.buckets values ('videos', 'videos', true)");
  await world.sql(
    `insert into storage.objects (bucket_id, name, metadata)
     values ('videos', '${path}', '{"mimetype": "video/mp4", "size": 9}')`,
  );
  equal((await sweep()).shown, 1);
  equal((await world.highlight(id))!.is_ready, true);
});

test("expired uploads end, except those that Mux has received", async () => {
  const [over, done] = [await opened(), await opened()];
  mux.receive(done.mux, "ready");
  await wait(over.id, done.id);
  await world.sql(
    `update uploads set expires_at = now() - interval '1 minute' where id in ('${over.id}', '${done.id}')`,
  );
  equal((await sweep()).timed_out, 1);
  equal((await world.row(over.id)).status, "timed_out");
  equal(await world.value(`select count(*) from private.upload_urls where upload_id = '${over.id}'`), "0");
  equal(await status(done.id), "ready");
  ok(await world.highlight(done.highlight), "it came in time");
});

test("leftovers are cancelled and deleted", async () => {
  const [waiting, faster, published] = [await opened(), await opened(), await opened()];
  const asset = mux.receive(published.mux, "ready");
  await world.deliver(mux.event("video.asset.ready", asset));
  await world.sql(`delete from highlights where id = '${published.highlight}'`);
  const bytes = mux.receive(faster.mux, "ready");
  for (const { id } of [waiting, faster]) equal((await world.cancel(ann, id)).status, 200);
  await world.sql("insert into private.mux_leftovers values ('asset', 'unknown asset'), ('upload', 'nor this')");
  const report = await sweep();
  equal(report.failed, 0);
  equal(await leftovers(), []);
  equal(waiting.mux.status, "cancelled", "at Mux too");
  for (const { id } of [asset, bytes]) ok(!mux.assets.some((one) => one.id === id), "deleted at Mux");
});

test("Mux is unreachable: leftovers are kept", async () => {
  await sweep();
  const faults = [
    { kind: "status", status: 500 },
    { kind: "status", status: 429, headers: { "Retry-After": "9" } },
    { kind: "slow", milliseconds: muxTimeout + 200 },
  ] as const;
  for (const fault of faults) {
    const [one, two] = [await opened(), await opened()];
    for (const { id } of [one, two]) await world.cancel(ann, id);
    mux.fail("PUT /uploads/", fault);
    const before = mux.count("PUT");
    const report = await sweep();
    equal([report.failed, report.removed], [1, 0], fault.kind);
    equal(mux.count("PUT") - before, 1, "one refusal is enough");
    equal((await leftovers()).length, 2);
    equal((await sweep()).removed, 2, "the next time");
  }
  const kept = await opened();
  mux.receive(kept.mux, "ready");
  await wait(kept.id);
  mux.fail("GET /uploads/", { kind: "status", status: 503 });
  equal((await sweep()).failed, 1);
  equal(await status(kept.id), "waiting");
  await wait(kept.id);
  await sweep();
  equal(await status(kept.id), "ready");
});

test("accounts are deleted after the grace period, with their data", async () => {
  const people = [];
  for (let number = 0; number < 7; number++) people.push(await world.person());
  const patient = await world.person();
  const bob = people[0]!;
  const sent = draft();
  const { id } = (await world.open(bob, sent)).body;
  const asset = mux.receive(world.muxUpload(id), "ready");
  await world.deliver(mux.event("video.asset.ready", asset));
  ok(await world.highlight(sent.highlight_id.toLowerCase()));
  const waiting = world.muxUpload((await world.open(bob, draft())).body.id);
  for (const { id } of [...people, patient]) {
    await world.sql(`insert into account_deletions (user_id) values ('${id}')`);
  }
  equal((await sweep()).deleted_accounts, 0, "seven days");
  const list = people.map(({ id }) => `'${id}'`).join();
  await world.sql(`update account_deletions set deletes_at = now() where user_id in (${list})`);
  const report = await sweep();
  equal([report.deleted_accounts, report.failed], [7, 0], "more than one call deletes");
  equal(await world.value(`select count(*) from auth.users where id in (${list})`), "0");
  equal(await world.highlight(sent.highlight_id.toLowerCase()), null);
  ok(!mux.assets.some((one) => one.id === asset.id), "the asset is gone in the same sweep");
  equal(waiting.status, "cancelled", "and the upload");
  equal(await world.value(`select count(*) from profiles where id = '${patient.id}'`), "1");
  equal((await world.open(bob, draft())).status, 403, "its token is invalid");
});

test("the files of deleted accounts are removed from the Storage", async () => {
  const [bob, eve] = [await world.person(), await world.person()];
  await world.sql("insert into storage.buckets values ('videos', 'videos', true) on conflict do nothing");
  const files = [["avatars", `${bob.id}/a.jpg`], ["avatars", `${bob.id}/it's.png`], ["videos", `${bob.id}/v.mp4`]];
  for (const [bucket, name] of [...files, ["avatars", `${eve.id}/a.jpg`]]) {
    await world.sql(
      `insert into storage.objects (bucket_id, name) values ('${bucket}', '${name!.replace("'", "''")}')`,
    );
  }
  equal((await sweep()).removed_files, 0, "the accounts exist");
  await world.sql(`insert into account_deletions (user_id, deletes_at) values ('${bob.id}', now())`);
  rest.brokenBucket = "videos";
  const first = await sweep();
  equal([first.deleted_accounts, first.removed_files, first.failed], [1, 2, 1], "a bucket fails, the others don't");
  rest.brokenBucket = "";
  const second = await sweep();
  equal([second.removed_files, second.failed], [1, 0], "the next run continues");
  equal(rest.removedFiles.toSorted(), files.map((file) => file.join(" ")).toSorted());
  equal((await sweep()).removed_files, 0);
  // A token may outlive its account.
  await world.sql(`insert into storage.objects (bucket_id, name) values ('avatars', '${bob.id}/late.jpg')`);
  equal((await sweep()).removed_files, 1);
  equal(
    await world.value(`select count(*) from storage.objects where name = '${eve.id}/a.jpg'`),
    "1",
    "the files of others stay",
  );
  ok(!world.get("sweep").output.includes(".jpg"), "names of files are not logged");
});

test("a failed step does not prevent the others", async () => {
  const over = await opened();
  await world.sql(`update uploads set expires_at = now(), checked_at = now() where id = '${over.id}'`);
  await world.sql("alter function public.uploads_to_check(integer) rename to gone");
  const report = await sweep();
  await world.sql("alter function public.gone(integer) rename to uploads_to_check");
  equal([report.failed, report.timed_out], [1, 1]);
});
