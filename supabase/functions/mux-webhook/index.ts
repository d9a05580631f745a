// What Mux tells about uploads and assets. Any answer but 2xx is repeated by Mux for a day.

import { databaseConfig, playbackAs, webhookSecrets } from "../_shared/config.ts";
import { Database } from "../_shared/database.ts";
import { answering, bodyBytes, Failure, isObject, json, parseObject } from "../_shared/http.ts";
import { log } from "../_shared/log.ts";
import { isSignedByMux } from "../_shared/signature.ts";

const bodyLimit = 1024 * 1024;

Deno.serve(answering(async (request) => {
  if (request.method !== "POST") {
    throw new Failure(405, "method_not_allowed", ["this path takes POST"], { Allow: "POST" });
  }
  const secrets = webhookSecrets();
  // The bytes as they came are what is signed.
  const body = await bodyBytes(request, bodyLimit);
  if (!await isSignedByMux(request.headers.get("mux-signature"), body, secrets)) {
    log("webhook_refused");
    throw new Failure(401, "unauthorized", ["the signature is missing, wrong or too old"]);
  }
  const event = parseObject(body);
  if (event === null || typeof event.id !== "string" || typeof event.type !== "string" || !isObject(event.data)) {
    throw Failure.invalid(400, ["this is no event"]);
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
