import type pg from "pg";
import type { StoredSigningKey } from "./database.ts";
import { decodeDatabaseError } from "./errors.ts";
import type { QueueStates } from "./queue-states.ts";

/** One tenant's world. */
export interface Environment {
  readonly tenantId: string;
  readonly environment: "live" | "test";
}

/** What is signed of a seal, as jobs.prepare_audit_seal answers it. */
export type AuditSealPayload = Readonly<Record<string, string | number | null>>;

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

const SLOW_MS = 30 * 60_000;

/** What the worker asks of Postgres: functions of schema jobs, in the context of a tenant or across all of them. */
export class Jobs {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Runs a job function in the context of one tenant and environment; answers what it answers, still unparsed. */
  async call({ tenantId, environment }: Environment, jobFunction: string, args: object = {}): Promise<unknown> {
    const [row] = await this.#query<{ answer: unknown }>("select jobs.call($1, $2, $3, $4) as answer", [
      tenantId,
      environment,
      jobFunction,
      args,
    ]);
    return row?.answer;
  }

  /** @returns how many keys were forgotten; as many as the limit means there may be more */
  async sweepIdempotencyKeys(limit: number): Promise<number> {
    const [row] = await this.#query<{ swept: number }>("select jobs.sweep_idempotency_keys($1) as swept", [limit]);
    return row?.swept ?? 0;
  }

  /** @returns how many addresses and tokens were forgotten whose window is over */
  async sweepRequestCounts(): Promise<number> {
    const [row] = await this.#query<{ swept: number }>("select jobs.sweep_request_counts() as swept");
    return row?.swept ?? 0;
  }

  /** @returns number of the newest migration of graphile-worker's tables that older versions cannot work with; 0 for none */
  async newestBreakingMigration(): Promise<number> {
    const [row] = await this.#query<{ newest: number }>(
      "select coalesce(max(id), 0) as newest from graphile_worker.migrations where breaking",
    );
    return row?.newest ?? 0;
  }

  /** @returns how many mails lost their personal data; as many as the limit means there may be more */
  async eraseOldMails(limit: number): Promise<number> {
    const [row] = await this.#query<{ erased: number }>("select jobs.erase_old_mails($1) as erased", [limit]);
    return row?.erased ?? 0;
  }

  /** The keys whose seals are accepted now, of both environments. */
  signingKeys(): Promise<StoredSigningKey[]> {
    return this.#query<StoredSigningKey>(
      `select key_id as "keyId", environment, algorithm, public_key as "publicKey", sealed_seed as "sealedSeed", status from jobs.signing_keys()`,
    );
  }

  async prepareAuditSeal(): Promise<AuditSealPayload> {
    const [row] = await this.#slowQuery<{ payload: AuditSealPayload }>("select jobs.prepare_audit_seal() as payload");
    if (row === undefined) throw new Error("jobs.prepare_audit_seal answered no row");
    return row.payload;
  }

  /** @returns the seal's number; null when another came between the halves */
  async recordAuditSeal(evidence: string, ed25519: Buffer, mlDsa87: Buffer): Promise<number | null> {
    const [row] = await this.#query<{ number: number | null }>("select jobs.record_audit_seal($1, $2, $3) as number", [
      evidence,
      ed25519,
      mlDsa87,
    ]);
    return row?.number ?? null;
  }

  /** Has the audit trail verified, by whichever worker comes to it. */
  async addVerification(): Promise<void> {
    await this.#query("select jobs.add_verification()");
  }

  /** Nothing is amiss in what the seals up to this one cover. */
  async recordVerification(seal: number): Promise<void> {
    await this.#query("select jobs.record_verification($1)", [seal]);
  }

  environmentsWithUnverifiedProofs(): Promise<Environment[]> {
    return this.#query<Environment>(
      `select tenant_id as "tenantId", environment from jobs.environments_with_unverified_proofs()`,
    );
  }

  /** How many proofs failed their second verification, and how many have waited for it too long. */
  async proofAlarms(): Promise<{ readonly failed: number; readonly overdue: number }> {
    const [row] = await this.#query<{ failed: number; overdue: number }>(
      "select failed, overdue from jobs.proof_alarms()",
    );
    return row ?? { failed: 0, overdue: 0 };
  }

  /** Leases deliveries that are due to a dispatcher, see jobs.claim_deliveries. */
  async claimDeliveries(claim: DeliveryClaim): Promise<LeasedDelivery[]> {
    return this.#query<LeasedDelivery>({
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
    const [row] = await this.#query<{ taken: string[] }>({
      name: "record_attempts",
      text: "select jobs.record_attempts($1) as taken",
      values: [JSON.stringify(results)],
    });
    return row?.taken ?? [];
  }

  /** A dispatcher ends. */
  async leaveDispatch(dispatcherId: string): Promise<void> {
    await this.#query("select jobs.leave_dispatch($1)", [dispatcherId]);
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
    await this.#query("select jobs.release_deliveries($1)", [JSON.stringify(released)]);
  }

  /** Makes the partitions of the day that is so many days from now, unless a reader is in the way. */
  async addWebhookDay(ahead: number): Promise<void> {
    await this.#query("select jobs.add_webhook_day($1)", [ahead]);
  }

  /** @returns the partition that was dropped; null when none is old enough, or a reader is in the way */
  async dropWebhookDay(): Promise<string | null> {
    const [row] = await this.#query<{ dropped: string | null }>("select jobs.drop_webhook_day() as dropped");
    return row?.dropped ?? null;
  }

  /** @returns how many rows were deleted, at most so many of each table */
  async deleteOldDeliveries(limit: number): Promise<number> {
    const [row] = await this.#query<{ deleted: number }>("select jobs.delete_old_deliveries($1) as deleted", [limit]);
    return row?.deleted ?? 0;
  }

  async queueStates(): Promise<QueueStates> {
    const [row] = await this.#query<{ states: QueueStates }>("select jobs.queue_states() as states");
    if (row === undefined) throw new Error("jobs.queue_states answered no row");
    return row.states;
  }

  /** For the one statement that grows with what all organizations have: half an hour in place of a minute. */
  async #slowQuery<Row>(text: string): Promise<Row[]> {
    const client = await this.#pool.connect();
    try {
      await client.query(`set statement_timeout = ${SLOW_MS}`);
      return (await client.query({ text, query_timeout: SLOW_MS + 5_000 } as pg.QueryConfig)).rows as Row[];
    } catch (error) {
      throw decodeDatabaseError(error);
    } finally {
      // Its settings go with it.
      client.release(true);
    }
  }

  async #query<Row>(text: string | pg.QueryConfig, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await (typeof text === "string" ? this.#pool.query(text, values) : this.#pool.query(text))).rows as Row[];
    } catch (error) {
      throw decodeDatabaseError(error);
    }
  }
}
