import { Gauge, type Registry } from "prom-client";
import type { QueueStates } from "../../postgres/queue-states.ts";

/** Scrapes within so long are answered from one reading: whoever scrapes often asks no more of Postgres. */
const FRESH_MS = 5_000;
/** A database that hangs is a database that is away. */
const MOST_MS = 2_000;

/** What lies in Postgres and is the same from every process: jobs, proofs to be verified, deliveries of webhooks. Gone while Postgres is away. */
export class QueueMetrics {
  #read: (() => Promise<QueueStates>) | null = null;
  #underWay: Promise<void> | null = null;
  #freshUntil = 0;

  readonly #up: Gauge;
  readonly #jobs: Gauge<"task" | "state">;
  readonly #oldestJob: Gauge<"task">;
  readonly #proofs: Gauge<"state">;
  readonly #oldestProof: Gauge;
  readonly #deliveries: Gauge<"state">;
  readonly #oldestDelivery: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#up = new Gauge({
      name: "selo_database_up",
      help: "1 when Postgres told the state of the queues, 0 when it did not.",
      registers,
    });
    this.#jobs = new Gauge({
      name: "selo_jobs",
      help: "Jobs in the queue; failed: their attempts are used up.",
      labelNames: ["task", "state"],
      registers,
    });
    this.#oldestJob = new Gauge({
      name: "selo_jobs_oldest_waiting_seconds",
      help: "For how long the oldest waiting job has been due.",
      labelNames: ["task"],
      registers,
    });
    this.#proofs = new Gauge({
      name: "selo_unverified_proofs",
      help: "Proofs that wait for their second verification, or failed it.",
      labelNames: ["state"],
      registers,
    });
    this.#oldestProof = new Gauge({
      name: "selo_unverified_proofs_oldest_waiting_seconds",
      help: "For how long the oldest proof has waited for its second verification.",
      registers,
    });
    this.#deliveries = new Gauge({
      name: "selo_webhook_deliveries",
      help: "Deliveries of webhooks that are due and wait, are leased by a worker, or scheduled for later; counted up to 10,000.",
      labelNames: ["state"],
      registers,
    });
    this.#oldestDelivery = new Gauge({
      name: "selo_webhook_deliveries_oldest_waiting_seconds",
      help: "For how long the oldest waiting delivery of a webhook has been due.",
      registers,
    });
    this.#away();
  }

  readBy(read: () => Promise<QueueStates>): void {
    this.#read ??= read;
  }

  /** Reads the queues again if the last reading is old; never more than one at a time, and nobody waits long for it. */
  async refresh(): Promise<void> {
    if (this.#read === null || performance.now() < this.#freshUntil) return;
    this.#underWay ??= this.#read()
      .then(
        (states) => this.#show(states),
        () => this.#away(),
      )
      .finally(() => {
        this.#underWay = null;
        this.#freshUntil = performance.now() + FRESH_MS;
      });
    if (!(await settlesWithin(this.#underWay, MOST_MS))) this.#away();
  }

  #show({ jobs, unverified_proofs, webhook_deliveries }: QueueStates): void {
    this.#forget();
    this.#up.set(1);
    for (const { task, oldest_seconds, ...states } of jobs) {
      for (const [state, count] of Object.entries(states)) this.#jobs.set({ task, state }, count);
      this.#oldestJob.set({ task }, oldest_seconds ?? 0);
    }
    for (const [queue, gauge, oldest] of [
      [unverified_proofs, this.#proofs, this.#oldestProof],
      [webhook_deliveries, this.#deliveries, this.#oldestDelivery],
    ] as const) {
      const { oldest_seconds, ...states } = queue;
      for (const [state, count] of Object.entries(states)) gauge.set({ state }, count);
      oldest.set(oldest_seconds ?? 0);
    }
  }

  #away(): void {
    this.#forget();
    this.#up.set(0);
  }

  /** What is not known is not told: an old figure, or a zero, would look like an answer. */
  #forget(): void {
    for (const gauge of [this.#jobs, this.#oldestJob, this.#proofs, this.#deliveries]) gauge.reset();
    for (const gauge of [this.#oldestProof, this.#oldestDelivery]) gauge.remove();
  }
}

async function settlesWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
