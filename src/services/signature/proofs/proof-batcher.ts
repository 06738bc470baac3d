import { AppError } from "../../../errors/app-error.ts";
import type { Call, Caller, Origin } from "../../../postgres/call.ts";
import { type DatabaseFailure, decodeFailure } from "../../../postgres/errors.ts";
import { refuseLate } from "../../../postgres/patience.ts";

/** Commands that take `{proofs: [item, …]}` and return an outcome for each item, in order. */
export type BatchCommand = "prepare_proofs" | "record_proofs";
export type BatchItem = Readonly<Record<string, unknown>>;

/** The outcome of one item. */
export interface Outcome {
  readonly status: number;
  /** True if an earlier request with the same Idempotency-Key produced the answer. */
  readonly replayed: boolean;
  /** Absent if the caller already has the answer. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Most items of a batch. A batch is one transaction; with more items the first would wait for the last. */
const MOST_PER_BATCH = 50;
/** Most batches of one command under way at once. */
const MOST_UNDER_WAY = 2;
/** Milliseconds that an item waits for others while other works are under way. */
const GATHER_MS = 4;

/** Makes one batched call. */
export type BatchedCall = (command: BatchCommand, credentialHash: Buffer, item: BatchItem) => Promise<Outcome>;

interface Waiting {
  readonly origin: Origin;
  readonly command: BatchCommand;
  readonly credentialHash: Buffer;
  readonly item: BatchItem;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches the calls of works that run at the same time: one call for each token, and all calls in one round
 * trip. This is a special hot path, and no template for other operations. An item waits a few milliseconds for others,
 * and only while other works are under way.
 */
export class ProofBatcher {
  readonly #caller: Caller;
  readonly #waiting: Record<BatchCommand, Waiting[]> = { prepare_proofs: [], record_proofs: [] };
  readonly #underWay: Record<BatchCommand, number> = { prepare_proofs: 0, record_proofs: 0 };
  readonly #timers: Partial<Record<BatchCommand, NodeJS.Timeout>> = {};
  #works = 0;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Runs a work; its calls are batched with those of other works that run at the same time. */
  async run<Result>(origin: Origin, work: (call: BatchedCall) => Promise<Result>): Promise<Result> {
    this.#works++;
    try {
      return await work((command, credentialHash, item) => this.#add(origin, command, credentialHash, item));
    } finally {
      this.#works--;
    }
  }

  #add(origin: Origin, command: BatchCommand, credentialHash: Buffer, item: BatchItem): Promise<Outcome> {
    return new Promise<Outcome>((resolve, reject) => {
      this.#waiting[command].push({ origin, command, credentialHash, item, since: performance.now(), resolve, reject });
      if (this.#waiting[command].length >= Math.min(this.#works, MOST_PER_BATCH)) this.#send(command);
      else this.#timers[command] ??= setTimeout(() => this.#send(command), GATHER_MS);
    });
  }

  #send(command: BatchCommand): void {
    clearTimeout(this.#timers[command]);
    delete this.#timers[command];
    if (this.#underWay[command] >= MOST_UNDER_WAY) return;
    refuseLate(this.#waiting[command]);
    const batch = this.#waiting[command].splice(0, MOST_PER_BATCH);
    if (batch.length === 0) return;
    this.#underWay[command]++;
    void this.#runBatch(batch).finally(() => {
      this.#underWay[command]--;
      // Items that arrived meanwhile have waited long enough.
      this.#send(command);
    });
  }

  async #runBatch(batch: readonly Waiting[]): Promise<void> {
    const groups = [...Map.groupBy(batch, ({ credentialHash }) => credentialHash.toString("base64")).values()];
    const [only] = groups;
    if (only !== undefined && groups.length === 1) return this.#runGroup(only);
    try {
      const answers = await this.#caller.callMany(groups.map(callOf));
      for (const [place, group] of groups.entries()) {
        const answer = answers[place];
        if (answer === undefined) fail(group, new Error("gateway.call_many answered too few rows"));
        else if ("failure" in answer) await this.#failGroup(group, decodeFailure(answer.failure));
        else settle(group, answer.body);
      }
    } catch (error) {
      fail(batch, error);
    }
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const answer = await this.#caller.call(callOf(group));
      settle(group, answer.body);
    } catch (error) {
      await this.#failGroup(group, error);
    }
  }

  /** If the credits do not suffice for all items, they may suffice for some: then each item is tried alone. */
  async #failGroup(group: readonly Waiting[], error: unknown): Promise<void> {
    if (group.length === 1 || !(error instanceof AppError) || error.status !== 402) return fail(group, error);
    for (const each of group) await this.#runGroup([each]);
  }
}

function callOf(group: readonly Waiting[]): Call {
  const [first] = group;
  if (first === undefined) throw new Error("an empty group");
  const { credentialHash, command, origin } = first;
  const others = group.length - 1;
  return {
    credentialHash,
    command,
    arguments: { proofs: group.map(({ item }) => item) },
    // For Postgres' own logs. The audit trail's facts about an item are in the item.
    origin: others === 0 ? origin : { ...origin, requestId: `${origin.requestId} +${others}`, address: "" },
  };
}

function settle(group: readonly Waiting[], body: string | null): void {
  const outcomes = JSON.parse(body ?? "[]") as (Outcome | { readonly failure: DatabaseFailure })[];
  for (const [place, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[place];
    if (outcome === undefined) reject(new Error("a batch answered too few outcomes"));
    else if ("failure" in outcome) reject(decodeFailure(outcome.failure));
    else resolve(outcome);
  }
}

function fail(group: readonly Waiting[], error: unknown): void {
  for (const { reject } of group) reject(error);
}
