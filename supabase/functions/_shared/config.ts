// Settings of the functions. Supabase provides `SUPABASE_…`; `supabase secrets set` sets the others.

/** A missing or invalid setting. The message contains the setting's name, never its value. */
export class ConfigError extends Error {}

function text(name: string, standard?: string): string {
  // An empty setting counts as missing.
  const value = Deno.env.get(name)?.trim() || standard;
  if (value === undefined) throw new ConfigError(`${name} is not set`);
  return value;
}

function optional(name: string): string | undefined {
  return Deno.env.get(name)?.trim() || undefined;
}

function oneOf<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
  const value = text(name, values[0]);
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw new ConfigError(`${name} must be one of ${values.join(", ")}`);
  return known;
}

function whole(name: string, standard: number): number {
  const value = Number(text(name, String(standard)));
  if (!Number.isSafeInteger(value) || value < 1) throw new ConfigError(`${name} must be a whole number above 0`);
  return value;
}

function base(name: string, standard?: string): string {
  const value = text(name, standard);
  if (!URL.canParse(value)) throw new ConfigError(`${name} must be a URL`);
  return value.replace(/\/+$/, "");
}

export interface DatabaseConfig {
  url: string;
  /** The legacy `service_role` JWT, or `sb_secret_…`. */
  serviceKey: string;
  timeoutMilliseconds: number;
}

export function databaseConfig(): DatabaseConfig {
  return {
    url: base("SUPABASE_URL"),
    serviceKey: secretKey() ?? text("SUPABASE_SERVICE_ROLE_KEY"),
    timeoutMilliseconds: whole("DATABASE_TIMEOUT_MS", 10_000),
  };
}

/** The key that clients send. Requests with a user's token need it too. */
export function publishableKey(): string {
  return namedKey("SUPABASE_PUBLISHABLE_KEYS") ?? text("SUPABASE_ANON_KEY");
}

function secretKey(): string | undefined {
  return namedKey("SUPABASE_SECRET_KEYS");
}

/** `SUPABASE_SECRET_KEYS` is `{"default":"sb_secret_…"}`. Projects that have only legacy keys don't set it. */
function namedKey(name: string): string | undefined {
  const keys = optional(name);
  if (keys === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(keys)["default"];
    return typeof value === "string" && value !== "" ? value : undefined;
  } catch {
    return undefined;
  }
}

export interface TokenConfig {
  jwksURL: string;
  /** For projects that still sign with HS256. Without it, such tokens are refused. */
  legacySecret: string | undefined;
  /** If set, `iss` must match. With a custom domain it differs from `SUPABASE_URL`. */
  issuer: string | undefined;
}

export function tokenConfig(): TokenConfig {
  return {
    jwksURL: `${base("SUPABASE_URL")}/auth/v1/.well-known/jwks.json`,
    legacySecret: optional("LEGACY_JWT_SECRET"),
    issuer: optional("JWT_ISSUER"),
  };
}

export interface MuxConfig {
  url: string;
  tokenID: string;
  tokenSecret: string;
  timeoutMilliseconds: number;
  /** Only browsers evaluate it. */
  corsOrigin: string;
  /** The current name, and the previous one. */
  policyField: "playback_policies" | "playback_policy";
  videoQuality: "basic" | "plus" | "premium";
  resolution: "1080p" | "1440p" | "2160p";
  /** Free, but watermarked, limited to 10 s and deleted after a day. */
  testAssets: boolean;
}

export function muxConfig(): MuxConfig {
  return {
    url: base("MUX_BASE_URL", "https://api.mux.com"),
    tokenID: text("MUX_TOKEN_ID"),
    tokenSecret: text("MUX_TOKEN_SECRET"),
    timeoutMilliseconds: whole("MUX_TIMEOUT_MS", 10_000),
    corsOrigin: text("MUX_CORS_ORIGIN", "*"),
    policyField: oneOf("MUX_POLICY_FIELD", ["playback_policies", "playback_policy"]),
    videoQuality: oneOf("MUX_VIDEO_QUALITY", ["basic", "plus", "premium"]),
    resolution: oneOf("MUX_MAX_RESOLUTION", ["1080p", "1440p", "2160p"]),
    testAssets: oneOf("MUX_TEST_ASSETS", ["false", "true"]) === "true",
  };
}

export interface SigningConfig {
  keyID: string;
  /** The private key as Mux returns it (PEM in Base64), or as PEM. */
  key: string;
  /** The lifetime of tokens. */
  seconds: number;
  /** UNVERIFIED: whether Mux expects the parameters of images as JSON values or as texts. */
  parametersAs: "values" | "texts";
}

/** Null without a key: no tokens can be signed. */
export function signingConfig(): SigningConfig | null {
  const key = optional("MUX_SIGNING_KEY");
  if (key === undefined) return null;
  const seconds = whole("MUX_TOKEN_SECONDS", 300);
  if (seconds > 300) throw new ConfigError("MUX_TOKEN_SECONDS must be at most 300");
  return {
    keyID: text("MUX_SIGNING_KEY_ID"),
    key,
    seconds,
    parametersAs: oneOf("MUX_TOKEN_PARAMETERS", ["values", "texts"]),
  };
}

/** The servers of Mux that viewers use. */
export function viewingConfig(): { stream: string; image: string } {
  return {
    stream: base("MUX_STREAM_URL", "https://stream.mux.com"),
    image: base("MUX_IMAGE_URL", "https://image.mux.com"),
  };
}

/** The content of a highlight's `mux_playback_id`: the bare ID, or the URL of the stream, which the app's build plays. */
export function playbackAs(): "id" | "url" {
  return oneOf("MUX_PLAYBACK_AS", ["id", "url"]);
}

/** Comma-separated, because several are valid while a secret is replaced. */
export function webhookSecrets(): string[] {
  const secrets = text("MUX_WEBHOOK_SECRET").split(",").map((secret) => secret.trim()).filter((secret) =>
    secret !== ""
  );
  if (secrets.length === 0) throw new ConfigError("MUX_WEBHOOK_SECRET is not set");
  return secrets;
}

/** The secret of the sweep's caller. */
export function sweepSecret(): string {
  const secret = text("SWEEP_SECRET");
  if (secret.length < 16) throw new ConfigError("SWEEP_SECRET must have at least 16 characters");
  return secret;
}

export interface PushConfig {
  /** The content of Apple's `.p8` file. */
  key: string;
  keyID: string;
  teamID: string;
  /** The app's bundle ID. */
  topic: string;
  /** Replaces both of Apple's servers. */
  url: string | undefined;
  timeoutMilliseconds: number;
}

/** Null without a key: pushes are off. */
export function pushConfig(): PushConfig | null {
  const key = optional("APNS_KEY");
  if (key === undefined) return null;
  return {
    key,
    keyID: text("APNS_KEY_ID"),
    teamID: text("APNS_TEAM_ID"),
    topic: text("APNS_TOPIC"),
    url: optional("APNS_BASE_URL") === undefined ? undefined : base("APNS_BASE_URL"),
    timeoutMilliseconds: whole("APNS_TIMEOUT_MS", 10_000),
  };
}

export interface AppleConfig {
  /** The content of Apple's `.p8` file for Sign in with Apple. */
  key: string;
  keyID: string;
  teamID: string;
  /** The app's bundle ID. */
  clientID: string;
  url: string;
  timeoutMilliseconds: number;
}

/** Null without a key: access isn't revoked. */
export function appleConfig(): AppleConfig | null {
  const key = optional("APPLE_KEY");
  if (key === undefined) return null;
  return {
    key,
    keyID: text("APPLE_KEY_ID"),
    teamID: text("APPLE_TEAM_ID"),
    clientID: text("APPLE_CLIENT_ID"),
    url: base("APPLE_BASE_URL", "https://appleid.apple.com"),
    timeoutMilliseconds: whole("APPLE_TIMEOUT_MS", 10_000),
  };
}
