import { request } from "undici";
import { z } from "zod";
import { AppError } from "../app-error.ts";

/** The service keeps quiet for at most 15 seconds. */
const SILENCE_MS = 60_000;
const ANSWER_MS = 30_000;
/** Of one event: 256 KiB of data, escaped as JSON within JSON. */
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

/**
 * The events of `GET /webhooks/listen`, until the service ends the stream or the signal is given.
 * @throws AppError what the service refused; other errors for everything that has to do with the connection
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
    throw refused(statusCode, await body.text(), Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {});
  }
  for await (const { event, data } of events(body)) {
    if (event === "endpoint") yield { name: event, endpoint: endpoint.parse(JSON.parse(data)) };
    else if (event === "delivery") yield { name: event, delivery: delivery.parse(JSON.parse(data)) };
    else if (event === "end") throw refused(0, data);
  }
}

/** Server-sent events as the service writes them: a line `event`, a line `data`; lines that begin with a colon say nothing. */
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

/** @param status 0 where the stream was ended */
function refused(status: number, text: string, options: { readonly retryAfterSeconds?: number } = {}): Error {
  const parsed = refusal.safeParse(safeJson(text));
  if (!parsed.success) return new AppError(status, `http_${status}`, "This is no answer of the service; see --url.");
  const { detail, fields } = parsed.data;
  return new AppError(status, detail.code, detail.message, fields, options);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
