// Authenticates the caller by the access token of Supabase Auth. The gateway supports neither publishable keys nor asymmetric
// keys, so it doesn't check tokens (`verify_jwt = false`).

import type { TokenConfig } from "./config.ts";
import { Failure, isObject, type JSONObject, parseObject } from "./http.ts";
import { log, nameOf } from "./log.ts";
import { utf8 } from "./secrets.ts";

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The tolerated clock difference, as in PostgREST. */
const skewSeconds = 30;
const longestToken = 8192;

function refused(reason: string): Failure {
  return new Failure(401, "unauthorized", [reason], { "WWW-Authenticate": "Bearer" });
}

/** The user's ID, in lower case. */
export async function verifiedUser(token: string | null, config: TokenConfig, now = Date.now()): Promise<string> {
  if (token === null) throw refused("an access token is required");
  const parts = token.split(".");
  if (token.length > longestToken || parts.length !== 3) throw refused("the access token is not a JWT");
  const [head, payload, signature] = parts.map(decoded);
  const header = head && parseObject(head);
  const claims = payload && parseObject(payload);
  if (!header || !claims || !signature) throw refused("the access token is not a JWT");
  // No critical extension is supported.
  if ("crit" in header) throw refused("the access token cannot be verified");

  const signed = utf8.encode(`${parts[0]}.${parts[1]}`);
  if (!await isSigned(header, signed, signature, config)) throw refused("the access token cannot be verified");
  return subject(claims, config, now / 1000);
}

function subject(claims: JSONObject, config: TokenConfig, now: number): string {
  const { exp, nbf, iat, aud, role, iss, sub } = claims;
  if (typeof exp !== "number") throw refused("the access token is not valid");
  if (now >= exp + skewSeconds) throw refused("the access token has expired");
  for (const start of [nbf, iat]) {
    if (start !== undefined && (typeof start !== "number" || start > now + skewSeconds)) {
      throw refused("the access token is not valid yet");
    }
  }
  const audiences = Array.isArray(aud) ? aud : [aud];
  // The anon key is also a token of the project, but with another role and without an audience.
  if (!audiences.includes("authenticated") || role !== "authenticated") {
    throw refused("the access token does not belong to a user");
  }
  if (config.issuer !== undefined && iss !== config.issuer) {
    throw refused("the access token belongs to another project");
  }
  if (typeof sub !== "string" || !uuidPattern.test(sub)) throw refused("the access token does not belong to a user");
  return sub.toLowerCase();
}

/** The header selects a key made for its algorithm, never how a key is used. */
async function isSigned(
  header: JSONObject,
  signed: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  config: TokenConfig,
): Promise<boolean> {
  if (header.alg === "HS256") {
    if (config.legacySecret === undefined) return false;
    const key = await crypto.subtle.importKey(
      "raw",
      utf8.encode(config.legacySecret),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"],
    );
    return await crypto.subtle.verify("HMAC", key, signature, signed);
  }
  if (header.alg !== "ES256" && header.alg !== "RS256") return false;
  const { alg } = header;
  const kid = typeof header.kid === "string" ? header.kid : undefined;
  for (const key of await keys(config.jwksURL, alg, kid)) {
    const way = alg === "ES256" ? { name: "ECDSA", hash: "SHA-256" } : { name: "RSASSA-PKCS1-v1_5" };
    if (await crypto.subtle.verify(way, key, signature, signed)) return true;
  }
  return false;
}

/** Decodes base64url without padding; null for anything else. */
function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  } catch {
    return null;
  }
}

// The project's public keys

interface PublicKey {
  alg: "ES256" | "RS256";
  kid: string | undefined;
  key: CryptoKey;
}

const freshMilliseconds = 10 * 60_000;
/** An unknown key may be new, but callers that invent key IDs must not cause a request for each. */
const askAgainMilliseconds = 30_000;

let known: PublicKey[] | null = null;
let askedAt = -Infinity;
let asking: Promise<void> | null = null;

async function keys(url: string, alg: string, kid: string | undefined): Promise<CryptoKey[]> {
  const matching = () =>
    (known ?? []).filter((one) => one.alg === alg && (kid === undefined || one.kid === kid)).map((one) => one.key);
  const age = performance.now() - askedAt;
  if (known === null || age > freshMilliseconds || (matching().length === 0 && age > askAgainMilliseconds)) {
    asking ??= ask(url).finally(() => asking = null);
    await asking;
  }
  // Old keys remain valid while the server is unreachable.
  if (known === null) throw Failure.unavailable("the sign-in server");
  return matching();
}

async function ask(url: string): Promise<void> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000), redirect: "error" });
    const body: unknown = await response.json();
    if (!response.ok || !isObject(body) || !Array.isArray(body.keys)) throw new TypeError("no key set");
    const imported = await Promise.all(body.keys.map(publicKey));
    known = imported.filter((key) => key !== null);
    askedAt = performance.now();
  } catch (error) {
    log("jwks_failed", { kind: nameOf(error) });
    if (known !== null) askedAt = performance.now() - freshMilliseconds + askAgainMilliseconds;
  }
}

/** A public key for exactly one signature algorithm; null for secrets, other algorithms and other uses. */
async function publicKey(jwk: unknown): Promise<PublicKey | null> {
  if (!isObject(jwk)) return null;
  const alg = jwk.kty === "EC" && jwk.crv === "P-256" ? "ES256" : jwk.kty === "RSA" ? "RS256" : null;
  if (alg === null || (jwk.alg !== undefined && jwk.alg !== alg) || (jwk.use !== undefined && jwk.use !== "sig")) {
    return null;
  }
  const way = alg === "ES256" ? { name: "ECDSA", namedCurve: "P-256" } : { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  // Only the public part.
  const { kty, crv, x, y, n, e } = jwk as JsonWebKey;
  try {
    const key = await crypto.subtle.importKey("jwk", { kty, crv, x, y, n, e }, way, false, ["verify"]);
    return { alg, kid: typeof jwk.kid === "string" ? jwk.kid : undefined, key };
  } catch {
    return null;
  }
}
