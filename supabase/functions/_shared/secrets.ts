export const utf8 = new TextEncoder();

/** Compares digests, so that the time reveals nothing about the position of a difference. */
export async function sameSecret(one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all(
    [one, other].map((text) => crypto.subtle.digest("SHA-256", utf8.encode(text))),
  );
  return sameBytes(new Uint8Array(left!), new Uint8Array(right!));
}

/** Compares all bytes, even after a difference. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++) difference |= one[index]! ^ other[index]!;
  return difference === 0;
}

/** The token in `Authorization: Bearer …`. */
export function bearer(request: Request): string | null {
  return /^Bearer +([^ ]+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}
