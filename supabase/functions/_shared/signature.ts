import { sameBytes, utf8 } from "./secrets.ts";

/** The tolerated age of a signature, and clock difference, in seconds. */
const tolerance = 300;

/** `Mux-Signature: t=<seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<body>` with any of the secrets. */
export async function isSignedByMux(
  header: string | null,
  body: Uint8Array,
  secrets: string[],
  now = Date.now(),
): Promise<boolean> {
  const fields = (header ?? "").split(",").map((field) => field.trim());
  const times = fields.filter((field) => field.startsWith("t="));
  // The signature covers the text, not the number.
  const time = times[0]?.slice(2) ?? "";
  if (times.length !== 1 || !/^\d{1,12}$/.test(time)) return false;
  // Several signatures while a secret is replaced. Other schemes are ignored.
  const signatures = fields.filter((field) => field.startsWith("v1=")).map((field) => bytes(field.slice(3)));

  const prefix = utf8.encode(`${time}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  let matches = false;
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", utf8.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
    const expected = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
    for (const signature of signatures) matches = (signature !== null && sameBytes(signature, expected)) || matches;
  }
  return matches && Math.abs(now / 1000 - Number(time)) <= tolerance;
}

function bytes(hex: string): Uint8Array | null {
  if (!/^[0-9a-f]{64}$/.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16));
}
