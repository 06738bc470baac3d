import type { Database } from "../../postgres/database.ts";
import type { Jobs } from "../../postgres/jobs.ts";

/** The claim of a dispatcher. */
export interface DeliveryClaim {
  readonly dispatcherId: string;
  /** Whether the dispatcher's last claim found nothing; Postgres then lists it as idle. */
  readonly wasIdle: boolean;
  /** Claim only from endpoints whose ids come after this one. */
  readonly after: string;
  /** How many more deliveries the dispatcher would take, for endpoints that it is busy with or knows to be fast; 10 for every other endpoint. */
  readonly room: ReadonlyMap<string, number>;
  readonly limit: number;
  /** Organizations whose share of the dispatcher is used up: claim nothing of theirs. */
  readonly fullTenants: readonly string[];
}

/** A delivery leased to a dispatcher, with everything that an attempt needs. */
export interface LeasedDelivery {
  readonly tenantId: string;
  readonly environment: "live" | "test";
  readonly endpointId: string;
  readonly deliveryId: string;
  /** evt_… */
  readonly eventName: string;
  /** Id of the lease: only a result with this id is accepted. */
  readonly attemptId: string;
  /** Number of the attempt: 1, 2, 3 and so on. */
  readonly attempt: number;
  readonly url: string;
  /** The event, to be posted byte for byte. */
  readonly body: string;
  readonly sealedSecret: Buffer;
  /** The previous secret, while it still signs. */
  readonly sealedPreviousSecret: Buffer | null;
  /** The database's clock, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The outcome of an attempt, as jobs.record_attempts takes it. A member that is absent is null there, and `truncated` false. */
export interface AttemptResult {
  readonly tenant_id: string;
  readonly delivery_id: string;
  readonly attempt_id: string;
  readonly url: string;
  readonly requested_at_ms: number;
  readonly duration_ms: number;
  readonly response_status?: number | undefined;
  readonly response_body?: string | undefined;
  readonly truncated?: true | undefined;
  /** Absent for a successful attempt. */
  readonly error_code?: string | undefined;
  /** What of TLS failed, for `tls_failed`. */
  readonly error_detail?: string | undefined;
  readonly retry_after_seconds?: number | undefined;
}

/** The worker's statements about deliveries. */
export class DeliveryStore {
  readonly #jobs: Jobs;

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  /** Leases due deliveries to a dispatcher, see jobs.claim_deliveries. */
  async claimDeliveries(claim: DeliveryClaim): Promise<LeasedDelivery[]> {
    return this.#jobs.query<LeasedDelivery>({
      name: "claim_deliveries",
      text: `select tenant_id as "tenantId", environment, endpoint_id as "endpointId", delivery_id as "deliveryId", event_name as "eventName",
        attempt_id as "attemptId", attempt, url, body, sealed_secret as "sealedSecret", sealed_previous_secret as "sealedPreviousSecret",
        (select extract(epoch from clock_timestamp()) * 1000) as "nowMs"
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
   * Records the outcomes of attempts.
   * @returns how many outcomes were accepted; the deliveries of the others were leased again meanwhile
   */
  async recordAttempts(results: readonly AttemptResult[]): Promise<number> {
    const [row] = await this.#jobs.query<{ taken: number }>({
      name: "record_attempts",
      text: "select cardinality(jobs.record_attempts($1)) as taken",
      values: [JSON.stringify(results)],
    });
    return row?.taken ?? 0;
  }

  /** Deregisters a dispatcher that ends. */
  async leaveDispatch(dispatcherId: string): Promise<void> {
    await this.#jobs.query("select jobs.leave_dispatch($1)", [dispatcherId]);
  }

  /** Gives back leased deliveries that were not begun. */
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

  /** Makes the partitions for the day this many days from now, unless a reader holds a lock. */
  async addWebhookDay(ahead: number): Promise<void> {
    await this.#jobs.query("select jobs.add_webhook_day($1)", [ahead]);
  }

  /** @returns the partition that was dropped; null if none is old enough, or if a reader holds a lock */
  async dropWebhookDay(): Promise<string | null> {
    const [row] = await this.#jobs.query<{ dropped: string | null }>("select jobs.drop_webhook_day() as dropped");
    return row?.dropped ?? null;
  }

  /** @returns the number of deleted rows, at most `limit` of each table */
  async deleteOldDeliveries(limit: number): Promise<number> {
    const [row] = await this.#jobs.query<{ deleted: number }>("select jobs.delete_old_deliveries($1) as deleted", [
      limit,
    ]);
    return row?.deleted ?? 0;
  }
}

/** A stream of webhooks and the credential it is read for. */
export interface OpenStream {
  readonly id: string;
  readonly credentialHash: Buffer;
}

/** The result of reading a stream: one event, or none. */
export interface StreamReading {
  readonly id: string;
  /** Whether the token is still valid. */
  readonly isAuthenticated: boolean;
  readonly eventName: string | null;
  readonly body: string | null;
  /** Postgres' clock, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Takes the waiting events of streams; an expired stream has no row in the answer. */
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

/** Removes streams and their waiting events. */
export async function closeWebhookStreams(database: Pick<Database, "query">, ids: readonly string[]): Promise<void> {
  await database.query("select gateway.close_webhook_streams($1)", [ids]);
}
