import { setTimeout } from "node:timers/promises";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { newId } from "../../../adapters/crypto/new-id.ts";
import { AppError, unauthenticated, unavailable } from "../../../errors/app-error.ts";
import type { Origin } from "../../../postgres/call.ts";
import type { Database } from "../../../postgres/database.ts";
import { type SignedHeaders, signedHeaders } from "../deliveries/sign.ts";
import { newWebhookSecret, sealWebhookSecret } from "../endpoints/secret.ts";
import { closeWebhookStreams, readWebhookStreams, type StreamReading } from "../store.ts";

/** Most open streams of one gateway. */
const MOST_STREAMS = 100;
/** Most streams read with one statement: with 5 events of 256 KiB each, memory holds no more than some 30 MB. */
const AT_ONCE = 25;
/** Most events of one stream read with one statement; more may wait. */
const EVENTS_AT_ONCE = 5;
const PAUSE_MS = 250;
const PAUSE_WITH_MORE_MS = 10;
const PAUSE_AFTER_FAILURE_MS = 1_000;
/** The lifetime of an endpoint that nobody reads. */
const UNREAD_MS = 60_000;

/** A delivery in the form in which it would be posted. */
export interface StreamedDelivery {
  readonly headers: SignedHeaders;
  readonly body: string;
}

/** The reader of a stream. */
export interface StreamReader {
  /** False until it has taken what it was given. */
  isReady(): boolean;
  deliver(delivery: StreamedDelivery): void;
  /** Ends the stream with an error: nothing more follows. */
  end(why: AppError): void;
  /** Cuts off a reader that takes nothing, and drops what waits for it. */
  drop(): void;
}

/** An open stream. */
export interface OpenedStream {
  readonly id: string;
  readonly eventTypes: readonly string[];
  readonly secret: string;
}

interface Stream {
  readonly id: string;
  readonly credentialHash: Buffer;
  readonly secret: string;
  readonly reader: StreamReader;
  /** When the reader was last ready for more, by performance.now(). */
  readyAt: number;
}

export interface StreamServices {
  readonly database: Database;
  readonly masterKeys: MasterKeyring;
  /** Called with the token of every successful reading. */
  readonly tokenUse: { seen(credentialHash: Buffer): void };
  /** For tests: how long a reader may take nothing. */
  readonly unreadMs?: number;
}

/**
 * The streams that `selo listen` reads from this gateway: endpoints without an address. One statement every quarter of a second
 * reads the queues of all streams. No stream holds a Postgres connection, and each reading checks its token again.
 */
export class WebhookStreams {
  readonly #services: StreamServices;
  readonly #streams = new Map<string, Stream>();
  #opening = 0;
  #isStopped = false;
  #reading: Promise<void> | null = null;

  constructor(services: StreamServices) {
    this.#services = services;
  }

  /**
   * Opens a stream, with its own endpoint and secret.
   * @throws AppError 401, 403 missing_scope or forbidden (a live token), 409 conflict, 422 invalid_request, 503 when 100 streams are open
   */
  async open(
    credentialHash: Buffer,
    origin: Origin,
    eventTypes: readonly string[],
    reader: StreamReader,
  ): Promise<OpenedStream> {
    const { database, masterKeys } = this.#services;
    if (this.#isStopped || this.#streams.size + this.#opening >= MOST_STREAMS)
      throw unavailable(new Error(this.#isStopped ? "the gateway stops" : `${MOST_STREAMS} streams are open`));
    const id = newId();
    const secret = newWebhookSecret();
    this.#opening += 1;
    try {
      const sealed_secret = sealWebhookSecret(masterKeys, id, secret);
      const { body } = await database.call({
        credentialHash,
        origin,
        command: "open_webhook_stream",
        arguments: { id, event_types: eventTypes, sealed_secret },
      });
      const { event_types } = JSON.parse(body ?? "") as { event_types: string[] };
      this.#streams.set(id, { id, credentialHash, secret, reader, readyAt: performance.now() });
      if (this.#isStopped) await this.stop();
      else this.#reading ??= this.#read();
      return { id, eventTypes: event_types, secret };
    } finally {
      this.#opening -= 1;
    }
  }

  /** Closes a stream whose reader went away. */
  async close(id: string): Promise<void> {
    this.#streams.delete(id);
    // If this fails, the stream expires by itself.
    await closeWebhookStreams(this.#services.database, [id]).catch(() => {});
  }

  /** Ends all streams, and opens no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const { reader } of streams) reader.end(unavailable(null));
    if (streams.length > 0)
      await closeWebhookStreams(
        this.#services.database,
        streams.map(({ id }) => id),
      ).catch(() => {});
    await this.#reading;
  }

  /** Reads while any stream is open. */
  async #read(): Promise<void> {
    while (this.#streams.size > 0) {
      const ready = this.#ready();
      let pause = PAUSE_MS;
      for (let first = 0; first < ready.length; first += AT_ONCE) {
        const some = ready.slice(first, first + AT_ONCE);
        try {
          const readings = await readWebhookStreams(this.#services.database, some);
          for (const stream of some) {
            const own = readings.filter(({ id }) => id === stream.id);
            this.#tell(stream, own);
            if (own.length >= EVENTS_AT_ONCE) pause = PAUSE_WITH_MORE_MS;
          }
        } catch {
          // Postgres is away. Waiting events are read when it is back, unless the outage lasts longer than an unread stream lives.
          pause = PAUSE_AFTER_FAILURE_MS;
        }
      }
      await setTimeout(pause);
    }
    // Reset in the same tick in which no stream was found, so that the next stream starts the reading again.
    this.#reading = null;
  }

  /** The streams that can take more. A reader that takes nothing until its endpoint has expired is dropped, to free its place. */
  #ready(): Stream[] {
    const now = performance.now();
    const { unreadMs = UNREAD_MS } = this.#services;
    return [...this.#streams.values()].filter((stream) => {
      const isReady = stream.reader.isReady();
      if (isReady) stream.readyAt = now;
      else if (now - stream.readyAt > unreadMs) {
        void this.close(stream.id);
        stream.reader.drop();
      }
      return isReady;
    });
  }

  #tell(stream: Stream, readings: readonly StreamReading[]): void {
    const [first] = readings;
    // The stream was closed while it was read.
    if (!this.#streams.has(stream.id)) return;
    if (first === undefined || !first.isAuthenticated) {
      void this.close(stream.id);
      stream.reader.end(
        first === undefined ? new AppError(404, "not_found", "The stream has expired.") : unauthenticated(),
      );
      return;
    }
    this.#services.tokenUse.seen(stream.credentialHash);
    for (const { eventName, body, nowMs } of readings) {
      if (eventName === null || body === null) continue;
      const headers = signedHeaders(stream.secret, null, Math.floor(nowMs / 1_000), { eventName, attempt: 1, body });
      stream.reader.deliver({ headers, body });
    }
  }
}
