import { request } from "undici";
import { z } from "zod";
import { CommandRefused } from "../../../surfaces/cli/command-refused.ts";

/** The service sends something at least every 15 seconds. */
const SILENCE_MS = 60_000;
const ANSWER_MS = 30_000;
/** Most characters of one event: 256 KiB of data, escaped as JSON within JSON. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

const endpoint = z.object({ id: z.string(), event_types: z.array(z.string()), secret: z.string() });
const delivery = z.object({ headers: z.record(z.string(), z.string()), body: z.string() });
const refusal = z.object({
  detail: z.object({ code: z.string(), message: z.string() }),
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

export type StreamEvent =
  | { readonly name: "endpoint"; readonly endpoint: z.output<typeof endpoint> }
  | { readonly name: "delivery"; readonly delivery: z.output<typeof delivery> };

/** An error that the service sent instead of events, or at the end of the stream. */
export class StreamRefused extends CommandRefused {
  override readonly name = "StreamRefused";

  /** Null if the stream had begun. */
  readonly status: number | null;
  readonly code: string;
  readonly retryAfterSeconds: number | null;

  constructor(status: number | null, code: string, message: string, retryAfterSeconds: number | null) {
    super(`${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The events of `GET /webhooks/listen`, until the service ends the stream or the signal is given.
 * @throws StreamRefused when the service refused; other errors for failures of the connection
 */
export async function* readWebhookStream(
  baseUrl: string,
  token: string,
  eventTypes: string,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const url = `${baseUrl}/api/v1/webhooks/listen?${new URLSearchParams({ event_types: eventTypes })}`;
  const { statusCode, body, headers } = await request(url, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    headersTimeout: ANSWER_MS,
    bodyTimeout: SILENCE_MS,
    signal,
  });
  if (statusCode !== 200) {
    const seconds = Number(headers["retry-after"]);
    throw refused(statusCode, await body.text(), Number.isFinite(seconds) ? seconds : null);
  }
  for await (const { event, data } of events(body)) {
    if (event === "endpoint") yield { name: event, endpoint: endpoint.parse(JSON.parse(data)) };
    else if (event === "delivery") yield { name: event, delivery: delivery.parse(JSON.parse(data)) };
    else if (event === "end") throw refused(null, data);
  }
}

/** Server-sent events as the service writes them: a line `event`, a line `data`. Lines that begin with a colon carry no data. */
async function* events(body: AsyncIterable<Uint8Array>): AsyncGenerator<{ event: string; data: string }> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    if (text.length > MOST_CHARACTERS) throw new Error("an event of the service is too large");
    for (const part of whole) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(part) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data };
    }
  }
}

/** @param status null if the stream had begun */
function refused(status: number | null, text: string, retryAfterSeconds: number | null = null): StreamRefused {
  const parsed = refusal.safeParse(safeJson(text));
  if (!parsed.success)
    return new StreamRefused(
      status,
      `HTTP ${status}`,
      "this is not a response from Selo; check --url",
      retryAfterSeconds,
    );
  const { detail, fields = [] } = parsed.data;
  const message = [detail.message, ...fields.map(({ field, message }) => `  ${field} ${message}`)].join("\n");
  return new StreamRefused(status, detail.code, message, retryAfterSeconds);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
