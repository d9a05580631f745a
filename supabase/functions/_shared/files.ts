import type { DatabaseConfig } from "./config.ts";
import { serviceHeaders } from "./database.ts";
import { Failure } from "./http.ts";
import { log, nameOf } from "./log.ts";

/** Removes files of a bucket through the Storage's API, with the service role. Returns their count. */
export async function removeFiles(config: DatabaseConfig, bucket: string, names: string[]): Promise<number> {
  try {
    const response = await fetch(`${config.url}/storage/v1/object/${encodeURIComponent(bucket)}`, {
      method: "DELETE",
      headers: serviceHeaders(config),
      body: JSON.stringify({ prefixes: names }),
      redirect: "error",
      signal: AbortSignal.timeout(config.timeoutMilliseconds),
    });
    const text = await response.text();
    if (response.ok) {
      const removed: unknown = JSON.parse(text);
      return Array.isArray(removed) ? removed.length : 0;
    }
    log("storage_refused", { bucket, status: response.status });
  } catch (error) {
    log("storage_failed", { bucket, kind: nameOf(error) });
  }
  throw Failure.unavailable("the Storage");
}
