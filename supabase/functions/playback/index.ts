// `POST /playback`: the addresses of highlights' videos and pictures, for a caller who may see the highlights. The body is
// `{"highlight_ids": […], "thumbnail": {…}, "animation": {…}}`, with Mux's parameters of the pictures.
//
// Highlights that the caller can't see are left out, like missing ones. `waiting` lists highlights whose playback IDs are being
// changed at Mux.

import { databaseConfig, publishableKey, tokenConfig } from "../_shared/config.ts";
import { Database } from "../_shared/database.ts";
import { answering, bodyBytes, Failure, isObject, json, parseObject, withCORS } from "../_shared/http.ts";
import { uuidPattern, verifiedUser } from "../_shared/jwt.ts";
import { type ClipAddresses, type Parameters, Playback, standardThumbnail } from "../_shared/playback.ts";
import { bearer } from "../_shared/secrets.ts";

const maximumHighlights = 50;

type Check = (value: unknown) => boolean;
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0 && value < 1e6;
const isFlag: Check = (value) => typeof value === "boolean";
const fits: unknown[] = ["preserve", "stretch", "crop", "smartcrop", "pad"];
const isFit: Check = (value) => fits.includes(value);
const size = { width: isNumber, height: isNumber };
const thumbnailChecks: Record<string, Check> = {
  ...size,
  time: isNumber,
  rotate: isNumber,
  fit_mode: isFit,
  flip_v: isFlag,
  flip_h: isFlag,
};
const animationChecks: Record<string, Check> = { ...size, start: isNumber, end: isNumber, fps: isNumber };

interface Clip {
  highlight_id: string;
  is_signed: boolean;
  playback_id: string | null;
  may_download: boolean;
}

Deno.serve(withCORS(answering(async (request) => {
  if (request.method !== "POST") {
    throw new Failure(405, "method_not_allowed", ["this path accepts only POST"], { Allow: "POST, OPTIONS" });
  }
  const token = bearer(request);
  await verifiedUser(token, tokenConfig());
  const body = parseObject(await bodyBytes(request, 16 * 1024));
  const ids = body?.highlight_ids;
  if (
    body === null || !Array.isArray(ids) || ids.length === 0 || ids.length > maximumHighlights ||
    !ids.every((id) => typeof id === "string" && uuidPattern.test(id))
  ) {
    throw Failure.invalid(400, [`highlight_ids must be a list of 1 to ${maximumHighlights} IDs`]);
  }
  const pictures = {
    thumbnail: { ...standardThumbnail, ...parameters(body, "thumbnail", thumbnailChecks) },
    animation: parameters(body, "animation", animationChecks),
  };
  // The caller's token, so that the row rules decide.
  const database = Database.as(token!, publishableKey(), databaseConfig());
  const clips = await database.call("playback_ids", { highlight_ids: ids }) as Clip[];

  const playback = new Playback();
  const highlights: { id: string; is_signed: boolean; clips: ClipAddresses[] }[] = [];
  const waiting: string[] = [];
  for (const id of new Set(clips.map((clip) => clip.highlight_id))) {
    const parts = clips.filter((clip) => clip.highlight_id === id);
    if (parts.some((part) => part.playback_id === null)) {
      waiting.push(id);
      continue;
    }
    highlights.push({
      id,
      is_signed: parts.some((part) => part.is_signed),
      clips: parts.map((part) =>
        playback.addresses({ ...part, playback_id: part.playback_id! }, pictures, part.may_download)
      ),
    });
  }
  return json({ expires_at: playback.expiresAt, highlights, waiting });
})));

function parameters(body: Record<string, unknown>, name: string, checks: Record<string, Check>): Parameters {
  const given = body[name] ?? {};
  if (!isObject(given)) throw Failure.invalid(400, [`${name} must be an object`]);
  const wrong = Object.entries(given).filter(([key, value]) => !(Object.hasOwn(checks, key) && checks[key]!(value)));
  if (wrong.length > 0) {
    throw Failure.invalid(
      400,
      wrong.map(([key]) => `${name}.${key.slice(0, 64)} is not a valid parameter`),
    );
  }
  return given as Parameters;
}
