import type { MuxConfig } from "./config.ts";
import { isObject, type JSONObject } from "./http.ts";
import { log, nameOf } from "./log.ts";

/** A failed request to Mux. */
export class MuxError extends Error {
  constructor(
    readonly kind: "lost" | "refused" | "limited" | "missing",
    readonly status: number,
    readonly retryAfterSeconds: number | undefined = undefined,
  ) {
    super(`${kind} ${status}`);
  }
}

export interface MuxUpload extends JSONObject {
  id: string;
  status: string;
  url?: string;
  asset_id?: string;
}

export interface MuxAsset extends JSONObject {
  id: string;
  status: string;
}

/** Whether a playback ID works without a token. */
export type Policy = "public" | "signed";

/** A client for the parts of Mux's REST API that the functions use. Every request has a timeout. */
export class Mux {
  private readonly authorization: string;

  constructor(private readonly config: MuxConfig) {
    this.authorization = `Basic ${btoa(`${config.tokenID}:${config.tokenSecret}`)}`;
  }

  /** Not idempotent: after `lost`, the upload may exist. */
  async createUpload(passthrough: string, timeoutSeconds: number, policy: Policy): Promise<MuxUpload> {
    const { config } = this;
    return this.upload(
      await this.call("POST", "uploads", {
        cors_origin: config.corsOrigin,
        timeout: timeoutSeconds,
        test: config.testAssets,
        new_asset_settings: {
          [config.policyField]: [policy],
          video_quality: config.videoQuality,
          max_resolution_tier: config.resolution,
          passthrough,
        },
      }),
    );
  }

  /** The waiting upload with a passthrough among the newest uploads. Mux lists the newest first. */
  async findUpload(passthrough: string): Promise<MuxUpload | null> {
    const uploads = await this.call("GET", "uploads?limit=100&page=1");
    for (const upload of Array.isArray(uploads) ? uploads : []) {
      if (!isObject(upload) || upload.status !== "waiting" || !isObject(upload.new_asset_settings)) continue;
      if (upload.new_asset_settings.passthrough !== passthrough) continue;
      const whole = this.upload(upload);
      // `url` is optional and may be missing in a list.
      return whole.url === undefined ? await this.getUpload(whole.id) : whole;
    }
    return null;
  }

  async getUpload(id: string): Promise<MuxUpload> {
    return this.upload(await this.call("GET", `uploads/${encodeURIComponent(id)}`));
  }

  /** Works only for a waiting upload. */
  async cancelUpload(id: string): Promise<void> {
    await this.call("PUT", `uploads/${encodeURIComponent(id)}/cancel`);
  }

  async getAsset(id: string): Promise<MuxAsset> {
    return this.asset(await this.call("GET", `assets/${encodeURIComponent(id)}`));
  }

  async assetOfUpload(uploadID: string): Promise<MuxAsset | null> {
    const assets = await this.call("GET", `assets?limit=1&upload_id=${encodeURIComponent(uploadID)}`);
    const first: unknown = Array.isArray(assets) ? assets[0] : undefined;
    // If Mux ignored the filter, it would return every asset.
    return isObject(first) && first.upload_id === uploadID ? this.asset(first) : null;
  }

  async deleteAsset(id: string): Promise<void> {
    await this.call("DELETE", `assets/${encodeURIComponent(id)}`);
  }

  /** A new asset with a part of another one. Not idempotent: after `lost`, it may exist. */
  async createClip(asset: string, from: number, to: number, passthrough: string, policy: Policy): Promise<MuxAsset> {
    const { config } = this;
    const input = [{ url: `mux://assets/${asset}`, start_time: from, end_time: to }];
    return this.asset(
      await this.call("POST", "assets", {
        // Mux renamed both fields together.
        [config.policyField === "playback_policies" ? "inputs" : "input"]: input,
        [config.policyField]: [policy],
        video_quality: config.videoQuality,
        max_resolution_tier: config.resolution,
        passthrough,
        test: config.testAssets,
      }),
    );
  }

  /** Not idempotent: after `lost`, the ID may exist. */
  async createPlaybackID(asset: string, policy: Policy): Promise<string> {
    const created = await this.call("POST", `assets/${encodeURIComponent(asset)}/playback-ids`, { policy });
    if (isObject(created) && typeof created.id === "string") return created.id;
    throw new MuxError("lost", 200);
  }

  async deletePlaybackID(asset: string, id: string): Promise<void> {
    await this.call("DELETE", `assets/${encodeURIComponent(asset)}/playback-ids/${encodeURIComponent(id)}`);
  }

  /** The `data` of the response. */
  private async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { url, timeoutMilliseconds } = this.config;
    // Only the first path component, so that names in the log contain no IDs.
    const call = `${method} ${path.split(/[/?]/, 1)[0]}`;
    let response: Response, text: string;
    try {
      response = await fetch(`${url}/video/v1/${path}`, {
        method,
        headers: { Authorization: this.authorization, Accept: "application/json", "Content-Type": "application/json" },
        // Deno's `fetch` resends a request, even a POST, when a reused connection breaks, unless its body is a stream.
        body: body === undefined ? null : new Blob([JSON.stringify(body)]).stream(),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      text = await response.text();
    } catch (error) {
      log("mux_lost", { call, kind: nameOf(error) });
      throw new MuxError("lost", 0);
    }
    if (response.ok) return text === "" ? null : this.data(call, text);
    log("mux_refused", { call, status: response.status, ...reason(text) });
    const kind = response.status === 429
      ? "limited"
      : response.status >= 500 || response.status === 408
      ? "lost"
      : response.status === 404
      ? "missing"
      : "refused";
    throw new MuxError(kind, response.status, retryAfter(response));
  }

  private data(call: string, text: string): unknown {
    try {
      const answer: unknown = JSON.parse(text);
      if (isObject(answer)) return answer.data;
    } catch {
      // See above.
    }
    log("mux_unreadable", { call });
    throw new MuxError("lost", 200);
  }

  private upload(value: unknown): MuxUpload {
    if (isObject(value) && typeof value.id === "string" && typeof value.status === "string") return value as MuxUpload;
    throw new MuxError("lost", 200);
  }

  private asset(value: unknown): MuxAsset {
    if (isObject(value) && typeof value.id === "string" && typeof value.status === "string") return value as MuxAsset;
    throw new MuxError("lost", 200);
  }
}

function retryAfter(response: Response): number | undefined {
  const text = response.headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), 3600) : undefined;
}

/** Mux's error message for the log: `{"error":{"type","messages"}}`. */
function reason(text: string): { type?: string; message?: string } {
  try {
    const error: unknown = JSON.parse(text).error;
    if (!isObject(error)) return {};
    const messages = Array.isArray(error.messages) ? error.messages : [];
    return { type: `${error.type}`.slice(0, 100), message: messages.map(String).join("; ").slice(0, 300) };
  } catch {
    return {};
  }
}

/** The IDs with a policy among the playback IDs of an asset. */
export function playbackIDs(asset: MuxAsset, policy: Policy): string[] {
  const entries = Array.isArray(asset.playback_ids) ? asset.playback_ids.filter(isObject) : [];
  return entries.filter((entry) => entry.policy === policy && typeof entry.id === "string").map((entry) =>
    entry.id as string
  );
}

export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
