// The environment of a test file: a separate database, a fake Mux, a replacement of PostgREST, and the functions as
// processes of the real Deno, started as they are deployed.

import { FakeMux, signature, type Thing } from "./mux.ts";
import { query, quoted } from "./postgres.ts";
import { Rest } from "./postgrest.ts";
import { es256, hs256, token } from "./tokens.ts";

const socketFolder = Deno.env.get("TEST_SOCKET_FOLDER")!;
const template = Deno.env.get("TEST_TEMPLATE")!;
const root = new URL("../../", import.meta.url).pathname;

export const legacySecret = "legacy-jwt-secret-of-the-tests-0123456789";
/** Milliseconds: long enough on a busy machine, and short enough to wait for. */
export const muxTimeout = 4000;
export const sweepSecret = "sweep-secret-of-the-tests";
export const serviceKey = await token({ role: "service_role", exp: 4102444800 }, hs256(legacySecret));
export const anonKey = await token({ role: "anon", exp: 4102444800 }, hs256(legacySecret));
export const signing = await es256("key-1");

export type Name = "uploads" | "mux-webhook" | "sweep" | "delete-account" | "push" | "playback" | "trim" | "link";

/** A running function. */
export class Running {
  output = "";
  url = "";
  private readonly child: Deno.ChildProcess;
  private readonly read: Promise<unknown>;
  private constructor(name: Name, environment: Record<string, string>) {
    this.child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-remote",
        "--no-npm",
        "--no-prompt",
        "--cached-only",
        "--allow-env",
        "--allow-net=127.0.0.1",
        `${root}${name}/index.ts`,
      ],
      env: { ...environment, DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0", NO_COLOR: "1" },
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.read = Promise.all([this.child.stdout, this.child.stderr].map(async (stream) => {
      for await (const chunk of stream.pipeThrough(new TextDecoderStream())) this.output += chunk;
    }));
  }

  static async start(name: Name, environment: Record<string, string>): Promise<Running> {
    const running = new Running(name, environment);
    // Starting may be slow on a busy machine.
    for (let turn = 0; turn < 18_000; turn++) {
      const port = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(running.output)?.[1];
      if (port !== undefined) {
        running.url = `http://127.0.0.1:${port}/${name}`;
        return running;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await running[Symbol.asyncDispose]();
    throw new Error(`${name} does not start: ${running.output}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.child.kill("SIGKILL");
    } catch {
      // Already ended.
    }
    await this.child.status;
    await this.read;
  }
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // deno-lint-ignore no-explicit-any
  body: any;
}

export class World {
  private constructor(
    readonly database: string,
    readonly mux: FakeMux,
    readonly rest: Rest,
    private readonly running: Map<string, Running>,
  ) {}

  static async make(...names: Name[]): Promise<World> {
    const database = `world_${crypto.randomUUID().slice(0, 8)}`;
    await query(
      socketFolder,
      "template1",
      `create database ${database} owner postgres template ${template} strategy file_copy`,
      "supabase_admin",
    );
    const mux = await new FakeMux().start();
    const rest = new Rest(socketFolder, database, serviceKey, anonKey);
    rest.keys = [signing.publicKey];
    const world = new World(database, mux, rest, new Map());
    await Promise.all(names.map(async (name) => world.running.set(name, await world.start(name))));
    return world;
  }

  /** Starts another process with other settings. An empty setting is removed. */
  async start(name: Name, settings: Record<string, string> = {}): Promise<Running> {
    return await Running.start(name, {
      SUPABASE_URL: this.rest.url,
      SUPABASE_SERVICE_ROLE_KEY: serviceKey,
      SUPABASE_ANON_KEY: anonKey,
      LEGACY_JWT_SECRET: legacySecret,
      MUX_BASE_URL: this.mux.url,
      MUX_TOKEN_ID: this.mux.tokenID,
      MUX_TOKEN_SECRET: this.mux.tokenSecret,
      MUX_WEBHOOK_SECRET: this.mux.webhookSecret,
      MUX_TIMEOUT_MS: `${muxTimeout}`,
      SWEEP_SECRET: sweepSecret,
      ...settings,
    });
  }

  get(name: Name): Running {
    return this.running.get(name)!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of this.running.values()) await running[Symbol.asyncDispose]();
    await this.rest[Symbol.asyncDispose]();
    await this.mux[Symbol.asyncDispose]();
    await query(socketFolder, "template1", `drop database ${this.database} with (force)`, "supabase_admin");
  }

  /** Runs statements as the owner of the tables. */
  async sql(sql: string): Promise<(string | null)[][]> {
    return await query(socketFolder, this.database, sql, "postgres");
  }

  async value(sql: string): Promise<string | null> {
    return (await this.sql(sql))[0]?.[0] ?? null;
  }

  /** Creates a user, with ID and access token. */
  async person(): Promise<{ id: string; token: string }> {
    const id = crypto.randomUUID();
    await this.sql(`insert into auth.users (id, email) values ('${id}', '${id}@example.com')`);
    return { id, token: await userToken(id) };
  }

  async send(url: string, options: RequestInit = {}): Promise<Answer> {
    const response = await fetch(url, options);
    const text = await response.text();
    let body = null;
    try {
      body = JSON.parse(text);
    } catch {
      // The test reports the expected value.
    }
    return { status: response.status, headers: response.headers, text, body };
  }

  /** Sends a draft like `bsc`. */
  async open(
    author: { token: string },
    draft: Thing,
    key: string = crypto.randomUUID(),
    options: { timeout?: number | string; at?: Running } = {},
  ): Promise<Answer> {
    return await this.send(`${(options.at ?? this.get("uploads")).url}?timeout=${options.timeout ?? 3600}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${author.token}`, "Idempotency-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify(draft),
    });
  }

  async state(author: { token: string }, id: string): Promise<Answer> {
    return await this.send(`${this.get("uploads").url}/${id}`, {
      headers: { Authorization: `Bearer ${author.token}` },
    });
  }

  async cancel(author: { token: string }, id: string): Promise<Answer> {
    return await this.send(`${this.get("uploads").url}/${id}/cancel`, {
      method: "POST",
      headers: { Authorization: `Bearer ${author.token}`, "Content-Type": "application/json" },
      body: "",
    });
  }

  /** Delivers an event like Mux. */
  async deliver(event: Thing, at = this.get("mux-webhook")): Promise<Answer> {
    const body = JSON.stringify(event);
    return await this.send(at.url, {
      method: "POST",
      headers: { "Mux-Signature": signature(body, this.mux.webhookSecret), "Content-Type": "application/json" },
      body,
    });
  }

  async sweep(at = this.get("sweep")): Promise<Answer> {
    return await this.send(at.url, { method: "POST", headers: { Authorization: `Bearer ${sweepSecret}` } });
  }

  /** The Mux upload of an upload. */
  muxUpload(id: string): Thing {
    return this.mux.uploads.find((upload) => upload.new_asset_settings.passthrough === id)!;
  }

  async highlight(id: string): Promise<Thing | null> {
    const row = await this.value(`select to_json(h) from public.highlights h where id = ${quoted(id)}`);
    return row === null ? null : JSON.parse(row);
  }

  async row(upload: string): Promise<Thing> {
    return JSON.parse((await this.value(`select to_json(u) from public.uploads u where id = ${quoted(upload)}`))!);
  }
}

export async function userToken(id: string, claims: Thing = {}): Promise<string> {
  return await token({ ...userClaims(id), ...claims }, signing);
}

/** Claims in the format of Supabase Auth. */
export function userClaims(id: string): Thing {
  const now = Math.floor(Date.now() / 1000);
  return {
    sub: id,
    role: "authenticated",
    aud: "authenticated",
    iat: now,
    exp: now + 3600,
    email: "someone@example.com",
    session_id: crypto.randomUUID(),
    is_anonymous: false,
  };
}

export function draft(more: Thing = {}): Thing {
  return {
    highlight_id: crypto.randomUUID().toUpperCase(),
    caption: "ace #serve",
    tags: ["serve"],
    privacy_level: "followers_only",
    hide_likes: true,
    local_video_id: crypto.randomUUID(),
    local_rally_index: 3,
    duration: 12.5,
    confidence: 0.5,
    quality: 0.25,
    detection_count: 7,
    ...more,
  };
}
