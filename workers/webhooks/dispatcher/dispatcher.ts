import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import type { WebhookResponse, WebhookSender } from "../../../src/adapters/outgoing-http/webhook-sender.ts";
import type { DeliveryMetrics } from "../../../src/services/webhooks/metrics.ts";
import { openWebhookSecret } from "../../../src/services/webhooks/operations/secret.ts";
import { signedHeaders } from "../../../src/services/webhooks/operations/sign.ts";
import type { AttemptResult, DeliveryStore, LeasedDelivery } from "../../../src/services/webhooks/store.ts";
import { Lane, type Leased } from "./lane.ts";
import { Load } from "./load.ts";
import { Results } from "./results.ts";

/** Leased with one claim. */
const AT_ONCE = 200;
/** Results that wait to be written: with more, Postgres is behind, and nothing new is begun. */
const MOST_RESULTS = 1_000;
/** Between two claims, at least. In milliseconds. */
const PACE_MS = 5;
/** Between two claims that find nothing, in the end: the net below NOTIFY. */
const LONGEST_PAUSE_MS = 1_000;
/** An idle dispatcher says so again after this time; after a minute nobody would believe it. */
const SAY_AGAIN_MS = 20_000;
/** What a stop waits for a Postgres that cannot be reached, in milliseconds. */
const LONGEST_FAREWELL_MS = 10_000;
const LEAVE_AGAIN_MS = 250;
/** Of a lease of 60 seconds, what must be left for an attempt of 15 to be begun. */
const LATEST_START_MS = 40_000;
const ZERO = "00000000-0000-0000-0000-000000000000";
const MOST_SECRETS = 10_000;

export interface DispatcherOptions {
  readonly jobs: Pick<DeliveryStore, "claimDeliveries" | "recordAttempts" | "releaseDeliveries" | "leaveDispatch">;
  readonly sender: WebhookSender;
  readonly masterKeys: MasterKeyring;
  readonly metrics: DeliveryMetrics;
  readonly log: Logger;
  /** Whether endpoints of test environments may be on this machine. */
  readonly allowLoopback: boolean;
}

/**
 * Delivers webhooks: leases what is due, posts it, records what became of it. Any number of workers do so beside each
 * other; what a dead one had leased is leased anew a minute later.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #id = randomUUID();
  readonly #lanes = new Map<string, Lane>();
  readonly #results: Results;
  readonly #secrets = new Map<string, string>();
  readonly #attempts = new Set<Promise<void>>();
  readonly #load = new Load();
  /** From our performance.now() to the database's clock: ours may be wrong. In milliseconds. */
  #clockAhead = 0;
  #stopping = false;
  #wake: () => void = () => {};
  #isWoken = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#results = new Results(options.jobs, options.log);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** There may be something to do. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Takes nothing new, finishes the attempts under way, writes their results and gives back what it had not begun. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#running;
    const unbegun = [...this.#lanes.values()].flatMap((lane) => lane.drain());
    const given = this.#leave(unbegun);
    await Promise.all(this.#attempts);
    await this.#results.finish(LONGEST_FAREWELL_MS);
    await given;
  }

  /** Gives back what it had not begun, so that others need not wait for the leases to end; without Postgres they end by themselves. */
  async #leave(unbegun: readonly LeasedDelivery[]): Promise<void> {
    const began = performance.now();
    while (performance.now() - began < LONGEST_FAREWELL_MS) {
      try {
        await this.#options.jobs.releaseDeliveries(unbegun);
        await this.#options.jobs.leaveDispatch(this.#id);
        return;
      } catch {
        await setTimeout(LEAVE_AGAIN_MS);
      }
    }
  }

  async #run(): Promise<void> {
    let pause = PACE_MS;
    let after = ZERO;
    let wasIdle = false;
    let saidIdleAt = 0;
    while (!this.#stopping) {
      this.#isWoken = false;
      this.#giveBackOverdue();
      const limit = this.#limit();
      const leased = limit > 0 ? await this.#claim(wasIdle, after, limit) : null;
      if (leased === null || leased.length > 0) {
        pause = leased === null ? LONGEST_PAUSE_MS : PACE_MS;
        wasIdle = false;
      } else {
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        if (!wasIdle) saidIdleAt = performance.now();
        // Said anew from time to time: of one that has not been heard for a minute nobody believes it.
        wasIdle = performance.now() - saidIdleAt < SAY_AGAIN_MS;
      }
      // A full claim may have left out endpoints with greater ids: the next one begins behind it.
      after = leased?.length === limit ? greatest(leased) : ZERO;
      await this.#rest(pause);
      if (this.#isWoken) pause = PACE_MS;
    }
  }

  /** Of an endpoint that was quick and is no longer. */
  #giveBackOverdue(): void {
    const overdue = [...this.#lanes.values()].flatMap((lane) => lane.overdue());
    if (overdue.length === 0) return;
    for (const delivery of overdue) this.#load.remove(delivery);
    // Otherwise their leases end by themselves.
    this.#options.jobs.releaseDeliveries(overdue).catch(() => {});
  }

  /** How much may be leased now. */
  #limit(): number {
    return this.#results.waiting >= MOST_RESULTS ? 0 : Math.min(AT_ONCE, this.#load.room);
  }

  /** Null when Postgres could not be asked. */
  async #claim(wasIdle: boolean, after: string, limit: number): Promise<readonly LeasedDelivery[] | null> {
    const room = new Map<string, number>();
    for (const [endpointId, lane] of this.#lanes) {
      if (lane.isForgotten) this.#lanes.delete(endpointId);
      else if (lane.room !== null) room.set(endpointId, lane.room);
    }
    const askedAt = performance.now();
    try {
      const claim = { dispatcherId: this.#id, wasIdle, after, room, limit, fullTenants: this.#load.fullTenants };
      const leased = await this.#options.jobs.claimDeliveries(claim);
      for (const delivery of leased) {
        const lane = this.#lanes.get(delivery.endpointId) ?? new Lane();
        this.#lanes.set(delivery.endpointId, lane);
        this.#load.add(delivery);
        this.#clockAhead = delivery.nowMs - performance.now();
        lane.add({ delivery, askedAt, cameAt: performance.now() });
      }
      for (const endpointId of new Set(leased.map((delivery) => delivery.endpointId))) this.#begin(endpointId);
      return leased;
    } catch (error) {
      this.#options.log.warn({ err: error }, "deliveries could not be claimed; trying again");
      return null;
    }
  }

  /** Begins what the endpoint's lane has places for. */
  #begin(endpointId: string): void {
    const lane = this.#lanes.get(endpointId);
    while (lane && !this.#stopping) {
      const next = lane.next();
      if (next === null) break;
      const attempt = this.#attempt(next, lane).finally(() => {
        this.#attempts.delete(attempt);
        this.#begin(endpointId);
        // The endpoint may have more.
        this.wake();
      });
      this.#attempts.add(attempt);
    }
  }

  async #attempt({ delivery, askedAt }: Leased, lane: Lane): Promise<void> {
    const { sender, metrics, log, allowLoopback } = this.#options;
    const began = performance.now();
    let succeeded = false;
    try {
      // By now somebody else may lease it.
      if (began - askedAt > LATEST_START_MS) return;
      const requestedAt = began + this.#clockAhead;
      const secret = this.#secret(delivery.endpointId, delivery.sealedSecret);
      const previous =
        delivery.sealedPreviousSecret && this.#secret(delivery.endpointId, delivery.sealedPreviousSecret);
      const response = await sender.send({
        url: delivery.url,
        headers: signedHeaders(secret, previous, Math.floor(requestedAt / 1_000), delivery),
        body: delivery.body,
        allowLoopback: allowLoopback && delivery.environment === "test",
        nowMs: requestedAt,
      });
      succeeded = response.errorCode === null;
      const milliseconds = performance.now() - began;
      metrics.attempted(succeeded ? "succeeded" : "failed", milliseconds / 1_000);
      this.#results.add(resultOf(delivery, response, requestedAt, milliseconds));
    } catch (error) {
      // A secret that does not open: nothing was posted, and the lease ends by itself.
      log.error(
        { alarm: "webhook_not_sent", err: error, endpoint: delivery.endpointId },
        "a webhook could not be sent",
      );
    } finally {
      this.#load.remove(delivery);
      lane.done(succeeded, performance.now() - began);
    }
  }

  /** Opened once: a sealed secret never changes. */
  #secret(endpointId: string, sealed: Buffer): string {
    const name = `${endpointId} ${sealed.toString("base64")}`; // sealed for this endpoint: what is another's does not open
    let secret = this.#secrets.get(name);
    if (secret === undefined) {
      secret = openWebhookSecret(this.#options.masterKeys, endpointId, sealed);
      if (this.#secrets.size >= MOST_SECRETS) this.#secrets.clear();
      this.#secrets.set(name, secret);
    }
    return secret;
  }

  /** Until it is woken or the time is over; never shorter than the pace. */
  async #rest(milliseconds: number): Promise<void> {
    await setTimeout(PACE_MS);
    if (this.#isWoken || this.#stopping || milliseconds <= PACE_MS) return;
    const timer = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([woken, setTimeout(milliseconds - PACE_MS, null, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }
}

function greatest(leased: readonly LeasedDelivery[]): string {
  return leased.reduce((most, { endpointId }) => (endpointId > most ? endpointId : most), ZERO);
}

function resultOf(
  delivery: LeasedDelivery,
  response: WebhookResponse,
  requestedAtMs: number,
  milliseconds: number,
): AttemptResult {
  return {
    tenant_id: delivery.tenantId,
    delivery_id: delivery.deliveryId,
    attempt_id: delivery.attemptId,
    url: delivery.url,
    requested_at_ms: requestedAtMs,
    duration_ms: Math.round(milliseconds),
    response_status: response.status,
    response_body: response.body,
    truncated: response.truncated,
    error_code: response.errorCode,
    retry_after_seconds: response.retryAfterSeconds,
  };
}
