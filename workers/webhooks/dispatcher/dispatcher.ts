import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import type { WebhookResponse, WebhookSender } from "../../../src/adapters/outgoing-http/webhook-sender.ts";
import { signedHeaders } from "../../../src/services/webhooks/deliveries/sign.ts";
import type { DeliveryMetrics } from "../../../src/services/webhooks/metrics.ts";
import type { AttemptResult, DeliveryStore, LeasedDelivery } from "../../../src/services/webhooks/store.ts";
import { Lane, type Leased } from "./lane.ts";
import { Load } from "./load.ts";
import { Results } from "./results.ts";
import { Secrets } from "./secrets.ts";

/** Most deliveries leased with one claim. */
const AT_ONCE = 200;
/** Most results that wait to be written. With more, Postgres is too slow, and no new attempt begins. */
const MOST_RESULTS = 1_000;
/** Shortest time between two claims, in milliseconds. */
const PACE_MS = 5;
/** Longest time between two claims that find nothing, in case a NOTIFY is lost. */
const LONGEST_PAUSE_MS = 1_000;
/** An idle dispatcher reports itself as idle again after this time; a report expires after a minute. */
const SAY_AGAIN_MS = 20_000;
/** How long a stop waits for an unreachable Postgres, in milliseconds. */
const LONGEST_FAREWELL_MS = 10_000;
const LEAVE_AGAIN_MS = 250;
/** Latest start of an attempt after its lease was claimed: a lease lasts 60 seconds, an attempt up to 15. */
const LATEST_START_MS = 40_000;
const ZERO = "00000000-0000-0000-0000-000000000000";

export interface DispatcherOptions {
  readonly jobs: Pick<DeliveryStore, "claimDeliveries" | "recordAttempts" | "releaseDeliveries" | "leaveDispatch">;
  readonly sender: WebhookSender;
  readonly masterKeys: MasterKeyring;
  readonly metrics: DeliveryMetrics;
  readonly log: Logger;
  /** Whether endpoints of test environments may point to this machine. */
  readonly allowLoopback: boolean;
}

/**
 * Delivers webhooks: leases due deliveries, posts them, records the outcomes. Any number of workers do so side by
 * side. Deliveries leased by a dead worker are leased again a minute later.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #id = randomUUID();
  readonly #lanes = new Map<string, Lane>();
  readonly #results: Results;
  readonly #secrets: Secrets;
  readonly #attempts = new Set<Promise<void>>();
  readonly #load = new Load();
  /** Difference between the database's clock and our performance.now(), in milliseconds. This machine's clock may be wrong. */
  #clockAhead = 0;
  #stopping = false;
  #wake: () => void = () => {};
  #isWoken = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#results = new Results(options.jobs, options.log);
    this.#secrets = new Secrets(options.masterKeys);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Called when deliveries may be due. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Takes no new deliveries, finishes attempts under way, writes their results, and gives back deliveries that were not begun. */
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

  /** Gives back deliveries that were not begun, so that other workers need not wait for the leases to end. Without Postgres the leases end by themselves. */
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
        // Reported again from time to time, because a report of idleness expires after a minute.
        wasIdle = performance.now() - saidIdleAt < SAY_AGAIN_MS;
      }
      // A full claim may have left out endpoints with greater ids: the next claim begins after the greatest.
      after = leased?.length === limit ? greatest(leased) : ZERO;
      await this.#rest(pause);
      if (this.#isWoken) pause = PACE_MS;
    }
  }

  /** Gives back deliveries leased ahead for an endpoint that has become slow. */
  #giveBackOverdue(): void {
    const overdue = [...this.#lanes.values()].flatMap((lane) => lane.overdue());
    if (overdue.length === 0) return;
    for (const delivery of overdue) this.#load.remove(delivery);
    // If this fails, their leases end by themselves.
    this.#options.jobs.releaseDeliveries(overdue).catch(() => {});
  }

  /** How many deliveries may be leased now. */
  #limit(): number {
    return this.#results.waiting >= MOST_RESULTS ? 0 : Math.min(AT_ONCE, this.#load.room);
  }

  /** Null if Postgres could not be asked. */
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

  /** Begins as many attempts as the endpoint's lane has places for. */
  #begin(endpointId: string): void {
    const lane = this.#lanes.get(endpointId);
    while (lane && !this.#stopping) {
      const next = lane.next();
      if (next === null) break;
      const attempt = this.#attempt(next, lane).then(() => {
        this.#attempts.delete(attempt);
        this.#begin(endpointId);
        // More deliveries of the endpoint may be due.
        this.wake();
      });
      this.#attempts.add(attempt);
    }
  }

  /** Never throws. */
  async #attempt({ delivery, askedAt }: Leased, lane: Lane): Promise<void> {
    const { sender, metrics, log, allowLoopback } = this.#options;
    const began = performance.now();
    let succeeded = false;
    try {
      // Another dispatcher may have leased it by now.
      if (began - askedAt > LATEST_START_MS) return;
      const requestedAt = began + this.#clockAhead;
      const { endpointId, sealedSecret, sealedPreviousSecret } = delivery;
      const secret = this.#secrets.open(endpointId, sealedSecret);
      const previous = sealedPreviousSecret && this.#secrets.open(endpointId, sealedPreviousSecret);
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
      // The secret does not decrypt: nothing was posted, and the lease ends by itself.
      log.error(
        { alarm: "webhook_not_sent", err: error, endpoint: delivery.endpointId },
        "a webhook could not be sent",
      );
    } finally {
      this.#load.remove(delivery);
      lane.done(succeeded, performance.now() - began);
    }
  }

  /** Waits until it is woken or the time is over, but never less than the pace. */
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
    response_status: response.status ?? undefined,
    response_body: response.body ?? undefined,
    truncated: response.truncated || undefined,
    error_code: response.errorCode ?? undefined,
    error_detail: response.errorDetail ?? undefined,
    retry_after_seconds: response.retryAfterSeconds ?? undefined,
  };
}
