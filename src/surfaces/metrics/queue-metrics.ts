import { Gauge, type Registry } from "prom-client";
import type { QueueState, QueueStates } from "../../postgres/queue-states.ts";

/** Scrapes within this time share one reading, so that frequent scrapes do not load Postgres. */
const FRESH_MS = 5_000;
/** A database that hangs counts as unreachable. */
const MOST_MS = 2_000;

/** How a queue of a service is shown: the count in each state, and how long the oldest item has waited. */
export interface QueueGauges {
  /** `selo_…`; the gauge of the oldest item has the suffix `_oldest_waiting_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly oldestHelp: string;
}

/** State in Postgres, the same from every process: jobs, and the queues of services. Absent while Postgres is away. */
export class QueueMetrics {
  #read: (() => Promise<QueueStates>) | null = null;
  #underWay: Promise<void> | null = null;
  #freshMs = FRESH_MS;
  #freshUntil = 0;

  readonly #up: Gauge;
  readonly #jobs: Gauge<"task" | "state">;
  readonly #oldestJob: Gauge<"task">;
  readonly #queues: readonly { readonly queue: string; readonly states: Gauge<"state">; readonly oldest: Gauge }[];

  constructor(registry: Registry, queues: Readonly<Record<string, QueueGauges>>) {
    const registers = [registry];
    this.#up = new Gauge({
      name: "selo_database_up",
      help: "1 if Postgres answered the last reading of its queues, 0 if not.",
      registers,
    });
    this.#jobs = new Gauge({
      name: "selo_jobs",
      help: "Jobs: waiting, scheduled (for later, or for a retry), running, failed (no attempts left).",
      labelNames: ["task", "state"],
      registers,
    });
    this.#oldestJob = new Gauge({
      name: "selo_jobs_oldest_waiting_seconds",
      help: "For how long the oldest waiting job has been due.",
      labelNames: ["task"],
      registers,
    });
    this.#queues = Object.entries(queues).map(([queue, { name, help, oldestHelp }]) => ({
      queue,
      states: new Gauge({ name, help, labelNames: ["state"], registers }),
      oldest: new Gauge({ name: `${name}_oldest_waiting_seconds`, help: oldestHelp, registers }),
    }));
    this.#away();
  }

  readBy(read: () => Promise<QueueStates>, freshMs = FRESH_MS): void {
    if (this.#read !== null) return;
    this.#read = read;
    this.#freshMs = freshMs;
  }

  /** Reads the queues again if the last reading is old. Only one reading runs at a time, and no caller waits long for it. */
  async refresh(): Promise<void> {
    if (this.#read === null || performance.now() < this.#freshUntil) return;
    this.#underWay ??= this.#read()
      .then((states) => this.#show(states))
      .catch(() => this.#away())
      .finally(() => {
        this.#underWay = null;
        this.#freshUntil = performance.now() + this.#freshMs;
      });
    if (!(await settlesWithin(this.#underWay, MOST_MS))) this.#away();
  }

  #show({ jobs, ...others }: QueueStates): void {
    this.#forget();
    this.#up.set(1);
    for (const { task, oldest_seconds, ...states } of jobs) {
      for (const [state, count] of Object.entries(states)) this.#jobs.set({ task, state }, count);
      this.#oldestJob.set({ task }, oldest_seconds ?? 0);
    }
    for (const { queue, states, oldest } of this.#queues) {
      const { oldest_seconds = null, ...counts } = (others as Readonly<Record<string, QueueState>>)[queue] ?? {};
      for (const [state, count] of Object.entries(counts)) states.set({ state }, count ?? 0);
      oldest.set(oldest_seconds ?? 0);
    }
  }

  #away(): void {
    this.#forget();
    this.#up.set(0);
  }

  /** Removes unknown figures: an old figure, or a zero, would look like a fact. */
  #forget(): void {
    for (const gauge of [this.#jobs, this.#oldestJob]) gauge.reset();
    for (const { states, oldest } of this.#queues) {
      states.reset();
      oldest.remove();
    }
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
