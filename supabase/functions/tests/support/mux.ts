// A fake of Mux's API, with faults and signed webhooks.

import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The fault of the next matching request. `lost`: executed, but the response is lost. */
export type Fault =
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string }
  | { kind: "lost" }
  | { kind: "slow"; milliseconds: number };

// deno-lint-ignore no-explicit-any
export type Thing = Record<string, any>;

export class FakeMux {
  readonly tokenID = "token-id";
  readonly tokenSecret = "mux-token-secret-5e1f";
  readonly webhookSecret = "whsec_of_the_tests_77";
  /** Newest last. */
  readonly uploads: Thing[] = [];
  readonly assets: Thing[] = [];
  /** `METHOD path` of each request. */
  readonly requests: string[] = [];
  /** Bodies of `POST /uploads`. */
  readonly bodies: Thing[] = [];
  url = "";
  private faults: { call: string; fault: Fault }[] = [];
  private readonly server = createServer((request, response) => void this.handle(request, response));
  private events = 0;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Sets the fault of the next request whose `METHOD path` has this prefix. */
  fail(call: string, fault: Fault): void {
    this.faults.push({ call, fault });
  }

  get pendingFaults(): number {
    return this.faults.length;
  }

  /** The number of requests whose `METHOD path` has this prefix. */
  count(call: string): number {
    return this.requests.filter((request) => request.startsWith(call)).length;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const call = `${request.method} ${request.url?.replace("/video/v1", "")}`;
    this.requests.push(call);
    const index = this.faults.findIndex((fault) => call.startsWith(fault.call));
    const fault = index < 0 ? null : this.faults.splice(index, 1)[0]!.fault;
    const answer = (status: number, body?: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "Content-Type": "application/json", "X-RateLimit-Remaining": "3", ...headers });
      response.end(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body));
    };
    if (fault?.kind === "status") {
      const body = fault.body ?? { error: { type: "of_the_tests", messages: ["a reason of Mux's"] } };
      return answer(fault.status, body, fault.headers);
    }
    if (fault?.kind === "slow") await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    const expected = `Basic ${btoa(`${this.tokenID}:${this.tokenSecret}`)}`;
    if (request.headers.authorization !== expected) {
      return answer(401, { error: { type: "unauthorized", messages: ["Unauthorized request"] } });
    }
    const [status, body] = this.act(call, text);
    if (fault?.kind === "lost") {
      request.socket.destroy();
      return;
    }
    answer(status, body);
  }

  private act(call: string, text: string): [number, unknown?] {
    const missing: [number, unknown] = [404, { error: { type: "not_found", messages: ["The requested resource"] } }];
    const { pathname, searchParams } = new URL(call.split(" ")[1]!, "http://mux");
    const [, kind, id, action, part] = pathname.split("/");
    const path = `${kind}${id ? "/id" : ""}${action ? `/${action}` : ""}${part ? "/id" : ""}`;
    switch (`${call.split(" ")[0]} ${path}`) {
      case "POST uploads": {
        const body = JSON.parse(text);
        this.bodies.push(body);
        return [201, { data: this.newUpload(body) }];
      }
      case "GET uploads": {
        const limit = Number(searchParams.get("limit") ?? 25);
        return [200, { data: this.uploads.slice(-limit).reverse() }];
      }
      case "GET uploads/id": {
        const upload = this.uploads.find((one) => one.id === id);
        return upload ? [200, { data: upload }] : missing;
      }
      case "PUT uploads/id/cancel": {
        const upload = this.uploads.find((one) => one.id === id);
        if (!upload) return missing;
        if (upload.status !== "waiting") {
          return [400, { error: { type: "invalid_parameters", messages: ["Upload is not waiting"] } }];
        }
        upload.status = "cancelled";
        return [200, { data: upload }];
      }
      case "GET assets": {
        const upload = searchParams.get("upload_id");
        return [200, { data: this.assets.filter((one) => upload === null || one.upload_id === upload) }];
      }
      case "GET assets/id": {
        const asset = this.assets.find((one) => one.id === id);
        return asset ? [200, { data: asset }] : missing;
      }
      case "DELETE assets/id": {
        const index = this.assets.findIndex((one) => one.id === id);
        if (index < 0) return missing;
        this.assets.splice(index, 1);
        return [204];
      }
      case "POST assets": {
        const body = JSON.parse(text);
        this.bodies.push(body);
        const [input] = body.inputs ?? body.input;
        const [policy] = body.playback_policies ?? body.playback_policy;
        if (!this.assets.some((one) => `mux://assets/${one.id}` === input.url)) return missing;
        const asset = {
          id: `clip-${randomBytes(8).toString("hex")}`,
          status: "preparing",
          passthrough: body.passthrough,
          playback_ids: [{ id: `PB${randomBytes(8).toString("hex")}`, policy }],
          duration: input.end_time - input.start_time,
          tracks: [{ type: "video", max_width: 1920, max_height: 1080 }],
        };
        this.assets.push(asset);
        return [201, { data: asset }];
      }
      case "POST assets/id/playback-ids": {
        const asset = this.assets.find((one) => one.id === id);
        if (!asset) return missing;
        const entry = { id: `PB${randomBytes(8).toString("hex")}`, policy: JSON.parse(text).policy };
        asset.playback_ids.push(entry);
        return [201, { data: entry }];
      }
      case "DELETE assets/id/playback-ids/id": {
        const list: Thing[] = this.assets.find((one) => one.id === id)?.playback_ids ?? [];
        const index = list.findIndex((entry) => entry.id === part);
        if (index < 0) return missing;
        list.splice(index, 1);
        return [204];
      }
      default:
        return missing;
    }
  }

  private newUpload(body: Thing): Thing {
    const id = randomBytes(16).toString("hex");
    const url = `https://direct-uploads.test.production.mux.com/upload/${id}?token=secret-${
      randomBytes(8).toString("hex")
    }`;
    const upload = { id, url, status: "waiting", ...body };
    this.uploads.push(upload);
    return upload;
  }

  /** Completes an upload and creates its asset. */
  receive(upload: Thing, status = "preparing", more: Thing = {}): Thing {
    const asset = {
      id: `asset-${upload.id}`,
      created_at: "1771545600",
      status,
      upload_id: upload.id,
      passthrough: upload.new_asset_settings.passthrough,
      playback_ids: [{ id: `PB${upload.id}`, policy: upload.new_asset_settings.playback_policies[0] }],
      duration: 12.48,
      tracks: [{ type: "video", max_width: 1920, max_height: 1080 }, { type: "audio", max_channels: 2 }],
      ...more,
    };
    Object.assign(upload, { status: "asset_created", asset_id: asset.id });
    this.assets.push(asset);
    return asset;
  }

  /** An event in Mux's format. */
  event(type: string, data: Thing, id = `event-${++this.events}-${randomBytes(4).toString("hex")}`): Thing {
    const created_at = new Date().toISOString().replace("Z", "000Z");
    const object = { type: type.split(".")[1], id: data.id };
    const environment = { name: "Development", id: "dvlv0o" };
    return { type, id, created_at, object, environment, data, attempts: [], request_id: null, accessor: null };
  }
}

/** `Mux-Signature` of a body. */
export function signature(body: string, secret: string, time = `${Math.floor(Date.now() / 1000)}`): string {
  return `t=${time},v1=${hmac(body, secret, time)}`;
}

export function hmac(body: string, secret: string, time: string): string {
  return createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
}
