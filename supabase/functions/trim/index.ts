// `POST /trim`, `GET /trim/{id}`: shortens a highlight of the caller to a part of its video. Mux makes a clip of the asset, and
// the webhook gives it to the highlight, which keeps its ID, likes and comments. The body is
// `{"highlight_id": …, "from": seconds, "to": seconds}`.

import { databaseConfig, muxConfig, tokenConfig } from "../_shared/config.ts";
import { Database } from "../_shared/database.ts";
import { answering, bodyBytes, Failure, isObject, json, parseObject, withCORS } from "../_shared/http.ts";
import { uuidPattern, verifiedUser } from "../_shared/jwt.ts";
import { Mux, MuxError, type Policy } from "../_shared/mux.ts";
import { bearer } from "../_shared/secrets.ts";

interface Ticket {
  outcome: string;
  id: string;
  asset_id: string;
  is_known: boolean;
  policy: Policy;
}

const refusals: Record<string, [status: number, type: string, message: string]> = {
  not_found: [404, "not_found", "the highlight does not exist"],
  no_asset: [409, "not_trimmable", "the highlight's video is not ready at Mux"],
  several_clips: [409, "not_trimmable", "the highlight has several clips"],
  outside: [422, "invalid_parameters", "from and to must be within the video"],
  length: [422, "invalid_parameters", "a rally must last 3 to 60 s"],
};

Deno.serve(withCORS(answering(async (request) => {
  const path = /^(?:\/functions\/v1)?\/trim(?:\/([^/]+))?\/?$/.exec(new URL(request.url).pathname);
  if (path === null) throw Failure.notFound("the path");
  const id = path[1];
  const method = id === undefined ? "POST" : "GET";
  if (request.method !== method) {
    throw new Failure(405, "method_not_allowed", [`this path accepts only ${method}`], { Allow: `${method}, OPTIONS` });
  }
  const author = await verifiedUser(bearer(request), tokenConfig());
  const database = new Database(databaseConfig());
  if (id === undefined) return await start(request, author, database);
  const state = uuidPattern.test(id) ? await database.call("trim_state", { author, trim_id: id }) : null;
  // Trims of other accounts look missing.
  if (!isObject(state)) throw Failure.notFound("the trim");
  return json(Object.fromEntries(Object.entries(state).filter(([, value]) => value !== null)));
})));

async function start(request: Request, author: string, database: Database): Promise<Response> {
  const body = parseObject(await bodyBytes(request, 4096));
  const { highlight_id: highlight, from, to } = body ?? {};
  if (
    typeof highlight !== "string" || !uuidPattern.test(highlight) || typeof from !== "number" ||
    typeof to !== "number" ||
    !Number.isFinite(from) || !Number.isFinite(to)
  ) {
    throw Failure.invalid(400, ["highlight_id, from and to are required"]);
  }
  const mux = new Mux(muxConfig());
  const ticket = await database.call("create_trim", {
    author,
    highlight,
    start_seconds: from,
    end_seconds: to,
  }) as Ticket;
  const refusal = refusals[ticket.outcome];
  if (refusal !== undefined) throw new Failure(refusal[0], refusal[1], [refusal[2]]);
  // A repeated request creates the clip only if the first one failed. If its response was lost, the database keeps one clip.
  if (!ticket.is_known) {
    const asset = await create(mux, ticket, from, to);
    await database.call("record_trim", { trim_id: ticket.id, asset });
  }
  return json({ id: ticket.id, highlight_id: highlight.toLowerCase(), status: "waiting" }, 202);
}

async function create(mux: Mux, ticket: Ticket, from: number, to: number): Promise<string> {
  try {
    return (await mux.createClip(ticket.asset_id, from, to, ticket.id, ticket.policy)).id;
  } catch (error) {
    if (!(error instanceof MuxError)) throw error;
    if (error.kind === "limited") {
      throw new Failure(429, "rate_limited", ["too many clips are being created; try again later"], {
        "Retry-After": `${error.retryAfterSeconds ?? 5}`,
      });
    }
    if (error.kind === "lost") throw Failure.unavailable("Mux");
    throw new Failure(502, "mux_refused", ["Mux does not accept the clip"]);
  }
}
