import { equal, ok } from "./support/assert.ts";
import { draft, legacySecret, muxTimeout, serviceKey, sweepSecret, World } from "./support/world.ts";

const world = await World.make("uploads", "mux-webhook", "sweep");
Deno.test.afterAll(() => world[Symbol.asyncDispose]());
const { mux, rest } = world;

Deno.test({
  name: "secrets: never in responses or logs",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const ann = await world.person();
    const sent = draft({ caption: "a caption that is not logged" });
    const answers: string[] = [];
    const keep = <Value extends { text: string; headers: Headers }>(answer: Value): Value => {
      answers.push(answer.text, JSON.stringify([...answer.headers]));
      return answer;
    };
    const good = (await world.open(ann, sent, "key-nobody-logs")).body;
    for (const fault of [{ kind: "lost" }, { kind: "slow", milliseconds: muxTimeout + 200 }] as const) {
      mux.fail("POST /uploads", fault);
      await world.open(ann, draft());
    }
    for (const status of [400, 401, 404, 429, 500]) {
      const fault = { kind: "status", status, headers: { "Retry-After": "9" } } as const;
      mux.fail("POST /uploads", fault);
      if (status === 500) mux.fail("POST /uploads", fault);
      ok(keep(await world.open(ann, draft())).status >= 429);
      equal(mux.pendingFaults, 0);
    }
    keep(await world.open(ann, draft({ caption: "e" + "\u0301".repeat(40_000) })));
    keep(await world.open(ann, { ...sent, caption: "other" }, "key-nobody-logs"));
    keep(await world.open({ token: `${ann.token}x` }, sent));
    rest.down = { status: 500, body: `{"message":"${serviceKey}","code":"XX000"}` };
    keep(await world.open(ann, draft()));
    keep(await world.sweep());
    keep(await world.deliver(mux.event("video.asset.ready", { id: "a" })));
    rest.down = null;
    keep(await world.state(ann, good.id));
    keep(await world.cancel(ann, good.id));
    keep(await world.cancel(ann, good.id));
    keep(await world.sweep());
    keep(await world.deliver(mux.event("video.upload.created", world.muxUpload(good.id))));
    keep(await world.send(world.get("mux-webhook").url, { method: "POST", body: "x" }));
    // An unreachable server, because messages of `fetch` contain URLs.
    for (const name of ["uploads", "sweep"] as const) {
      await using lonely = await world.start(name, {
        SUPABASE_URL: "http://127.0.0.1:9",
        MUX_BASE_URL: "http://127.0.0.1:9",
      });
      keep(name === "sweep" ? await world.sweep(lonely) : await world.open(ann, draft(), "k", { at: lonely }));
      answers.push(lonely.output);
    }
    // Without any settings.
    for (const name of ["uploads", "mux-webhook", "sweep"] as const) {
      await using bare = await world.start(name, { SUPABASE_URL: "", MUX_TOKEN_ID: "", SWEEP_SECRET: "" });
      await world.send(bare.url, { method: "POST", headers: { Authorization: `Bearer ${ann.token}` } });
      answers.push(bare.output);
    }
    const logs = (["uploads", "mux-webhook", "sweep"] as const).map((name) => world.get(name).output);
    for (const log of logs) ok(log.includes('"event"'), "the log is not empty");
    const all = [...answers, ...logs].join("\n");
    const secrets = {
      legacySecret,
      serviceKey,
      sweepSecret,
      muxSecret: mux.tokenSecret,
      muxBasic: btoa(`${mux.tokenID}:${mux.tokenSecret}`),
      webhookSecret: mux.webhookSecret,
      token: ann.token,
      url: good.url,
      uploadToken: new URL(good.url).searchParams.get("token")!,
      caption: "a caption that is not logged",
      accents: "\u0301\u0301",
      key: "key-nobody-logs",
      email: "@example.com",
    };
    for (const [name, secret] of Object.entries(secrets)) ok(!all.includes(secret), `${name} is revealed`);
    for (const upload of mux.uploads) ok(!all.includes(upload.url), "an upload URL is revealed");
    for (const log of logs) {
      for (const line of log.split("\n").filter((line) => line !== "" && !line.startsWith("Listening on"))) {
        equal(typeof JSON.parse(line).event, "string", "each line is JSON");
      }
    }
  },
});

Deno.test({
  name: "settings: test assets, the previous name of the policy, and others",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const ann = await world.person();
    {
      await using running = await world.start("uploads", {
        MUX_TEST_ASSETS: "true",
        MUX_POLICY_FIELD: "playback_policy",
        MUX_VIDEO_QUALITY: "plus",
        MUX_MAX_RESOLUTION: "1440p",
        MUX_CORS_ORIGIN: "https://app.example",
      });
      const { body } = await world.open(ann, draft(), "k", { at: running });
      equal(mux.bodies.at(-1), {
        cors_origin: "https://app.example",
        timeout: 3600,
        test: true,
        new_asset_settings: {
          playback_policy: ["public"],
          video_quality: "plus",
          max_resolution_tier: "1440p",
          passthrough: body.id,
        },
      });
    }
    for (const [name, value] of [["MUX_TEST_ASSETS", "yes"], ["MUX_POLICY_FIELD", "x"], ["MUX_TIMEOUT_MS", "0"]]) {
      await using running = await world.start("uploads", { [name!]: value! });
      equal((await world.open(ann, draft(), crypto.randomUUID(), { at: running })).status, 500);
      ok(running.output.includes(`${name} must be`), "the log contains the setting's name");
    }
    await using running = await world.start("uploads", { MUX_TOKEN_SECRET: "" });
    const key = crypto.randomUUID();
    equal((await world.open(ann, draft(), key, { at: running })).status, 500);
    equal(await world.value(`select count(*) from uploads where idempotency_key = '${key}'`), "0", "nothing is stored");
  },
});
