// Receives Mux's webhooks about uploads and assets. Mux repeats an event for a day unless the response is 2xx.

import { databaseConfig, playbackAs, webhookSecrets } from "../_shared/config.ts";
import { Database } from "../_shared/database.ts";
import { answering, bodyBytes, Failure, isObject, json, parseObject } from "../_shared/http.ts";
import { log } from "../_shared/log.ts";
import { isSignedByMux } from "../_shared/signature.ts";

const bodyLimit = 1024 * 1024;

Deno.serve(answering(async (request) => {
  if (request.method !== "POST") {
    throw new Failure(405, "method_not_allowed", ["this path accepts only POST"], { Allow: "POST" });
  }
  const secrets = webhookSecrets();
  // The signature covers the raw bytes.
  const body = await bodyBytes(request, bodyLimit);
  if (!await isSignedByMux(request.headers.get("mux-signature"), body, secrets)) {
    log("webhook_refused");
    throw new Failure(401, "unauthorized", ["the signature is missing, wrong or too old"]);
  }
  const event = parseObject(body);
  if (event === null || typeof event.id !== "string" || typeof event.type !== "string" || !isObject(event.data)) {
    throw Failure.invalid(400, ["the body is not an event"]);
  }
  const outcome = await new Database(databaseConfig()).call("apply_mux_event", {
    event_id: event.id,
    event_type: event.type,
    data: event.data,
    playback_as: playbackAs(),
  });
  log("webhook", { type: event.type, id: event.id, outcome: `${outcome}` });
  return json({ outcome });
}));
