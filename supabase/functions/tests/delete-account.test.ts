import { equal, ok } from "./support/assert.ts";
import { anonKey, userToken, World } from "./support/world.ts";

const world = await World.make("delete-account", "sweep");
Deno.test.afterAll(() => world[Symbol.asyncDispose]());
const { rest } = world;

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `delete-account: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

async function ask(token: string | null, method = "POST") {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  return await world.send(world.get("delete-account").url, { method, headers });
}

async function deletions(id: string): Promise<string | null> {
  return await world.value(`select deletes_at - requested_at from account_deletions where user_id = '${id}'`);
}

test("the account is hidden, signed out, and deleted after seven days", async () => {
  const [ann, bob] = [await world.person(), await world.person()];
  rest.signOuts.length = 0;
  const answer = await ask(ann.token);
  equal([answer.status, answer.body.success], [200, true], answer.text);
  const days = (Date.parse(answer.body.deletes_at) - Date.now()) / 86_400_000;
  ok(days > 6.9 && days < 7.1, answer.text);
  equal(await deletions(ann.id), "7 days");
  equal(rest.signOuts, [`global Bearer ${ann.token}`]);
  equal(await deletions(bob.id), null, "other accounts are unchanged");
  const again = await ask(ann.token);
  equal([again.status, again.body.deletes_at], [200, answer.body.deletes_at], "asked again, the time stays");
  equal((await world.sweep()).body.deleted_accounts, 0);
  await world.sql(`update account_deletions set deletes_at = now() where user_id = '${ann.id}'`);
  equal((await world.sweep()).body.deleted_accounts, 1);
  equal((await ask(ann.token)).status, 403, "a token outlives its account");
});

test("the deletion counts when the sign-out fails", async () => {
  const ann = await world.person();
  rest.signOutStatus = 500;
  equal((await ask(ann.token)).status, 200);
  rest.signOutStatus = 204;
  equal(await deletions(ann.id), "7 days");
});

test("a token of the account is required", async () => {
  const { id } = await world.person();
  const expired = await userToken(id, { exp: 1 });
  for (const token of [null, "", "x", anonKey, expired]) equal((await ask(token)).status, 401, `${token}`);
  for (const method of ["GET", "DELETE", "PUT"]) {
    const answer = await ask(await userToken(id), method);
    equal([answer.status, answer.headers.get("allow")], [405, "POST, OPTIONS"]);
  }
  equal(await deletions(id), null);
});

// Sign in with Apple

/** A stand-in for Apple's server. */
const calls: { path: string; fields: Record<string, string> }[] = [];
let answers: Record<string, () => Response | Promise<Response>> = {};
const apple = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
  const path = new URL(request.url).pathname;
  calls.push({ path, fields: Object.fromEntries(new URLSearchParams(await request.text())) });
  return await (answers[path] ?? (() => new Response("", { status: 404 })))();
});
const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
const settings = {
  APPLE_KEY: new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey)).toBase64(),
  APPLE_KEY_ID: "KEY2",
  APPLE_TEAM_ID: "TEAM1",
  APPLE_CLIENT_ID: "com.example.app",
  APPLE_BASE_URL: `http://127.0.0.1:${apple.addr.port}`,
  APPLE_TIMEOUT_MS: "1500",
};
const on = await world.start("delete-account", settings);
Deno.test.afterAll(async () => {
  await on[Symbol.asyncDispose]();
  await apple.shutdown();
});

const good = {
  "/auth/token": () => Response.json({ access_token: "access", refresh_token: "apple-refresh", id_token: "x" }),
  "/auth/revoke": () => new Response(null, { status: 200 }),
};

async function leave(body: string | null, at = on) {
  calls.length = 0;
  const { id, token } = await world.person();
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await world.send(at.url, { method: "POST", headers, body });
  equal([answer.status, answer.body.success], [200, true], answer.text);
  equal(await deletions(id), "7 days", "the deletion counts in any case");
  return answer.body.apple;
}
const code = JSON.stringify({ apple_authorization_code: "apple-code&x=1" });

test("Apple's token is revoked", async () => {
  answers = good;
  equal(await leave(code), "revoked");
  equal(calls.map(({ path }) => path), ["/auth/token", "/auth/revoke"]);
  const [exchanged, revoked] = calls.map(({ fields }) => fields);
  const { client_secret: secret, ...more } = exchanged!;
  equal(more, { client_id: "com.example.app", grant_type: "authorization_code", code: "apple-code&x=1" });
  equal([revoked!.token, revoked!.token_type_hint, revoked!.client_id], [
    "apple-refresh",
    "refresh_token",
    "com.example.app",
  ]);
  const [head, claims, signature] = secret!.split(".");
  const decoded = (part: string) => Uint8Array.fromBase64(part, { alphabet: "base64url" });
  equal(JSON.parse(new TextDecoder().decode(decoded(head!))), { alg: "ES256", kid: "KEY2" });
  const { iat, exp, ...others } = JSON.parse(new TextDecoder().decode(decoded(claims!)));
  equal(others, { iss: "TEAM1", aud: "https://appleid.apple.com", sub: "com.example.app" });
  ok(Math.abs(iat - Date.now() / 1000) < 60 && exp > iat && exp - iat <= 600, "the secret is short-lived");
  const signed = new TextEncoder().encode(`${head}.${claims}`);
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  ok(await crypto.subtle.verify(algorithm, pair.publicKey, decoded(signature!), signed), "the signature is wrong");
});

test("without a code or a key, Apple isn't asked", async () => {
  answers = good;
  const others = [null, "", "{", "[]", "{}", '{"apple_authorization_code": 7}', '{"apple_authorization_code": ""}'];
  for (const body of [...others, `{"apple_authorization_code": "${"x".repeat(5000)}"}`]) {
    equal(await leave(body), null, body?.slice(0, 40));
  }
  equal(await leave(code, world.get("delete-account")), "off");
  equal(calls, []);
});

test("the deletion counts whatever Apple answers", async () => {
  const refused = () => Response.json({ error: "invalid_grant" }, { status: 400 });
  const broken = () => new Response("<html>", { status: 503 });
  const slow = () => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response("{}")), 2500));
  for (
    const [token, revoke, expected] of [
      [refused, good["/auth/revoke"], "refused"],
      [broken, good["/auth/revoke"], "failed"],
      [slow, good["/auth/revoke"], "failed"],
      [() => new Response("<html>"), good["/auth/revoke"], "failed"],
      [() => Response.json({}), good["/auth/revoke"], "failed"],
      [() => Response.redirect("http://127.0.0.1:1/"), good["/auth/revoke"], "failed"],
      [good["/auth/token"], refused, "refused"],
      [good["/auth/token"], broken, "failed"],
    ] as const
  ) {
    answers = { "/auth/token": token, "/auth/revoke": revoke };
    equal(await leave(code), expected);
  }
  await using wrong = await world.start("delete-account", { ...settings, APPLE_KEY_ID: "", APPLE_KEY: "no key" });
  equal(await leave(code, wrong), "failed", "a wrong setting");
  ok(wrong.output.includes("APPLE_KEY_ID is not set"), wrong.output);
});

test("Apple's codes, tokens and keys are not logged", async () => {
  answers = good;
  await leave(code);
  const { output } = on;
  for (const secret of ["apple-code", "apple-refresh", settings.APPLE_KEY, "client_secret"]) {
    ok(!output.includes(secret), secret);
  }
});
