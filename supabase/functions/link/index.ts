// `POST /link`: the content of a link that was sent to a coach, and the addresses of its video, for everyone who has the link.
// The body is `{"token": …}`, the last part of the link's address.
//
// An opening is counted, except that of a member of the family who sends an access token, that of a program, and one with
// `"is_counted": false`, which a page sends when it needs new addresses.

import { databaseConfig, tokenConfig, viewingConfig } from "../_shared/config.ts";
import { Database, DatabaseError } from "../_shared/database.ts";
import { answering, bodyBytes, Failure, json, parseObject, withCORS } from "../_shared/http.ts";
import { verifiedUser } from "../_shared/jwt.ts";
import { Playback, standardThumbnail } from "../_shared/playback.ts";
import { bearer } from "../_shared/secrets.ts";

interface Clip {
  playback_id: string | null;
  is_signed: boolean;
}

interface OpenedLink {
  caption: string | null;
  display_name: string;
  team_name: string | null;
  expires_at: string;
  /** Null for a video that Mux doesn't have. */
  clips: Clip[] | null;
  /** A bare ID, or the URL of a stream. */
  mux_playback_id: string | null;
  video_urls: string[] | null;
}

/** Programs that load a link before a person opens it: previews of messengers, search engines and prefetching. */
const programs = ["bot", "crawl", "spider", "preview", "facebookexternalhit", "whatsapp"];

Deno.serve(withCORS(answering(async (request) => {
  if (request.method !== "POST") {
    throw new Failure(405, "method_not_allowed", ["this path accepts only POST"], { Allow: "POST, OPTIONS" });
  }
  const body = parseObject(await bodyBytes(request, 4096));
  const { token, is_counted: isCounted = true } = body ?? {};
  if (typeof token !== "string" || typeof isCounted !== "boolean") throw Failure.invalid(400, ["token is required"]);
  const user = await viewer(request);
  const link = await open(token, user, false);
  const playback = new Playback();
  const clips = link.clips === null ? elsewhere(link).map((video) => ({ video })) : addresses(link.clips, playback);
  // An opening without addresses doesn't count.
  if (isCounted && isPerson(request)) await open(token, user, true);
  const { caption, display_name, team_name, expires_at } = link;
  return json({ caption, display_name, team_name, link_expires_at: expires_at, expires_at: playback.expiresAt, clips });
})));

/** The signed-in user. Supabase's clients send the project's key instead of a token if there is none. */
async function viewer(request: Request): Promise<string | null> {
  const token = bearer(request);
  if (token === null) return null;
  try {
    return await verifiedUser(token, tokenConfig());
  } catch (error) {
    if (error instanceof Failure && error.status === 401) return null;
    throw error;
  }
}

async function open(token: string, viewer: string | null, isCounted: boolean): Promise<OpenedLink> {
  try {
    const database = new Database(databaseConfig());
    const rows = await database.call("open_highlight_share", { token, viewer, is_counted: isCounted }) as OpenedLink[];
    return rows[0]!;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    if (error.code === "PT410") throw new Failure(410, "link_ended", ["the link has expired or was revoked"]);
    // Also a token that no text of the database can contain.
    throw Failure.notFound("the link");
  }
}

/** Empty while the ID of a clip is being changed at Mux. */
function addresses(clips: Clip[], playback: Playback): { video: string; thumbnail: string }[] {
  if (clips.some((clip) => clip.playback_id === null)) return [];
  const pictures = { thumbnail: standardThumbnail, animation: {} };
  return clips.map((clip) => {
    const { video, thumbnail } = playback.addresses({ ...clip, playback_id: clip.playback_id! }, pictures, false);
    return { video, thumbnail };
  });
}

/** The addresses of a video that was not uploaded through these functions. They don't expire. */
function elsewhere(link: OpenedLink): string[] {
  const urls = (link.video_urls ?? []).filter(isWebAddress);
  if (urls.length > 0) return urls;
  const id = link.mux_playback_id;
  if (id === null) return [];
  return [isWebAddress(id) ? id : `${viewingConfig().stream}/${id}.m3u8`];
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}

function isPerson(request: Request): boolean {
  // CUBOT is a brand of phones.
  const agent = (request.headers.get("user-agent") ?? "").toLowerCase().replaceAll("cubot", "");
  return !programs.some((program) => agent.includes(program));
}
