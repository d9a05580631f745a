import { utf8 } from "./secrets.ts";

/** A JWT that is signed with one of Apple's keys: the content of a `.p8` file. */
export async function signedToken(key: string, keyID: string, claims: Record<string, unknown>): Promise<string> {
  const der = Uint8Array.from(atob(key.replace(/-----[^-]+-----|\s/g, "")), (letter) => letter.charCodeAt(0));
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const signing = await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  const content = [{ alg: "ES256", kid: keyID }, claims]
    .map((part) => base64URL(utf8.encode(JSON.stringify(part)))).join(".");
  const signature = await crypto.subtle.sign(algorithm, signing, utf8.encode(content));
  return `${content}.${base64URL(new Uint8Array(signature))}`;
}

function base64URL(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
