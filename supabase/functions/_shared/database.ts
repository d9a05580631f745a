import type { DatabaseConfig } from "./config.ts";
import { Failure, isObject } from "./http.ts";
import { log, nameOf } from "./log.ts";

/** A call that the database refused, with PostgreSQL's or PostgREST's code. Details contain the row and are dropped. */
export class DatabaseError extends Error {
  constructor(readonly code: string, readonly constraint: string | undefined) {
    super(code);
  }
}

/** For requests with JSON and the service role. */
export function serviceHeaders({ serviceKey }: DatabaseConfig): Record<string, string> {
  const headers: Record<string, string> = { apikey: serviceKey, "Content-Type": "application/json" };
  // `sb_secret_…` is not a JWT and must not be sent as a bearer token.
  if (!serviceKey.startsWith("sb_")) headers.Authorization = `Bearer ${serviceKey}`;
  return headers;
}

/** Calls functions of the schema `public` through PostgREST, with the service role or with a user's token. */
export class Database {
  constructor(
    private readonly config: DatabaseConfig,
    private readonly headers: Record<string, string> = serviceHeaders(config),
  ) {}

  /** With the rights of the user to whom the token belongs. */
  static as(token: string, key: string, config: DatabaseConfig): Database {
    return new Database(config, {
      apikey: key,
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
    });
  }

  async call(name: string, parameters: Record<string, unknown> = {}): Promise<unknown> {
    const { url, timeoutMilliseconds } = this.config;
    let response: Response, body: string;
    try {
      response = await fetch(`${url}/rest/v1/rpc/${name}`, {
        method: "POST",
        headers: this.headers,
        body: JSON.stringify(parameters),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      body = await response.text();
    } catch (error) {
      log("database_failed", { call: name, kind: nameOf(error) });
      throw Failure.unavailable("the database");
    }
    if (response.ok) return body === "" ? null : JSON.parse(body);
    return fail(name, response.status, body);
  }
}

function fail(call: string, status: number, body: string): never {
  let error: unknown = null;
  try {
    error = JSON.parse(body);
  } catch {
    // An error page of a gateway.
  }
  const code = isObject(error) && typeof error.code === "string" ? error.code : "";
  const message = isObject(error) && typeof error.message === "string" ? error.message : "";
  const constraint = /violates (?:check|foreign key|unique) constraint "(\w+)"/.exec(message)?.[1];
  log("database_refused", { call, status, code, constraint });
  // Classes 22 and 23: the request violates a rule. PT404 and PT410: the row is missing or gone. Other errors concern the
  // project, or are temporary.
  if (/^(?:2[23]...|PT404|PT410)$/.test(code)) throw new DatabaseError(code, constraint);
  throw Failure.unavailable("the database");
}
