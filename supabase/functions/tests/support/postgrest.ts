// Replaces the gateway and PostgREST: `POST /rest/v1/rpc/<function>` with named arguments and the service role, the public
// keys of Auth, and the removal of files in the Storage. The real PostgREST, a Haskell program, is not available to the tests.

import { PostgresError, query, quoted } from "./postgres.ts";

interface Signature {
  parameters: Map<string, string>;
  givesSet: boolean;
  givesNothing: boolean;
}

export class Rest {
  readonly url: string;
  /** The keys that Auth publishes; null returns 500. */
  keys: JsonWebKey[] | null = [];
  keyRequests = 0;
  /** While set, every request is refused with it. */
  down: { status: number; body: string } | null = null;
  readonly calls: string[] = [];
  /** Scope and token of each sign-out request. */
  readonly signOuts: string[] = [];
  signOutStatus = 204;
  /** `bucket name` of each removed file. */
  readonly removedFiles: string[] = [];
  /** The bucket whose files can't be removed. */
  brokenBucket = "";
  private readonly server: Deno.HttpServer<Deno.NetAddr>;
  private readonly signatures = new Map<string, Signature | null>();

  constructor(
    readonly folder: string,
    readonly database: string,
    private readonly serviceKey: string,
    private readonly publishableKey = "none",
  ) {
    this.server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => this.answer(request));
    this.url = `http://127.0.0.1:${this.server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.shutdown();
  }

  private async answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/auth/v1/.well-known/jwks.json") {
      this.keyRequests++;
      return this.keys === null ? new Response("", { status: 500 }) : Response.json({ keys: this.keys });
    }
    if (pathname === "/auth/v1/logout") {
      this.signOuts.push(`${searchParams.get("scope")} ${request.headers.get("authorization")}`);
      return new Response(null, { status: this.signOutStatus });
    }
    const bucket = /^\/storage\/v1\/object\/(\w+)$/.exec(pathname)?.[1];
    if (bucket !== undefined && request.method === "DELETE") return await this.removeFiles(bucket, request);
    const name = /^\/rest\/v1\/rpc\/(\w+)$/.exec(pathname)?.[1];
    if (name === undefined || request.method !== "POST") return new Response("", { status: 404 });
    const claims = this.isService(request) ? { role: "service_role" } : this.userClaims(request);
    if (claims === null) {
      return Response.json({ code: "PGRST301", message: "no key", details: null, hint: null }, { status: 401 });
    }
    const body = await request.text();
    this.calls.push(name);
    if (this.down !== null) return new Response(this.down.body, { status: this.down.status });
    try {
      return await this.run(name, body, claims);
    } catch (error) {
      if (!(error instanceof PostgresError)) throw error;
      const { code, message, detail, hint } = error;
      return Response.json({ code, message, details: detail, hint }, { status: statusOf(code) });
    }
  }

  private isService(request: Request): boolean {
    // A secret key is not a JWT, so it would be refused in `Authorization`.
    const expected = this.serviceKey.startsWith("sb_") ? null : `Bearer ${this.serviceKey}`;
    return request.headers.get("apikey") === this.serviceKey && request.headers.get("authorization") === expected;
  }

  /** The claims of a user's token. The functions have verified it, and tests with wrong tokens never get here. */
  private userClaims(request: Request): { role: string } | null {
    const token = /^Bearer ([^.]+)\.([^.]+)\.[^.]+$/.exec(request.headers.get("authorization") ?? "");
    if (token === null || request.headers.get("apikey") !== this.publishableKey) return null;
    const claims = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(token[2]!, { alphabet: "base64url" })));
    return claims.role === "authenticated" ? claims : null;
  }

  /** Like the Storage's API: names, not prefixes, whatever the member is called. Missing files are left out of the response. */
  private async removeFiles(bucket: string, request: Request): Promise<Response> {
    if (!this.isService(request)) return Response.json({ statusCode: "403", error: "Unauthorized" }, { status: 400 });
    if (bucket === this.brokenBucket) return Response.json({ statusCode: "500", error: "Internal" }, { status: 500 });
    const names: string[] = (await request.json()).prefixes;
    const list = names.map(quoted).join();
    const rows = await query(
      this.folder,
      this.database,
      `delete from storage.objects where bucket_id = ${quoted(bucket)} and name in (${list}) returning name`,
      "postgres",
    );
    this.removedFiles.push(...rows.map(([name]) => `${bucket} ${name}`));
    return Response.json(rows.map(([name]) => ({ bucket_id: bucket, name })));
  }

  private async run(name: string, body: string, claims: { role: string }): Promise<Response> {
    const signature = await this.signature(name);
    const sent = Object.keys(JSON.parse(body));
    if (signature === null || sent.some((parameter) => !signature.parameters.has(parameter))) {
      const message = `Could not find the function public.${name}(${sent.join(", ")}) in the schema cache`;
      return Response.json({ code: "PGRST202", message, details: null, hint: null }, { status: 404 });
    }
    const columns = sent.map((parameter) => `"${parameter}" ${signature.parameters.get(parameter)}`);
    const arguments_ = sent.map((parameter) => `"${parameter}" := arguments."${parameter}"`);
    const source = sent.length === 0 ? "" : `json_to_record(${quoted(body)}::json) as arguments(${columns}), lateral `;
    const call = `${source}public.${name}(${arguments_}) as result`;
    const result = signature.givesSet ? "coalesce(json_agg(result), '[]')" : "to_json(result)";
    const rows = await query(
      this.folder,
      this.database,
      `begin; set local role ${claims.role};
       select set_config('request.jwt.claims', ${quoted(JSON.stringify(claims))}, true);
       select ${result} from ${call}; commit`,
      "authenticator",
    );
    if (signature.givesNothing) return new Response(null, { status: 204 });
    return new Response(rows[0]?.[0] ?? "null", { headers: { "Content-Type": "application/json" } });
  }

  /** The function's signature, as in PostgREST's schema cache. */
  private async signature(name: string): Promise<Signature | null> {
    const known = this.signatures.get(name);
    if (known !== undefined) return known;
    const rows = await query(
      this.folder,
      this.database,
      `select p.proretset, p.prorettype = 'void'::regtype, name, format_type(type, null)
       from pg_proc p left join lateral unnest(
         p.proargnames[1:p.pronargs], p.proargtypes::oid[]) as parameter(name, type) on true
       where p.pronamespace = 'public'::regnamespace and p.proname = ${quoted(name)}`,
      "postgres",
    );
    const signature = rows[0] === undefined ? null : {
      givesSet: rows[0][0] === "t",
      givesNothing: rows[0][1] === "t",
      parameters: new Map(rows.flatMap(([, , name, type]) => name && type ? [[name, type]] : [])),
    };
    this.signatures.set(name, signature);
    return signature;
  }
}

function statusOf(code: string): number {
  if (code === "23505" || code === "23503") return 409;
  if (code === "42501") return 403;
  if (code === "42883") return 404;
  return /^(40|54|55|57|58|XX)/.test(code) ? 500 : /^(53|08)/.test(code) ? 503 : 400;
}
