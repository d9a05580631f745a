import { equal, ok } from "./support/assert.ts";
import { sweepSecret, World } from "./support/world.ts";

/** A stand-in for Apple's servers. */
interface Received {
  path: string;
  headers: Headers;
  // deno-lint-ignore no-explicit-any
  body: any;
}
const received: Received[] = [];
let answer = (_device: string): Response => new Response(null, { status: 200 });
const apple = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
  const path = new URL(request.url).pathname;
  received.push({ path, headers: request.headers, body: await request.json() });
  return answer(path.split("/").at(-1)!);
});

const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
const key = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey))));
const settings = {
  APNS_KEY: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----`,
  APNS_KEY_ID: "KEY1",
  APNS_TEAM_ID: "TEAM1",
  APNS_TOPIC: "com.example.app",
  APNS_BASE_URL: `http://127.0.0.1:${apple.addr.port}`,
};

const world = await World.make();
const on = await world.start("push", settings);
const off = await world.start("push");
Deno.test.afterAll(async () => {
  await on[Symbol.asyncDispose]();
  await off[Symbol.asyncDispose]();
  await apple.shutdown();
  await world[Symbol.asyncDispose]();
});

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `push: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

async function run(at = on, secret = sweepSecret) {
  return await world.send(at.url, { method: "POST", headers: { Authorization: `Bearer ${secret}` } });
}

const [ann, bob] = [await world.person(), await world.person()];
const devices = ["a".repeat(64), "b".repeat(64)];

/** Bob comments on a highlight of ann, who has two devices. */
async function comment(): Promise<string> {
  received.length = 0;
  await world.sql(`delete from device_tokens`);
  await world.sql(`insert into device_tokens (user_id, token, environment)
    select '${ann.id}', unnest(array['${devices[0]}', '${devices[1]}']), 'sandbox'`);
  const id = crypto.randomUUID();
  await world.sql(
    `insert into highlights (id, author_id, mux_playback_id, duration) values ('${id}', '${ann.id}', 'PB', 9)`,
  );
  await world.sql(`insert into comments (highlight_id, author_id, text) values ('${id}', '${bob.id}', 'Nice 🏐')`);
  return id;
}

test("the secret is required", async () => {
  for (const secret of ["", "x", `${sweepSecret}x`]) equal((await run(on, secret)).status, 401);
  equal((await world.send(on.url)).status, 405);
});

test("without a key, nothing is taken", async () => {
  await comment();
  equal((await run(off)).body, { enabled: false, sent: 0, gone: 0, refused: 0, failed: 0 });
  equal(received.length, 0);
  equal((await run()).body.sent, 2, "the notification is still there");
});

test("each device gets a signed request", async () => {
  const id = await comment();
  equal((await run()).body, { enabled: true, sent: 2, gone: 0, refused: 0, failed: 0 });
  equal(received.map(({ path }) => path).sort(), devices.map((device) => `/3/device/${device}`));
  const { headers, body } = received[0]!;
  equal([headers.get("apns-topic"), headers.get("apns-push-type")], ["com.example.app", "alert"]);
  ok(body.aps["loc-key"] === undefined && body.aps.alert["loc-key"] === "notification_comment", JSON.stringify(body));
  equal(body.aps.alert["loc-args"][1], "Nice 🏐");
  equal([body.highlight_id, body.aps["thread-id"]], [id, id]);
  const [header, claims, signature] = headers.get("authorization")!.replace("bearer ", "").split(".");
  const decoded = (part: string) => atob(part.replace(/-/g, "+").replace(/_/g, "/"));
  equal(JSON.parse(decoded(header!)), { alg: "ES256", kid: "KEY1" });
  const { iss, iat } = JSON.parse(decoded(claims!));
  ok(iss === "TEAM1" && Math.abs(iat - Date.now() / 1000) < 60, claims!);
  ok(
    await crypto.subtle.verify(
      { name: "ECDSA", hash: "SHA-256" },
      pair.publicKey,
      Uint8Array.from(decoded(signature!), (letter) => letter.charCodeAt(0)),
      new TextEncoder().encode(`${header}.${claims}`),
    ),
    "the signature is wrong",
  );
  equal((await run()).body.sent, 0, "a notification is sent once");
});

test("devices without the app are dropped", async () => {
  const reasons = [[410, "Unregistered"], [400, "BadDeviceToken"]] as const;
  answer = (device) => {
    const [status, reason] = reasons[devices.indexOf(device)]!;
    return Response.json({ reason }, { status });
  };
  await comment();
  equal((await run()).body, { enabled: true, sent: 0, gone: 2, refused: 0, failed: 0 });
  equal(await world.value("select count(*) from device_tokens"), "0");
});

test("failures of Apple keep the devices", async () => {
  answer = () => new Response("<html>", { status: 503 });
  await comment();
  equal((await run()).body.failed, 2);
  answer = () => Response.json({ reason: "InvalidProviderToken" }, { status: 403 });
  await comment();
  equal((await run()).body.refused, 2);
  equal(await world.value("select count(*) from device_tokens"), "2");
  answer = () => new Response(null, { status: 200 });
});

test("tokens and texts are not logged", async () => {
  await comment();
  await run();
  ok(!devices.some((device) => on.output.includes(device)) && !on.output.includes("Nice"), on.output);
});

/** A TLS server that offers only HTTP/2, in front of the stand-in. Returns the protocol of each connection. */
async function http2(folder: string): Promise<{ url: string; protocols: string[]; listener: Deno.TlsListener }> {
  const make = async (...options: string[]) => {
    const { success, stderr } = await new Deno.Command("openssl", { args: options, cwd: folder }).output();
    ok(success, new TextDecoder().decode(stderr));
  };
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=test"];
  await make("req", "-x509", ...fresh, "-days", "1", "-keyout", "ca.key", "-out", "ca.pem");
  await make("req", ...fresh, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "request.pem");
  const authority = ["-CA", "ca.pem", "-CAkey", "ca.key", "-days", "1", "-copy_extensions", "copy"];
  await make("x509", "-req", "-in", "request.pem", ...authority, "-out", "certificate.pem");
  const [cert, key] = await Promise.all([
    Deno.readTextFile(`${folder}/certificate.pem`),
    Deno.readTextFile(`${folder}/key.pem`),
  ]);
  const listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key, alpnProtocols: ["h2"] });
  const protocols: string[] = [];
  const forward = async (connection: Deno.TlsConn) => {
    protocols.push((await connection.handshake()).alpnProtocol ?? "none");
    const server = await Deno.connect({ hostname: "127.0.0.1", port: apple.addr.port });
    await Promise.all([connection.readable.pipeTo(server.writable), server.readable.pipeTo(connection.writable)]);
  };
  (async () => {
    // The client ends its connections.
    for await (const connection of listener) forward(connection).catch(() => {});
  })();
  return { url: `https://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`, protocols, listener };
}

test("over HTTP/2, which is the only protocol of Apple's servers", async () => {
  const folder = await Deno.makeTempDir();
  const { url, protocols, listener } = await http2(folder);
  try {
    await using running = await world.start("push", { ...settings, APNS_BASE_URL: url, DENO_CERT: `${folder}/ca.pem` });
    await comment();
    equal((await run(running)).body.sent, 2);
    equal([...new Set(protocols)], ["h2"]);
    equal(received.map((one) => one.path).sort(), devices.map((device) => `/3/device/${device}`));
  } finally {
    listener.close();
    await Deno.remove(folder, { recursive: true });
  }
});
