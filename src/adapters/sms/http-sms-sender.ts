import { type Agent, request } from "undici";
import { limitedAgent } from "../outgoing-http/limited-agent.ts";
import { SmsError, type SmsMessage, type SmsSender } from "./sms-sender.ts";

const WHOLE_MS = 10_000;

/** Refusals that concern the moment, beside those of 500 and more. */
const FOR_NOW: readonly number[] = [408, 429];

export interface HttpSmsSettings {
  /** https, or http at a loopback address. Any host: it is the operator's word. */
  readonly url: string;
  /** The bearer token. */
  readonly token: string;
  /** For tests: time limit of a whole request, in milliseconds. */
  readonly wholeMs?: number;
}

/** Posts each SMS to one service: see README.md. Redirects are not followed, and no word of an answer is kept. */
export class HttpSmsSender implements SmsSender {
  readonly #url: string;
  readonly #token: string;
  readonly #wholeMs: number;
  readonly #agent: Agent;

  constructor({ url, token, wholeMs = WHOLE_MS }: HttpSmsSettings) {
    this.#url = url;
    this.#token = token;
    this.#wholeMs = wholeMs;
    this.#agent = limitedAgent(wholeMs);
  }

  async send(message: SmsMessage): Promise<void> {
    const status = await this.#post(message);
    if (status >= 200 && status < 300) return;
    throw new SmsError(`the SMS service answered ${status}`, status < 500 && !FOR_NOW.includes(status));
  }

  async #post({ id, to, text }: SmsMessage): Promise<number> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), this.#wholeMs);
    try {
      const { statusCode, body } = await request(this.#url, {
        dispatcher: this.#agent,
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${this.#token}` },
        body: JSON.stringify({ id, to, text }),
        // A kept connection may be closing just then, and the request would be lost.
        reset: true,
        signal: patience.signal,
      });
      // The status says it all: an answer without end ends here.
      body.on("error", () => {}).destroy();
      return statusCode;
    } catch (error) {
      if (patience.signal.aborted)
        throw new SmsError(`the SMS service did not answer in ${this.#wholeMs / 1_000} seconds`, false);
      // Without the message, which may name the address.
      const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
      throw new SmsError(`the SMS service was not reached (${typeof code === "string" ? code : String(name)})`, false);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
