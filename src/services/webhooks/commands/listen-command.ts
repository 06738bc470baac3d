import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { verifyWebhook } from "../../../receiver/verify.ts";
import { httpAddress } from "../../../surfaces/cli/arguments.ts";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { connectionReason } from "../../../surfaces/cli/connection-reason.ts";
import { calledService } from "../../platform/commands/called-service.ts";
import { type Forwarded, forwardWebhook } from "./forward-webhook.ts";
import { ListenPrinter } from "./listen-printer.ts";
import { readWebhookStream, type StreamEvent, StreamRefused } from "./webhook-stream.ts";

/** Deliveries forwarded at once, as many as a worker posts at once to one endpoint. */
const MOST_UNDER_WAY = 10;
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Statuses that a repetition does not change. */
const FINAL = [401, 403, 404, 405, 409, 422];

interface Options {
  readonly forward?: string;
  readonly events: string;
  readonly token?: string;
  readonly url?: string;
  readonly json?: boolean;
}

/** `selo listen`. */
export function addListenCommand(program: Command, context: CommandContext): void {
  program
    .command("listen")
    .option(
      "--forward <url>",
      "post each delivery to this address, as the service would; any address is allowed",
      httpAddress,
    )
    .option("--events <kinds>", "kinds of events, separated by commas", "*")
    .option(
      "--token <token>",
      "a test token with scope webhooks:manage (default: SELO_TOKEN, or the token of the demo organization)",
    )
    .option("--url <url>", "the service (default: PUBLIC_URL, or where npm start runs)", httpAddress)
    .option("--json", "print a line of JSON for each event")
    .action(async (options: Options) => {
      const config = context.config();
      const { url, credential: token } = calledService(config, {
        url: options.url,
        credential: options.token ?? config.apiToken,
        givenBy: "--token (or SELO_TOKEN)",
        ofDemo: ({ tokens }) => tokens.test,
      });
      const stop = new AbortController();
      const onSignal = () => stop.abort();
      for (const signal of SIGNALS) process.on(signal, onSignal);
      try {
        await untilStopped({ ...options, url, token }, new ListenPrinter(options.json ?? false), stop.signal);
      } finally {
        for (const signal of SIGNALS) process.off(signal, onSignal);
      }
    });
}

/** Opens a stream, and a new stream after each interruption. Ends when it is stopped, or when the service refuses for good. */
async function untilStopped(
  options: Options & { readonly url: string; readonly token: string },
  printer: ListenPrinter,
  signal: AbortSignal,
): Promise<void> {
  const { url, token, events, forward } = options;
  for (let pause = SHORTEST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    let wait = pause;
    try {
      const deliveries = new Deliveries(forward ?? null, printer, signal);
      for await (const event of readWebhookStream(url, token, events, signal)) {
        await deliveries.take(event, () => printer.opened(event, url, forward ?? null));
        pause = wait = SHORTEST_PAUSE_MS;
      }
      printer.interrupted("the service ended the stream", wait);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StreamRefused && isFinal(error)) throw error;
      if (error instanceof StreamRefused && error.retryAfterSeconds !== null)
        wait = Math.max(wait, error.retryAfterSeconds * 1_000);
      printer.interrupted(`${url}: ${connectionReason(error)}`, wait);
    }
    await setTimeout(wait, null, { signal }).catch(() => {});
  }
}

function isFinal({ status, code }: StreamRefused): boolean {
  return status === null ? code === "unauthenticated" : FINAL.includes(status);
}

/** The deliveries of one stream. */
class Deliveries {
  readonly #forward: string | null;
  readonly #printer: ListenPrinter;
  readonly #signal: AbortSignal;
  readonly #underWay = new Set<Promise<void>>();
  #secret = "";

  constructor(forward: string | null, printer: ListenPrinter, signal: AbortSignal) {
    this.#forward = forward;
    this.#printer = printer;
    this.#signal = signal;
  }

  /** Waits only while too many deliveries are under way. */
  async take(event: StreamEvent, opened: () => void): Promise<void> {
    if (event.name === "endpoint") {
      this.#secret = event.endpoint.secret;
      opened();
      return;
    }
    while (this.#underWay.size >= MOST_UNDER_WAY) await Promise.race(this.#underWay);
    const delivering = this.#deliver(event.delivery).finally(() => this.#underWay.delete(delivering));
    this.#underWay.add(delivering);
  }

  /** Forwards only deliveries that the service signed. */
  async #deliver(delivery: Extract<StreamEvent, { name: "delivery" }>["delivery"]): Promise<void> {
    const verification = await verifyWebhook(this.#secret, delivery.headers, delivery.body);
    let forwarded: Forwarded | null = null;
    if (verification.valid && this.#forward !== null) {
      forwarded = await forwardWebhook(this.#forward, delivery, this.#signal);
      // Ctrl-C interrupted the request: the receiver did not fail.
      if (this.#signal.aborted) return;
    }
    this.#printer.delivered(delivery, verification, forwarded);
  }
}
