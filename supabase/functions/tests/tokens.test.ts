import { equal, ok } from "./support/assert.ts";
import { es256, hs256, rs256, token } from "./support/tokens.ts";
import { anonKey, draft, legacySecret, serviceKey, signing, userClaims, userToken, World } from "./support/world.ts";

const world = await World.make("uploads");
Deno.test.afterAll(() => world[Symbol.asyncDispose]());
const { rest } = world;
const { id: ann } = await world.person();
const rsa = await rs256("key-rsa");

function test(name: string, body: () => Promise<void>): void {
  Deno.test({ name: `tokens: ${name}`, fn: body, sanitizeOps: false, sanitizeResources: false });
}

async function status(token: string | null, at = world.get("uploads")): Promise<number> {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  const answer = await world.send(`${at.url}/${crypto.randomUUID()}`, { headers });
  if (answer.status === 401) equal(answer.headers.get("www-authenticate"), "Bearer");
  if (answer.status === 401) equal(answer.body.error.type, "unauthorized");
  return answer.status;
}

// 404 means that the token was accepted: the requested upload doesn't exist.

test("valid tokens of each kind", async () => {
  rest.keys = [signing.publicKey, rsa.publicKey];
  await using running = await world.start("uploads");
  equal(await status(await token(userClaims(ann), signing), running), 404, "ES256");
  equal(await status(await token(userClaims(ann), rsa), running), 404, "RS256");
  equal(await status(await token(userClaims(ann), hs256(legacySecret)), running), 404, "HS256");
  equal(await status(await token({ ...userClaims(ann), aud: ["other", "authenticated"] }, signing), running), 404);
  equal(rest.keyRequests, 1, "the keys are cached");
});

test("missing and foreign tokens", async () => {
  const good = await userToken(ann);
  for (const authorization of ["", "Bearer", `Basic ${good}`, good, `Bearer ${good} ${good}`, "Bearer a.b.c"]) {
    const { status } = await world.send(`${world.get("uploads").url}/x`, { headers: { Authorization: authorization } });
    equal(status, 401, authorization.slice(0, 12));
  }
  equal(await status(null), 401);
  for (
    const bad of ["a", "..", `${good}.x`, `${good}=`, good.slice(0, -6), good.replace(".", ".."), "a".repeat(9000)]
  ) {
    equal(await status(bad), 401, bad.slice(0, 20));
  }
  const [head, payload, signature] = good.split(".") as [string, string, string];
  const other = (await userToken(crypto.randomUUID())).split(".")[1];
  equal(await status(`${head}.${other}.${signature}`), 401, "another's claims");
  equal(await status(`${head}.${payload}.`), 401, "no signature");
});

test("algorithms are not confused", async () => {
  const claims = userClaims(ann);
  const nothing = { alg: "none", sign: () => Promise.resolve(new ArrayBuffer(0)) };
  for (const alg of ["none", "None", "NONE", ""]) equal(await status(await token(claims, nothing, { alg })), 401, alg);
  // The public key as an HMAC secret, in every plausible encoding.
  const { x, y } = signing.publicKey;
  for (const secret of [JSON.stringify(signing.publicKey), `${x}`, `${x}${y}`, "undefined", "null"]) {
    equal(await status(await token(claims, { ...hs256(secret), kid: "key-1" })), 401, "HS256 with a public key");
  }
  equal(await status(await token(claims, signing, { alg: "HS256" })), 401, "ES256 labeled HS256");
  equal(await status(await token(claims, hs256(legacySecret), { alg: "ES256", kid: "key-1" })), 401, "and the reverse");
  equal(await status(await token(claims, rsa, { alg: "ES256", kid: "key-1" })), 401, "RS256 labeled ES256");
  equal(await status(await token(claims, hs256(legacySecret), { alg: "HS512" })), 401, "HS512");
  equal(await status(await token(claims, signing, { crit: ["b64"], b64: false })), 401, "crit");
  const foreign = await es256("key-1");
  equal(await status(await token(claims, foreign)), 401, "another key with that ID");
  equal(await status(await token(claims, foreign, { jwk: foreign.publicKey })), 401, "a key in the header");
});

test("a secret among the public keys verifies nothing", async () => {
  rest.keys = [
    { kty: "oct", k: btoa("public-secret").replaceAll("=", ""), kid: "key-1", alg: "HS256" } as JsonWebKey,
    { ...signing.publicKey, kid: "for-encryption", use: "enc" } as JsonWebKey,
  ];
  await using running = await world.start("uploads");
  equal(await status(await token(userClaims(ann), { ...hs256("public-secret"), kid: "key-1" }), running), 401);
  equal(await status(await token(userClaims(ann), signing, { kid: "for-encryption" }), running), 401);
});

test("HS256 without the legacy secret", async () => {
  await using running = await world.start("uploads", { LEGACY_JWT_SECRET: "" });
  equal(await status(await token(userClaims(ann), hs256(legacySecret)), running), 401);
  // HMAC accepts no empty key, but an empty secret could become a zero key.
  equal(await status(await token(userClaims(ann), hs256("\0")), running), 401);
});

test("claims", async () => {
  const now = Math.floor(Date.now() / 1000);
  const cases: [string, Record<string, unknown>, number][] = [
    ["expired", { exp: now - 31 }, 401],
    ["expired within the tolerance", { exp: now - 20 }, 404],
    ["no end", { exp: undefined }, 401],
    ["an expiry that isn't a number", { exp: `${now + 3600}` }, 401],
    ["not yet", { nbf: now + 60 }, 401],
    ["made later", { iat: now + 60 }, 401],
    ["issued a little later", { iat: now + 20 }, 404],
    ["another audience", { aud: "anon" }, 401],
    ["no audience", { aud: undefined }, 401],
    ["other audiences", { aud: ["a", "b"] }, 401],
    ["the service role", { role: "service_role" }, 401],
    ["anon", { role: "anon" }, 401],
    ["no role", { role: undefined }, 401],
    ["no subject", { sub: undefined }, 401],
    ["a subject that isn't a UUID", { sub: "ann" }, 401],
    ["a subject that isn't a string", { sub: { id: ann } }, 401],
  ];
  for (const [what, claims, expected] of cases) equal(await status(await userToken(ann, claims)), expected, what);
  equal(await status(anonKey), 401, "the anon key");
  equal(await status(serviceKey), 401, "the service key");
  equal(await status("sb_publishable_abcdefghijklmnop"), 401, "a publishable key");
});

test("an issuer can be required", async () => {
  rest.keys = [signing.publicKey];
  const issuer = "https://project.supabase.co/auth/v1";
  await using running = await world.start("uploads", { JWT_ISSUER: issuer });
  equal(await status(await userToken(ann, { iss: issuer }), running), 404);
  equal(await status(await userToken(ann, { iss: "https://other" }), running), 401);
  equal(await status(await userToken(ann), running), 401);
});

test("new keys and unknown keys", async () => {
  rest.keys = [];
  await using running = await world.start("uploads");
  const before = rest.keyRequests;
  equal(await status(await userToken(ann), running), 401, "unknown");
  for (let turn = 0; turn < 20; turn++) {
    equal(await status(await token(userClaims(ann), signing, { kid: `made-up-${turn}` }), running), 401);
  }
  equal(rest.keyRequests - before, 1, "unknown keys don't cause a request each");
  rest.keys = [signing.publicKey];
});

test("the key server is unreachable", async () => {
  rest.keys = null;
  await using running = await world.start("uploads");
  const { status: code, body } = await world.open({ token: await userToken(ann) }, draft(), "k", { at: running });
  equal([code, body.error.type], [503, "unavailable"], "a temporary failure");
  rest.keys = [signing.publicKey];
  equal(await status(await userToken(ann), running), 404, "it is reachable again");
});

test("the key of the database: both forms", async () => {
  // Like the gateway, the test server refuses a secret key in `Authorization`.
  const secret = "sb_secret_of_the_tests";
  const { Rest } = await import("./support/postgrest.ts");
  await using gateway = new Rest(rest.folder, world.database, secret);
  gateway.keys = [signing.publicKey];
  const forms: Record<string, string>[] = [
    { SUPABASE_SECRET_KEYS: JSON.stringify({ default: secret }) },
    { SUPABASE_SERVICE_ROLE_KEY: secret },
    { SUPABASE_SERVICE_ROLE_KEY: secret, SUPABASE_SECRET_KEYS: "{}" },
  ];
  for (const settings of forms) {
    await using running = await world.start("uploads", { SUPABASE_URL: `${gateway.url}/`, ...settings });
    equal(await status(await userToken(ann), running), 404);
  }
  ok(gateway.calls.length === 3);
});
