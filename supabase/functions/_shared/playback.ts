// Addresses of videos and pictures at Mux. Those of closed highlights contain a token, which is valid for some minutes.

import { createPrivateKey, sign } from "node:crypto";
import type { SigningConfig } from "./config.ts";
import { ConfigError } from "./config.ts";
import { utf8 } from "./secrets.ts";

/** The parameters of a picture: its frame, its size, and so on. */
export type Parameters = Record<string, number | string | boolean>;

/** What a token is for: a video, a thumbnail, an animation or a storyboard. */
type Audience = "v" | "t" | "g" | "s";

export interface ClipAddresses {
  video: string;
  /** The video as one file, for callers who may download it. Mux may not have created it. */
  file?: string;
  thumbnail: string;
  animation: string;
  storyboard: string;
}

export interface Pictures {
  thumbnail: Parameters;
  animation: Parameters;
}

export class Signer {
  private readonly key;

  constructor(private readonly config: SigningConfig, private readonly expiresAt: number) {
    const pem = config.key.startsWith("-----") ? config.key : atob(config.key);
    try {
      this.key = createPrivateKey(pem);
    } catch {
      throw new ConfigError("MUX_SIGNING_KEY is not a private key");
    }
  }

  /** A token for one playback ID and one use. Mux takes the parameters only from the token. */
  token(playbackID: string, audience: Audience, parameters: Parameters = {}): string {
    const { keyID, parametersAs } = this.config;
    const given = Object.entries(parameters).map((
      [name, value],
    ) => [name, parametersAs === "texts" ? `${value}` : value]);
    const claims = { ...Object.fromEntries(given), sub: playbackID, aud: audience, exp: this.expiresAt };
    const signed = [{ alg: "RS256", typ: "JWT", kid: keyID }, claims].map((part) => base64URL(JSON.stringify(part)))
      .join(".");
    return `${signed}.${sign("sha256", utf8.encode(signed), this.key).toString("base64url")}`;
  }
}

/** The addresses of a clip. Without a signer, its playback ID is public. */
export function addresses(
  servers: { stream: string; image: string },
  playbackID: string,
  pictures: Pictures,
  signer: Signer | null,
  mayDownload: boolean,
): ClipAddresses {
  const address = (url: string, audience: Audience, parameters: Parameters = {}) => {
    const query = signer === null
      ? new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, `${value}`]))
      : new URLSearchParams({ token: signer.token(playbackID, audience, parameters) });
    return query.size === 0 ? url : `${url}?${query}`;
  };
  const image = `${servers.image}/${playbackID}`;
  return {
    video: address(`${servers.stream}/${playbackID}.m3u8`, "v"),
    ...(mayDownload ? { file: address(`${servers.stream}/${playbackID}/highest.mp4`, "v") } : {}),
    thumbnail: address(`${image}/thumbnail.jpg`, "t", pictures.thumbnail),
    animation: address(`${image}/animated.gif`, "g", pictures.animation),
    storyboard: address(`${image}/storyboard.vtt`, "s"),
  };
}

function base64URL(text: string): string {
  return utf8.encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
}
