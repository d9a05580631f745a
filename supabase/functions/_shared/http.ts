import { ConfigError } from "./config.ts";
import { log, nameOf } from "./log.ts";

/** An error response in Mux's format: `{"error":{"type":…,"messages":[…]}}`. */
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    readonly messages: string[],
    readonly headers: Record<string, string> = {},
  ) {
    super(type);
  }

  static notFound(what: string): Failure {
    return new Failure(404, "not_found", [`${what} does not exist`]);
  }

  static invalid(status: 400 | 413 | 422, messages: string[]): Failure {
    return new Failure(status, "invalid_parameters", messages);
  }

  /** A temporary failure. */
  static unavailable(what: string, seconds = 2): Failure {
    return new Failure(503, "unavailable", [`${what} cannot be reached at the moment`], {
      "Retry-After": `${seconds}`,
    });
  }
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}

type Handler = (request: Request) => Promise<Response>;

/** Converts any error to a response. Errors other than `Failure` are logged by kind and not revealed. */
export function answering(handler: Handler): Handler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (error) {
      const failure = error instanceof Failure ? error : unexpected(error);
      return json({ error: { type: failure.type, messages: failure.messages } }, failure.status, failure.headers);
    }
  };
}

function unexpected(error: unknown): Failure {
  // A `ConfigError` contains the name of a setting, for the log.
  log("failed", { kind: nameOf(error), reason: error instanceof ConfigError ? error.message : undefined });
  return new Failure(500, "internal", ["the function failed"]);
}

const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "authorization, x-client-info, apikey, content-type, idempotency-key",
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  "Access-Control-Expose-Headers": "retry-after",
  "Access-Control-Max-Age": "3600",
};

/** For functions that browsers call: preflights carry no token. Any origin is allowed, because no cookies are used. */
export function withCORS(handler: Handler): Handler {
  return async (request) => {
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: corsHeaders });
    const response = await handler(request);
    for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value);
    return response;
  };
}

/** The raw bytes of the body. Throws 413 above the limit, whatever `Content-Length` says. */
export async function bodyBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = Failure.invalid(413, [`the body is larger than ${limit / 1024} KiB`]);
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > limit) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error === tooLarge) throw error;
    throw Failure.invalid(400, ["the body was cut off"]);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

export type JSONObject = Record<string, unknown>;

export function isObject(value: unknown): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON object in UTF-8, or null for anything else. */
export function parseObject(bytes: Uint8Array): JSONObject | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
