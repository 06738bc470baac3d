import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { AppError } from "../../../errors/app-error.ts";
import type { Database } from "../../../postgres/database.ts";
import { credentialHash } from "../../../surfaces/http/credential.ts";
import { documentationOf, errorBody } from "../../../surfaces/http/errors.ts";
import type { Limits } from "../../../surfaces/http/limits.ts";
import { readQuery } from "../../../surfaces/http/query.ts";
import type { Operation } from "../../../surfaces/operation.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { type StreamReader, type StreamServices, WebhookStreams } from "./webhook-streams.ts";

/** Most bytes that a reader may leave unread; beyond it the reader gets nothing more. */
const MOST_BYTES = 1024 * 1024;

const query = z.strictObject({
  event_types: wireText(10_000)
    .transform((text) => text.split(","))
    .default(["*"])
    .meta({
      type: "array",
      items: { type: "string" },
      description:
        "Kinds of events, separated by commas. `*` selects all kinds, `message.*` all kinds that begin with `message.`.",
    }),
});

/** The description of the path below. */
export const listenToWebhooks: Operation = {
  name: "listenToWebhooks",
  command: "open_webhook_stream",
  made: ["id", "sealed_secret"],
  input: query,
  answers: {
    stream: "text/event-stream",
    description:
      "Server-sent events (HTML Living Standard §9.2), each with a line of JSON. The first is `endpoint`: `{id, event_types, secret}`. The endpoint lasts as long as the connection, and its secret signs the deliveries. A `delivery` follows for each event: `{headers, body}`, as a webhook would receive them. If the service ends the stream, `end` has the body of an error. Comments keep the connection alive.",
  },
  errors: ["forbidden", "conflict"],
  rest: {
    method: "GET",
    path: "/webhooks/listen",
    status: 200,
    tag: "Webhooks",
    summary: "Listen to events with a test token",
    description:
      "The stream that `selo listen` reads, for a machine without a public address. The answer does not end by itself: a generated client reads it as a stream. " +
      "An organization may have 20 open streams.",
  },
};

/**
 * `GET /webhooks/listen?event_types=proof.registered,message.*`, for `selo listen`: the events of a test token as
 * server-sent events. The first, `endpoint`, holds the id and the secret of an endpoint that lives as long as the
 * connection. A `delivery` follows for each event, with headers and body as they would be posted. If the service ends
 * the stream, `end` has an error.
 */
export async function listenPlugin(
  app: FastifyInstance,
  services: StreamServices & {
    readonly database: Database;
    readonly limits: Limits;
    /** The server closes a connection after this many milliseconds of silence. */
    readonly silenceMs: number;
  },
): Promise<void> {
  const streams = new WebhookStreams(services);
  app.addHook("preClose", () => streams.stop());
  app.route({
    method: "GET",
    url: "/webhooks/listen",
    // A HEAD request would open a stream.
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      const hash = credentialHash(request.headers.authorization);
      await services.limits.token(hash, request.ip, reply);
      request.credentialHash = hash;
    },
    handler: async (request, reply) => {
      const hash = credentialHash(request.headers.authorization);
      // Check the caller's right first: a caller without it learns nothing about other faults of the request.
      await services.database.authorize(hash, "open_webhook_stream");
      const { event_types } = readQuery(query, request.query);
      // Comments keep proxies and the server itself from closing a silent connection.
      const { publicUrl } = request.server;
      const events = new EventStream(services.silenceMs / 2, (error) =>
        errorBody(error, request.id, documentationOf(error, publicUrl)),
      );
      const origin = { requestId: request.id, address: request.ip ?? "", channel: "rest" as const };
      const opening = streams.open(hash, origin, event_types, events);
      const { id, eventTypes, secret } = await opening.catch((error: unknown) => {
        events.body.destroy();
        throw error;
      });
      events.body.once("close", () => void streams.close(id));
      if (request.raw.socket.destroyed) events.body.destroy();
      events.send("endpoint", { id, event_types: eventTypes, secret });
      return reply.type("text/event-stream").header("x-accel-buffering", "no").send(events.body);
    },
  });
}

/** Server-sent events (HTML Living Standard §9.2): a line of JSON each. */
class EventStream implements StreamReader {
  readonly body: Readable;
  readonly #errorBody: (error: AppError) => object;

  /**
   * @param keepAliveMs interval of comments, in milliseconds
   * @param errorBody makes the body that a reader gets for an error
   */
  constructor(keepAliveMs: number, errorBody: (error: AppError) => object) {
    this.#errorBody = errorBody;
    this.body = new Readable({ highWaterMark: MOST_BYTES, read: () => {} });
    const timer = setInterval(() => this.body.push(":\n\n"), keepAliveMs);
    this.body.once("close", () => clearInterval(timer));
  }

  isReady(): boolean {
    return this.body.readableLength < MOST_BYTES;
  }

  send(event: string, data: object): void {
    if (!this.body.destroyed) this.body.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  deliver(delivery: object): void {
    this.send("delivery", delivery);
  }

  end(why: AppError): void {
    this.send("end", this.#errorBody(why));
    if (!this.body.destroyed) this.body.push(null);
  }

  drop(): void {
    this.body.destroy();
  }
}
