import type { Database } from "../../postgres/database.ts";
import type { Jobs } from "../../postgres/jobs.ts";

/** What a dispatcher asks for. */
export interface DeliveryClaim {
  readonly dispatcherId: string;
  /** Whether the last claim said that it found nothing; it is then known as idle. */
  readonly wasIdle: boolean;
  /** Only endpoints whose ids come after this one. */
  readonly after: string;
  /** Of the endpoints it is busy with, or knows to be fast: how many more deliveries it would take; 10 of any other. */
  readonly room: ReadonlyMap<string, number>;
  readonly limit: number;
  /** Organizations of which it has its fill: nothing of theirs. */
  readonly fullTenants: readonly string[];
}

/** A delivery leased to a dispatcher: all that an attempt needs. */
export interface LeasedDelivery {
  readonly tenantId: string;
  readonly environment: "live" | "test";
  readonly endpointId: string;
  readonly deliveryId: string;
  /** evt_… */
  readonly eventName: string;
  /** The lease: only a result that names it is taken. */
  readonly attemptId: string;
  /** 1, 2, 3 and so on. */
  readonly attempt: number;
  readonly url: string;
  /** The event, to be posted as it is. */
  readonly body: string;
  readonly sealedSecret: Buffer;
  /** While it still signs. */
  readonly sealedPreviousSecret: Buffer | null;
  /** The database's clock, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** What became of an attempt, as jobs.record_attempts takes it. */
export interface AttemptResult {
  readonly tenant_id: string;
  readonly delivery_id: string;
  readonly attempt_id: string;
  readonly url: string;
  readonly requested_at_ms: number;
  readonly duration_ms: number;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly truncated: boolean;
  /** Null: succeeded. */
  readonly error_code: string | null;
  readonly retry_after_seconds: number | null;
}

/** What the worker asks of Postgres about deliveries. */
export class DeliveryStore {
  readonly #jobs: Jobs;

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  /** Leases deliveries that are due to a dispatcher, see jobs.claim_deliveries. */
  async claimDeliveries(claim: DeliveryClaim): Promise<LeasedDelivery[]> {
    return this.#jobs.query<LeasedDelivery>({
      name: "claim_deliveries",
      text: `select tenant_id as "tenantId", environment, endpoint_id as "endpointId", delivery_id as "deliveryId", event_name as "eventName",
        attempt_id as "attemptId", attempt, url, body, sealed_secret as "sealedSecret", sealed_previous_secret as "sealedPreviousSecret",
        extract(epoch from clock_timestamp()) * 1000 as "nowMs"
        from jobs.claim_deliveries($1, $2, $3, $4, $5, $6, $7)`,
      values: [
        claim.dispatcherId,
        claim.wasIdle,
        claim.after,
        [...claim.room.keys()],
        [...claim.room.values()],
        claim.limit,
        claim.fullTenants,
      ],
    });
  }

  /**
   * Keeps what became of attempts.
   * @returns the attempts whose results were taken; the others' deliveries were leased anew meanwhile
   */
  async recordAttempts(results: readonly AttemptResult[]): Promise<string[]> {
    const [row] = await this.#jobs.query<{ taken: string[] }>({
      name: "record_attempts",
      text: "select jobs.record_attempts($1) as taken",
      values: [JSON.stringify(results)],
    });
    return row?.taken ?? [];
  }

  /** A dispatcher ends. */
  async leaveDispatch(dispatcherId: string): Promise<void> {
    await this.#jobs.query("select jobs.leave_dispatch($1)", [dispatcherId]);
  }

  /** Gives back deliveries that were leased and not begun. */
  async releaseDeliveries(
    deliveries: readonly Pick<LeasedDelivery, "tenantId" | "deliveryId" | "attemptId">[],
  ): Promise<void> {
    const released = deliveries.map((delivery) => ({
      tenant_id: delivery.tenantId,
      delivery_id: delivery.deliveryId,
      attempt_id: delivery.attemptId,
    }));
    await this.#jobs.query("select jobs.release_deliveries($1)", [JSON.stringify(released)]);
  }

  /** Makes the partitions of the day that is so many days from now, unless a reader is in the way. */
  async addWebhookDay(ahead: number): Promise<void> {
    await this.#jobs.query("select jobs.add_webhook_day($1)", [ahead]);
  }

  /** @returns the partition that was dropped; null when none is old enough, or a reader is in the way */
  async dropWebhookDay(): Promise<string | null> {
    const [row] = await this.#jobs.query<{ dropped: string | null }>("select jobs.drop_webhook_day() as dropped");
    return row?.dropped ?? null;
  }

  /** @returns how many rows were deleted, at most so many of each table */
  async deleteOldDeliveries(limit: number): Promise<number> {
    const [row] = await this.#jobs.query<{ deleted: number }>("select jobs.delete_old_deliveries($1) as deleted", [
      limit,
    ]);
    return row?.deleted ?? 0;
  }
}

/** A stream of webhooks, and whom it is read for. */
export interface OpenStream {
  readonly id: string;
  readonly credentialHash: Buffer;
}

/** What the reading of a stream brought: an event, or none. */
export interface StreamReading {
  readonly id: string;
  /** Whether the token is still good. */
  readonly isAuthenticated: boolean;
  readonly eventName: string | null;
  readonly body: string | null;
  /** By Postgres' clock, since 1970. */
  readonly nowMs: number;
}

/** Takes what waits for streams; of one that expired nothing is answered. */
export function readWebhookStreams(
  database: Pick<Database, "query">,
  streams: readonly OpenStream[],
): Promise<StreamReading[]> {
  const given = streams.map(({ id, credentialHash }) => ({ id, credential_hash: credentialHash.toString("hex") }));
  return database.query<StreamReading>(
    `select id, is_authenticated as "isAuthenticated", event_name as "eventName", body,
       extract(epoch from clock_timestamp())::double precision * 1000 as "nowMs"
     from gateway.read_webhook_streams($1)`,
    [JSON.stringify(given)],
  );
}

/** Removes streams with what waited for them. */
export async function closeWebhookStreams(database: Pick<Database, "query">, ids: readonly string[]): Promise<void> {
  await database.query("select gateway.close_webhook_streams($1)", [ids]);
}
