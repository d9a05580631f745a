// `POST /uploads`, `GET /uploads/{id}`, `POST /uploads/{id}/cancel`: opens uploads, reports their state and cancels them.

import { databaseConfig, muxConfig, tokenConfig } from "../_shared/config.ts";
import { Database, DatabaseError } from "../_shared/database.ts";
import { draftOf, isTimeout, problemsOf, textsOf, timeoutOf } from "../_shared/draft.ts";
import { answering, bodyBytes, Failure, isObject, json, parseObject, withCORS } from "../_shared/http.ts";
import { uuidPattern, verifiedUser } from "../_shared/jwt.ts";
import { log } from "../_shared/log.ts";
import { Mux, MuxError, type MuxUpload, pause, type Policy } from "../_shared/mux.ts";
import { bearer } from "../_shared/secrets.ts";

/** Fits a caption of 2,200 characters with many bytes each, and its tags. */
const bodyLimit = 256 * 1024;
/** The longest `Retry-After` of Mux that the function waits for itself. */
const longestPauseSeconds = 3;

/** The result of `create_upload` and `record_mux_upload`. */
interface Ticket {
  outcome: string;
  id: string;
  url: string | null;
  expires_at: number;
  /** Of the new asset's playback ID. */
  policy: Policy;
}

Deno.serve(withCORS(answering(async (request) => {
  const url = new URL(request.url);
  // The gateway removes its prefix, other servers don't.
  const path = /^(?:\/functions\/v1)?\/uploads(?:\/([^/]+)(\/cancel)?)?\/?$/.exec(url.pathname);
  if (path === null) throw Failure.notFound("the path");
  const [, id, cancel] = path;
  const method = id === undefined || cancel !== undefined ? "POST" : "GET";
  if (request.method !== method) {
    throw new Failure(405, "method_not_allowed", [`this path accepts only ${method}`], { Allow: `${method}, OPTIONS` });
  }
  const author = await verifiedUser(bearer(request), tokenConfig());
  const database = new Database(databaseConfig());
  if (id === undefined) return await open(request, url, author, database);
  // Text that isn't a UUID can't be an ID.
  if (!uuidPattern.test(id)) throw Failure.notFound("the upload");
  if (cancel !== undefined) await cancelUpload(id, author, database);
  return json(await state(id, author, database));
})));

async function open(request: Request, url: URL, author: string, database: Database): Promise<Response> {
  const key = request.headers.get("idempotency-key") ?? "";
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw Failure.invalid(400, ["an Idempotency-Key header of 1 to 255 bytes is required"]);
  }
  const body = parseObject(await bodyBytes(request, bodyLimit));
  if (body === null) throw Failure.invalid(400, ["the body has an invalid value"]);
  const draft = draftOf(body);
  const timeout = timeoutOf(url, body);
  const problems = problemsOf(draft);
  if (!isTimeout(timeout)) problems.push("timeout must be 60 to 604800 s");
  if (problems.length > 0) throw Failure.invalid(422, problems);

  // Before anything is stored, so that a missing setting leaves no waiting uploads.
  const mux = new Mux(muxConfig());
  const stored = await create(database, {
    author,
    idempotency_key: key,
    draft,
    timeout_seconds: timeout,
  });
  const isNew = stored.outcome === "created";
  let ticket = stored;
  if (stored.url === null) {
    const upload = isNew ? await createUpload(mux, stored, timeout) : await adoptUpload(mux, stored, timeout);
    ticket = await record(database, stored.id, upload);
  }
  return json({ id: ticket.id, url: ticket.url, expires_at: ticket.expires_at }, isNew ? 201 : 200);
}

async function create(database: Database, parameters: Record<string, unknown>): Promise<Ticket> {
  let stored: Ticket;
  try {
    stored = await database.call("create_upload", parameters) as Ticket;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    // A token may outlive its account.
    if (error.code === "23503") throw new Failure(403, "not_allowed", ["the account does not exist"]);
    const field = error.constraint?.replace(/^uploads_/, "").replace(/_check$/, "") ?? "the draft";
    throw Failure.invalid(422, [`${field} violates a rule`]);
  }
  switch (stored.outcome) {
    case "created":
    case "repeated":
      return stored;
    case "different_draft":
      throw new Failure(409, "idempotency_conflict", [
        "this Idempotency-Key belongs to a waiting upload of another draft",
      ]);
    case "different_post":
      throw new Failure(409, "different_post", [
        "the highlight's other clips belong to a post with a different number of clips",
      ]);
    case "highlight_exists":
      throw new Failure(409, "already_registered", ["the highlight already exists"]);
    default:
      throw new Failure(409, "highlight_taken", ["the highlight's ID belongs to another account"]);
  }
}

interface NewUpload {
  upload: MuxUpload;
  expiresAt: number;
}

/** Creates a Mux upload. If the response is lost, searches for it before creating another one. */
async function createUpload(mux: Mux, ticket: Ticket, timeout: number, tries = 2): Promise<NewUpload> {
  // Computed before the request, so that the URL doesn't expire earlier.
  const expiresAt = Math.floor(Date.now() / 1000) + timeout;
  try {
    return { upload: await mux.createUpload(ticket.id, timeout, ticket.policy), expiresAt };
  } catch (error) {
    if (!(error instanceof MuxError)) throw error;
    if (tries <= 1) throw refusal(error);
    if (error.kind === "limited") {
      // The request was certainly not executed.
      if ((error.retryAfterSeconds ?? 1) > longestPauseSeconds) throw refusal(error);
      await pause(error.retryAfterSeconds ?? 1);
    } else if (error.kind === "lost") {
      const upload = await findUpload(mux, ticket.id);
      if (upload !== null) return { upload, expiresAt };
    } else {
      throw refusal(error);
    }
    return createUpload(mux, ticket, timeout, tries - 1);
  }
}

/** Another request stored the draft and was interrupted, or is still running, so its Mux upload may exist. */
async function adoptUpload(mux: Mux, stored: Ticket, timeout: number): Promise<NewUpload> {
  const upload = await findUpload(mux, stored.id);
  return upload === null ? createUpload(mux, stored, timeout) : { upload, expiresAt: stored.expires_at };
}

async function findUpload(mux: Mux, id: string): Promise<MuxUpload | null> {
  try {
    const upload = await mux.findUpload(id);
    if (upload !== null) log("mux_upload_found", { upload: id });
    return upload;
  } catch (error) {
    // The client retries with the same key. No unknown upload is created.
    throw error instanceof MuxError ? refusal(error) : error;
  }
}

function refusal(error: MuxError): Failure {
  switch (error.kind) {
    case "limited":
      return new Failure(429, "rate_limited", ["too many uploads are being created; try again later"], {
        "Retry-After": `${error.retryAfterSeconds ?? 5}`,
      });
    case "lost":
      return Failure.unavailable("Mux");
    default:
      // The reason concerns the project (a plan's limit, a wrong token) and is in the log.
      return new Failure(502, "mux_refused", ["Mux does not accept uploads at the moment"]);
  }
}

async function record(database: Database, id: string, { upload, expiresAt }: NewUpload): Promise<Ticket> {
  if (upload.url === undefined) throw Failure.unavailable("Mux");
  const ticket = await database.call("record_mux_upload", {
    upload_id: id,
    mux_upload_id: upload.id,
    url: upload.url,
    expires_at: new Date(expiresAt * 1000).toISOString(),
  }) as Ticket | null;
  // Null if the account was deleted. Without a URL, the upload was cancelled, superseded or finished in the meantime.
  if (ticket === null) throw Failure.notFound("the upload");
  if (ticket.url === null) throw new Failure(409, "not_waiting", ["the upload has ended in the meantime"]);
  return ticket;
}

async function state(id: string, author: string, database: Database): Promise<Record<string, unknown>> {
  const row = await database.call("upload_state", { author, upload_id: id });
  // Uploads of other accounts look missing.
  if (!isObject(row)) throw Failure.notFound("the upload");
  const { non_standard_input_reasons: reasons, ...rest } = row;
  const known = Object.entries(rest).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(known), non_standard_input_reasons: textsOf(reasons) };
}

/** Cancels an upload. The sweep cancels it at Mux; until then its events are ignored. */
async function cancelUpload(id: string, author: string, database: Database): Promise<void> {
  const outcome = await database.call("cancel_upload", { author, upload_id: id });
  if (outcome === null) throw Failure.notFound("the upload");
  if (outcome === "cancelled") return;
  const { status } = await state(id, author, database);
  throw new Failure(409, "not_waiting", [`only a waiting upload can be cancelled; this one is ${status}`]);
}
