// Called by a schedule every minute: sends new notifications to the devices of their recipients. Off without a key, and then
// the notifications stay where they are.

import { databaseConfig, pushConfig, sweepSecret } from "../_shared/config.ts";
import { APNs, type Outcome, type Push } from "../_shared/apns.ts";
import { Database } from "../_shared/database.ts";
import { answering, Failure, json } from "../_shared/http.ts";
import { log } from "../_shared/log.ts";
import { bearer, sameSecret } from "../_shared/secrets.ts";

/** Supabase ends a request after 150 s. */
const budgetMilliseconds = 60_000;
/** A crash loses at most these. */
const batch = 50;

Deno.serve(answering(async (request) => {
  if (request.method !== "POST") {
    throw new Failure(405, "method_not_allowed", ["this path accepts only POST"], { Allow: "POST" });
  }
  const given = request.headers.get("x-sweep-secret") ?? bearer(request);
  if (!await sameSecret(given ?? "", sweepSecret())) throw new Failure(401, "unauthorized", ["the secret is wrong"]);
  const config = pushConfig();
  const report = { enabled: config !== null, sent: 0, gone: 0, refused: 0, failed: 0 };
  if (config === null) return json(report);
  const database = new Database(databaseConfig());
  const apns = new APNs(config);
  const ends = performance.now() + budgetMilliseconds;
  while (performance.now() < ends && report.refused === 0) {
    const pushes = await database.call("take_pushes", { max_rows: batch }) as Push[];
    const outcomes: Outcome[] = await Promise.all(pushes.map((push) => apns.send(push)));
    for (const [index, outcome] of outcomes.entries()) {
      report[outcome]++;
      if (outcome === "gone") await database.call("drop_device", { token: pushes[index]!.token });
    }
    if (pushes.length === 0) break;
  }
  log("push", report);
  return json(report);
}));
