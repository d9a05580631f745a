// The part of PostgreSQL's protocol that the tests need: one statement as text, over the socket, without a password.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class PostgresError extends Error {
  constructor(readonly code: string, message: string, readonly detail: string | null, readonly hint: string | null) {
    super(message);
  }
}

function message(type: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(type.length + 4 + body.length);
  bytes.set(encoder.encode(type));
  new DataView(bytes.buffer).setUint32(type.length, 4 + body.length);
  bytes.set(body, type.length + 4);
  return bytes;
}

/** The rows of the last statement that returned any, as texts. Uses a separate connection, so that callers don't wait. */
export async function query(folder: string, database: string, sql: string, user: string): Promise<(string | null)[][]> {
  using connection = await Deno.connect({ transport: "unix", path: `${folder}/.s.PGSQL.5432` });
  const send = async (bytes: Uint8Array) => {
    for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
  };
  let pending = new Uint8Array();
  const read = async (size: number) => {
    while (pending.length < size) {
      const chunk = new Uint8Array(65536);
      const count = await connection.read(chunk);
      if (count === null) throw new Error("the database hung up");
      const joined = new Uint8Array(pending.length + count);
      joined.set(pending);
      joined.set(chunk.subarray(0, count), pending.length);
      pending = joined;
    }
    const bytes = pending.slice(0, size);
    pending = pending.slice(size);
    return bytes;
  };
  const startup = new Uint8Array([0, 3, 0, 0, ...encoder.encode(`user\0${user}\0database\0${database}\0\0`)]);
  await send(message("", startup));
  let rows: (string | null)[][] = [];
  let failure: PostgresError | null = null;
  for (let asked = false;;) {
    const head = await read(5);
    const type = String.fromCharCode(head[0]!);
    const body = await read(new DataView(head.buffer).getUint32(1) - 4);
    if (type === "Z") {
      if (asked) break;
      asked = true;
      await send(message("Q", encoder.encode(`${sql}\0`)));
    } else if (type === "T") {
      rows = [];
    } else if (type === "D") {
      rows.push(row(body));
    } else if (type === "E") {
      const fields = new Map(decoder.decode(body).split("\0").map((text) => [text.slice(0, 1), text.slice(1)]));
      failure = new PostgresError(
        fields.get("C") ?? "",
        fields.get("M") ?? "",
        fields.get("D") ?? null,
        fields.get("H") ?? null,
      );
      if (!asked) break;
    }
  }
  await send(message("X", new Uint8Array())).catch(() => {});
  if (failure !== null) throw failure;
  return rows;
}

function row(body: Uint8Array): (string | null)[] {
  const view = new DataView(body.buffer, body.byteOffset);
  let offset = 2;
  return Array.from({ length: view.getUint16(0) }, () => {
    const size = view.getInt32(offset);
    offset += 4;
    if (size < 0) return null;
    offset += size;
    return decoder.decode(body.subarray(offset - size, offset));
  });
}

/** A text as an SQL literal. */
export function quoted(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
