// Creates valid and invalid tokens.

export interface Signer {
  alg: string;
  kid?: string;
  sign(text: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
}

export interface KeyPair extends Signer {
  publicKey: JsonWebKey;
}

const utf8 = new TextEncoder();

function base64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

export async function token(claims: unknown, signer: Signer, header: Record<string, unknown> = {}): Promise<string> {
  const head = { alg: signer.alg, typ: "JWT", ...(signer.kid ? { kid: signer.kid } : {}), ...header };
  const signed = [head, claims].map((part) => base64url(utf8.encode(JSON.stringify(part)))).join(".");
  return `${signed}.${base64url(new Uint8Array(await signer.sign(utf8.encode(signed))))}`;
}

export function hs256(secret: string): Signer {
  return {
    alg: "HS256",
    async sign(text) {
      const key = await crypto.subtle.importKey("raw", utf8.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
        "sign",
      ]);
      return await crypto.subtle.sign("HMAC", key, text);
    },
  };
}

export async function es256(kid: string): Promise<KeyPair> {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const publicKey = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return {
    alg: "ES256",
    kid,
    publicKey: Object.assign(publicKey, { kid, alg: "ES256", use: "sig" }),
    sign: (text) => crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, pair.privateKey, text),
  };
}

export async function rs256(kid: string): Promise<KeyPair> {
  const way = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const pair = await crypto.subtle.generateKey(
    { ...way, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  const publicKey = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return {
    alg: "RS256",
    kid,
    publicKey: Object.assign(publicKey, { kid, alg: "RS256", use: "sig" }),
    sign: (text) => crypto.subtle.sign(way.name, pair.privateKey, text),
  };
}
