import type { Verification } from "../../../receiver/verify.ts";
import { printable } from "../../../surfaces/cli/printable.ts";
import type { Forwarded } from "./forward-webhook.ts";
import type { StreamEvent } from "./webhook-stream.ts";

/** Most characters of a body on a terminal: enough for an event of the product, with room for labels. */
const MOST_SHOWN = 2_000;

/** The output of `selo listen`: lines for people, or a line of JSON for each event. */
export class ListenPrinter {
  readonly #json: boolean;

  constructor(json: boolean) {
    this.#json = json;
  }

  opened(event: StreamEvent, url: string, forward: string | null): void {
    if (event.name !== "endpoint") return;
    const { id, event_types, secret } = event.endpoint;
    this.#print({ type: "endpoint", id, event_types, secret, url, forward }, () => [
      `Listening for ${event_types.join(", ")} of ${url}${forward === null ? "" : `, forwarding to ${forward}`}`,
      `Signing secret, valid while this connection lasts: ${secret}`,
    ]);
  }

  delivered(
    { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
    verification: Verification,
    forwarded: Forwarded | null,
  ): void {
    const event_id = headers["x-webhook-id"] ?? "";
    const fault = verification.valid ? null : verification.fault;
    const event_type = fault === null ? typeOf(body) : null;
    this.#print({ type: "delivery", event_id, event_type, fault, headers, body, forwarded }, () => {
      const head = `${new Date().toTimeString().slice(0, 8)}  ${event_type ?? "?"}  ${event_id}`;
      if (fault === "too_old")
        return [`${head}  not believed: the clocks of this machine and of the service are 5 minutes apart`];
      if (fault !== null) return [`${head}  not believed: ${fault}`];
      if (forwarded === null) return [head, `  ${shortened(body)}`];
      const outcome = "status" in forwarded ? String(forwarded.status) : `failed: ${forwarded.error}`;
      return [`${head}  ${outcome}  ${forwarded.duration_ms} ms`];
    });
  }

  interrupted(reason: string, waitMs: number): void {
    const seconds = Math.round(waitMs / 1_000);
    this.#print({ type: "interrupted", reason, retry_after_seconds: seconds }, () => [
      `${reason}; trying again in ${seconds} s, with a new endpoint and secret`,
    ]);
  }

  #print(value: object, lines: () => readonly string[]): void {
    const text = this.#json ? printable(JSON.stringify(value)) : lines().map(printable).join("\n");
    console.log(text);
  }
}

/** Cuts a body that would fill a screen. */
function shortened(body: string): string {
  if (body.length <= MOST_SHOWN) return body;
  return `${body.slice(0, MOST_SHOWN)}… (${Buffer.byteLength(body)} bytes; --json prints all)`;
}

function typeOf(body: string): string | null {
  const { type } = JSON.parse(body) as { type?: unknown };
  return typeof type === "string" ? type : null;
}
