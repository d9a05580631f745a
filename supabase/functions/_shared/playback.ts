// Addresses of videos and pictures at Mux. Those of closed highlights contain a token, which is valid for some minutes.

import { createPrivateKey, sign } from "node:crypto";
import { ConfigError, type SigningConfig, signingConfig, viewingConfig } from "./config.ts";
import { Failure } from "./http.ts";
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

const publicSeconds = 300;

/** The app's thumbnail. */
export const standardThumbnail: Parameters = { time: 2 };

export interface Pictures {
  thumbnail: Parameters;
  animation: Parameters;
}

class Signer {
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

/** The addresses of one response: all expire at the same time. */
export class Playback {
  /** Seconds since 1970. The lifetime of addresses without a token ends, too: the highlight may be closed. */
  readonly expiresAt: number;
  private readonly signer: Signer | null;
  private readonly servers = viewingConfig();

  constructor() {
    const config = signingConfig();
    this.expiresAt = Math.floor(Date.now() / 1000) + (config?.seconds ?? publicSeconds);
    this.signer = config === null ? null : new Signer(config, this.expiresAt);
  }

  /** The addresses of a clip's video and pictures. Throws 503 if they need a token and the project has no key. */
  addresses(
    clip: { playback_id: string; is_signed: boolean },
    pictures: Pictures,
    mayDownload: boolean,
  ): ClipAddresses {
    const { playback_id: id, is_signed: isSigned } = clip;
    if (isSigned && this.signer === null) {
      throw new Failure(503, "signing_off", ["this project has no key to sign addresses of closed highlights"]);
    }
    const address = (url: string, audience: Audience, parameters: Parameters = {}) => {
      const query = isSigned
        ? new URLSearchParams({ token: this.signer!.token(id, audience, parameters) })
        : new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, `${value}`]));
      return query.size === 0 ? url : `${url}?${query}`;
    };
    const stream = `${this.servers.stream}/${id}`;
    const image = `${this.servers.image}/${id}`;
    return {
      video: address(`${stream}.m3u8`, "v"),
      ...(mayDownload ? { file: address(`${stream}/highest.mp4`, "v") } : {}),
      thumbnail: address(`${image}/thumbnail.jpg`, "t", pictures.thumbnail),
      animation: address(`${image}/animated.gif`, "g", pictures.animation),
      storyboard: address(`${image}/storyboard.vtt`, "s"),
    };
  }
}

function base64URL(text: string): string {
  return utf8.encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
}
