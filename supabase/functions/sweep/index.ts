// Called by a schedule every few minutes: repairs the effects of lost webhooks, ends expired uploads, shows highlights of
// the app whose video is in the Storage, runs the jobs of the social layer, deletes accounts whose grace period has ended,
// and removes their files in the Storage and unneeded objects at Mux. Every step can be interrupted, and the next call
// continues it.

import {
  type DatabaseConfig,
  databaseConfig,
  muxConfig,
  playbackAs,
  signingConfig,
  sweepSecret,
} from "../_shared/config.ts";
import { Database, DatabaseError } from "../_shared/database.ts";
import { removeFiles } from "../_shared/files.ts";
import { answering, Failure, isObject, json, type JSONObject } from "../_shared/http.ts";
import { log, nameOf } from "../_shared/log.ts";
import { Mux, type MuxAsset, MuxError, pause, playbackIDs } from "../_shared/mux.ts";
import { bearer, sameSecret } from "../_shared/secrets.ts";

/** Supabase ends a request after 150 s. The next call does the rest. */
const budgetMilliseconds = 90_000;
/** Mux allows about one sustained request per second per token, and short bursts. */
const pauseSeconds = 0.2;
const maximumChecks = 50;
const maximumLeftovers = 100;
const maximumPlaybackChanges = 50;
/** The Storage's API accepts 1000 names. */
const maximumFiles = 500;
/** Counters that waited for a row, views, the tags and teams of the search, and notifications older than 90 days. */
const socialJobs = ["fold_counters", "aggregate_views", "refresh_labels", "forget_old_notifications"];
/** An upload that Mux doesn't know after this time is lost, not delayed. */
const giveUpMilliseconds = 24 * 3_600_000;

Deno.serve(answering(async (request) => {
  if (request.method !== "POST") {
    throw new Failure(405, "method_not_allowed", ["this path accepts only POST"], { Allow: "POST" });
  }
  // A gateway may require its own token in `Authorization`.
  const given = request.headers.get("x-sweep-secret") ?? bearer(request);
  if (!await sameSecret(given ?? "", sweepSecret())) throw new Failure(401, "unauthorized", ["the secret is wrong"]);
  const sweep = new Sweep(databaseConfig(), new Mux(muxConfig()), playbackAs());
  const report = await sweep.run();
  log("sweep", report);
  return json(report);
}));

/** The columns of `uploads_to_check` that the sweep uses. */
interface Unfinished {
  id: string;
  mux_upload_id: string;
  created_at: string;
}

class Sweep {
  private readonly ends = performance.now() + budgetMilliseconds;
  /** Whether Mux has limited the rate or is unreachable. Ends all requests to Mux in this run. */
  private isMuxUnavailable = false;
  private readonly report = {
    checked: 0,
    repaired: 0,
    timed_out: 0,
    shown: 0,
    deleted_accounts: 0,
    removed_files: 0,
    changed_playback: 0,
    removed: 0,
    failed: 0,
  };

  private readonly database: Database;

  constructor(
    private readonly project: DatabaseConfig,
    private readonly mux: Mux,
    private readonly playbackAs: string,
  ) {
    this.database = new Database(project);
  }

  async run(): Promise<typeof this.report> {
    // First, because an upload that has arrived at Mux must not time out.
    await this.step("repair", () => this.repair());
    await this.step("repair_trims", () => this.repairTrims());
    await this.step("time_out", async () => {
      this.report.timed_out = Number(await this.database.call("time_out_uploads"));
    });
    await this.step("show", async () => {
      this.report.shown = Number(
        await this.database.call("show_playable_highlights", { project_url: this.project.url }),
      );
    });
    for (const job of socialJobs) await this.step(job, async () => void await this.database.call(job));
    if (signingConfig() !== null) {
      await this.step("close_videos", async () => void await this.database.call("close_videos"));
    }
    await this.step("playback", () => this.changePlayback());
    // Before the leftovers, so that those of deleted accounts are removed in the same run.
    await this.step("accounts", () => this.deleteAccounts());
    await this.step("files", () => this.removeFiles());
    await this.step("leftovers", () => this.removeLeftovers());
    return this.report;
  }

  /** Runs one step. A failure doesn't prevent the others. */
  private async step(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.report.failed++;
      log("sweep_failed", { step: name, kind: error instanceof Failure ? error.type : nameOf(error) });
    }
  }

  private get hasTime(): boolean {
    return performance.now() < this.ends;
  }

  /** Processes one object at Mux. Returns whether there is time for another one. */
  private async each(id: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof MuxError || error instanceof DatabaseError)) throw error;
      this.report.failed++;
      log("sweep_failed", { id, kind: error instanceof MuxError ? error.kind : error.code });
      if (error instanceof MuxError && (error.kind === "limited" || error.kind === "lost")) {
        this.isMuxUnavailable = true;
      }
    }
    if (this.isMuxUnavailable || !this.hasTime) return false;
    await pause(pauseSeconds);
    return true;
  }

  // Lost webhooks

  private async repair(): Promise<void> {
    const uploads = await this.database.call("uploads_to_check", { max_rows: maximumChecks });
    for (const upload of Array.isArray(uploads) ? uploads as Unfinished[] : []) {
      this.report.checked++;
      if (!await this.each(upload.id, () => this.check(upload))) break;
    }
  }

  private async repairTrims(): Promise<void> {
    if (this.isMuxUnavailable) return;
    const trims = await this.database.call("trims_to_check");
    for (const trim of Array.isArray(trims) ? trims as { id: string; mux_asset_id: string }[] : []) {
      this.report.checked++;
      const continues = await this.each(trim.id, async () => {
        const asset = await missingIsNull(this.mux.getAsset(trim.mux_asset_id)) ??
          {
            id: trim.mux_asset_id,
            status: "errored",
            errors: { type: "missing", messages: ["the asset was deleted"] },
          };
        await this.applyState({ ...asset, passthrough: trim.id });
      });
      if (!continues) break;
    }
  }

  private async check(upload: Unfinished): Promise<void> {
    const known = await missingIsNull(this.mux.getUpload(upload.mux_upload_id));
    if (known === null) {
      // A token of another environment doesn't see it either, so wait.
      if (Date.now() - Date.parse(upload.created_at) < giveUpMilliseconds) return;
      return await this.apply("video.upload.errored", {
        id: upload.mux_upload_id,
        error: { type: "missing", message: "Mux no longer knows the upload" },
      });
    }
    switch (known.status) {
      case "asset_created":
        return await this.checkAsset(known);
      case "errored":
      case "cancelled":
        return await this.apply(`video.upload.${known.status}`, known);
      default:
        // Waiting, or timed out at Mux and soon here.
        return;
    }
  }

  private async checkAsset(upload: JSONObject & { id: string; asset_id?: string }): Promise<void> {
    const asset = upload.asset_id === undefined
      ? await this.mux.assetOfUpload(upload.id)
      : await missingIsNull(this.mux.getAsset(upload.asset_id));
    if (asset === null) {
      if (upload.asset_id === undefined) return;
      return await this.apply("video.asset.errored", {
        id: upload.asset_id,
        upload_id: upload.id,
        errors: { type: "missing", messages: ["the asset was deleted"] },
      });
    }
    await this.applyState({ ...asset, upload_id: upload.id });
  }

  private async applyState(asset: MuxAsset): Promise<void> {
    const type = asset.status === "ready" || asset.status === "errored" ? asset.status : "created";
    await this.apply(`video.asset.${type}`, asset);
  }

  /** Applies the asset's state like an event of its webhook. */
  private async apply(type: string, data: JSONObject): Promise<void> {
    const outcome = await this.database.call("apply_mux_event", {
      event_id: `sweep-${crypto.randomUUID()}`,
      event_type: type,
      data,
      playback_as: this.playbackAs,
    });
    if (outcome === "published" || outcome === "errored") this.report.repaired++;
  }

  // Accounts

  private async deleteAccounts(): Promise<void> {
    while (this.hasTime) {
      const accounts = await this.database.call("delete_expired_accounts", {});
      if (!Array.isArray(accounts) || accounts.length === 0) return;
      this.report.deleted_accounts += accounts.length;
      for (const account of accounts) log("account_deleted", { account: `${account}` });
    }
  }

  /** Removes files of deleted accounts. The next run removes those that are left. */
  private async removeFiles(): Promise<void> {
    const files = await this.database.call("leftover_files", { max_rows: maximumFiles });
    const names = new Map<string, string[]>();
    for (const { bucket, name } of Array.isArray(files) ? files as { bucket: string; name: string }[] : []) {
      names.set(bucket, [...names.get(bucket) ?? [], name]);
    }
    for (const [bucket, list] of names) {
      await this.step(`files of ${bucket}`, async () => {
        this.report.removed_files += await removeFiles(this.project, bucket, list);
      });
    }
  }

  // Playback IDs

  private async changePlayback(): Promise<void> {
    if (this.isMuxUnavailable) return;
    const changes = await this.database.call("playback_changes", { max_rows: maximumPlaybackChanges });
    for (const change of Array.isArray(changes) ? changes as { mux_asset_id: string; is_closed: boolean }[] : []) {
      if (!await this.each(change.mux_asset_id, () => this.change(change.mux_asset_id, change.is_closed))) break;
    }
  }

  /** Makes an asset's IDs what its highlight needs. Reads them first, because an earlier call may have been interrupted. */
  private async change(id: string, isClosed: boolean): Promise<void> {
    const asset = await missingIsNull(this.mux.getAsset(id));
    // The webhook of a deleted asset changes nothing, so nothing would end the repetition.
    if (asset === null) return log("playback_asset_missing", { asset: id });
    const [wanted, unwanted] = isClosed ? ["signed", "public"] as const : ["public", "signed"] as const;
    const remove = async () => {
      for (const old of playbackIDs(asset, unwanted)) await missingIsNull(this.mux.deletePlaybackID(id, old));
    };
    // Closing comes before everything else. Opening keeps the signed ID until the public one can be used.
    if (isClosed) await remove();
    const known = playbackIDs(asset, wanted)[0] ?? await this.mux.createPlaybackID(id, wanted);
    const record = { asset: id, public_id: isClosed ? null : known, signed_id: isClosed ? known : null };
    await this.database.call("record_playback", record);
    if (!isClosed) await remove();
    this.report.changed_playback++;
  }

  // Leftovers at Mux

  private async removeLeftovers(): Promise<void> {
    if (this.isMuxUnavailable) return;
    const leftovers = await this.database.call("mux_leftovers", { max_rows: maximumLeftovers });
    for (const leftover of Array.isArray(leftovers) ? leftovers : []) {
      if (!isObject(leftover)) continue;
      const { kind, id } = leftover as { kind: string; id: string };
      const continues = await this.each(id, async () => {
        if (kind === "asset" ? !await this.removeAsset(id) : !await this.removeUpload(id)) return;
        await this.database.call("forget_mux_leftover", { kind, id });
        this.report.removed++;
      });
      if (!continues) break;
    }
  }

  private async removeAsset(id: string): Promise<boolean> {
    await missingIsNull(this.mux.deleteAsset(id));
    return true;
  }

  /** Cancels an upload, or deletes its asset if the upload was completed first. */
  private async removeUpload(id: string): Promise<boolean> {
    try {
      await missingIsNull(this.mux.cancelUpload(id));
      return true;
    } catch (error) {
      if (!(error instanceof MuxError) || error.kind !== "refused") throw error;
    }
    const upload = await missingIsNull(this.mux.getUpload(id));
    if (upload === null) return true;
    if (upload.status === "waiting") return false;
    if (upload.status !== "asset_created") return true;
    const asset = upload.asset_id ?? (await this.mux.assetOfUpload(id))?.id;
    return asset !== undefined && await this.removeAsset(asset);
  }
}

async function missingIsNull<Value>(promise: Promise<Value>): Promise<Value | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof MuxError && error.kind === "missing") return null;
    throw error;
  }
}
