import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { QueueStates } from "../../postgres/queue-states.ts";
import { type QueueGauges, QueueMetrics } from "./queue-metrics.ts";

/** A request that was answered. No label may contain a value that a caller chose: each value is a series that is kept forever. */
export interface AnsweredRequest {
  readonly method: string;
  /** The route pattern, such as /api/v1/proofs/:id. */
  readonly route: string;
  /** HTTP status, or `aborted` if the caller went away before the answer was sent. */
  readonly status: string;
  readonly seconds: number;
}

/** The numbers read from a connection pool. */
export interface PoolState {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** The outcome of a job's attempt; `failed_for_good` if no attempt is left. */
export type JobOutcome = "succeeded" | "failed" | "failed_for_good";

/** Makes a service's metrics. */
export type MakeMetrics<Own> = (registers: Registry[]) => Own;

/** The facts that prom-client keeps about each metric. */
interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** In seconds: from a read in memory to the longest statement. */
export const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const JOB_BUCKETS = [0.01, 0.1, 1, 10, 60, 300];

/**
 * The metrics of one process, in its own registry: several gateways may run in one process, and prom-client's global
 * registry would mix them. The guide to operating, section Metrics, lists names and labels.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #pools = new Map<string, PoolState>();
  readonly #queues: QueueMetrics;
  readonly #own = new Map<MakeMetrics<unknown>, unknown>();
  #inFlight = 0;
  #watchesProcess = false;

  readonly #requests = new Counter({
    name: "selo_http_requests_total",
    help: "Requests answered, by route pattern (unknown: no such path; unreadable: not an HTTP request). Status aborted: the caller went away before the answer.",
    labelNames: ["method", "route", "status"] as const,
    registers: this.#registers,
  });
  readonly #durations = new Histogram({
    name: "selo_http_request_duration_seconds",
    help: "Histogram, from the headers of a request to the end of its answer.",
    labelNames: ["method", "route", "status"] as const,
    buckets: REQUEST_BUCKETS,
    registers: this.#registers,
  });
  readonly #rateLimited = new Counter({
    name: "selo_rate_limited_requests_total",
    help: "Requests answered with 429.",
    registers: this.#registers,
  });
  readonly #errors = new Counter({
    name: "selo_errors_total",
    help: "Errors sent to callers, in REST and GraphQL.",
    labelNames: ["code"] as const,
    registers: this.#registers,
  });
  readonly #graphqlOperations = new Counter({
    name: "selo_graphql_operations_total",
    help: "GraphQL operations answered: query, mutation, or refused before the kind was known.",
    labelNames: ["kind", "status"] as const,
    registers: this.#registers,
  });
  readonly #seals = new Counter({
    name: "selo_seals_total",
    help: "Seals of two signatures each: made (and verified) or failed.",
    labelNames: ["environment", "outcome"] as const,
    registers: this.#registers,
  });
  readonly #credits = new Counter({
    name: "selo_credits_spent_total",
    help: "Credits spent by requests of this process; the ledger has the exact amounts.",
    labelNames: ["kind"] as const,
    registers: this.#registers,
  });
  readonly #jobs = new Histogram({
    name: "selo_job_duration_seconds",
    help: "Histogram of attempts in this process: succeeded, failed, failed_for_good.",
    labelNames: ["task", "outcome"] as const,
    buckets: JOB_BUCKETS,
    registers: this.#registers,
  });
  readonly #jobSuccess = new Gauge({
    name: "selo_job_last_success_timestamp_seconds",
    help: "When a job of the task last succeeded in this process.",
    labelNames: ["task"] as const,
    registers: this.#registers,
  });

  /** @param queues of services, by their member in platform.queue_states */
  constructor(queues: Readonly<Record<string, QueueGauges>> = {}) {
    this.#queues = new QueueMetrics(this.#registry, queues);
    const inFlight = () => this.#inFlight;
    new Gauge({
      name: "selo_http_requests_in_flight",
      help: "Requests under way, streams of selo listen included.",
      registers: this.#registers,
      collect() {
        this.set(inFlight());
      },
    });
    const pools = this.#pools;
    new Gauge({
      name: "selo_database_connections",
      help: "Open connections of gateway or worker: busy, idle.",
      labelNames: ["pool", "state"] as const,
      registers: this.#registers,
      collect() {
        for (const [pool, { totalCount, idleCount }] of pools) {
          this.set({ pool, state: "idle" }, idleCount);
          this.set({ pool, state: "busy" }, totalCount - idleCount);
        }
      },
    });
    new Gauge({
      name: "selo_database_waiting",
      help: "Statements that wait for a connection.",
      labelNames: ["pool"] as const,
      registers: this.#registers,
      collect() {
        for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
      },
    });
    // Each series exists from the start, so that its first count shows as an increase.
    for (const environment of ["live", "test"]) {
      for (const outcome of ["made", "failed"]) this.#seals.inc({ environment, outcome }, 0);
    }
  }

  requestBegan(): void {
    this.#inFlight += 1;
  }

  requestEnded(request: AnsweredRequest): void {
    this.#inFlight -= 1;
    this.requestRefused(request);
  }

  /** Counts a request that never reached a route: Node or the router could not read it. */
  requestRefused({ method, route, status, seconds }: AnsweredRequest): void {
    const labels = { method, route, status };
    this.#requests.inc(labels);
    this.#durations.observe(labels, seconds);
    if (status === "429") this.#rateLimited.inc();
  }

  /** @param code a code in platform.error_codes */
  errorTold(code: string): void {
    this.#errors.inc({ code });
  }

  graphqlAnswered(kind: "query" | "mutation" | "subscription" | "refused", status: number): void {
    this.#graphqlOperations.inc({ kind, status: String(status) });
  }

  sealed(environment: string, outcome: "made" | "failed"): void {
    this.#seals.inc({ environment, outcome });
  }

  creditsSpent(kind: string, count: number): void {
    this.#credits.inc({ kind }, count);
  }

  /** A service's metrics, made at the first call. */
  of<Own>(make: MakeMetrics<Own>): Own {
    if (!this.#own.has(make)) this.#own.set(make, make(this.#registers));
    return this.#own.get(make) as Own;
  }

  jobEnded(task: string, outcome: JobOutcome, seconds: number): void {
    this.#jobs.observe({ task, outcome }, seconds);
    if (outcome === "succeeded") this.#jobSuccess.set({ task }, Date.now() / 1_000);
  }

  watchPool(name: "gateway" | "worker", pool: PoolState): void {
    this.#pools.set(name, pool);
  }

  /** Sets how queues are read at a scrape; in a process with several readers the first is used. */
  watchQueues(read: () => Promise<QueueStates>, freshMs?: number): void {
    this.#queues.readBy(read, freshMs);
  }

  /** Adds Node's metrics of the process, with event loop lag. Called only if somebody may read them, because they cost a timer. */
  watchProcess(): void {
    if (this.#watchesProcess) return;
    this.#watchesProcess = true;
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Name, labels and meaning of each metric, without those of the process, for the table in the guide to operating. */
  table(): string {
    const all = this.#registry.getMetricsAsArray() as unknown as readonly DescribedMetric[];
    const rows = all.map(
      ({ name, labelNames, help }) =>
        `| \`${name}\` | ${labelNames.map((label) => `\`${label}\``).join(", ")} | ${help} |`,
    );
    return ["| metric | labels | meaning |", "| --- | --- | --- |", ...rows].join("\n");
  }

  /** Everything in Prometheus' text format. Answers within some two seconds, even if Postgres hangs. */
  async text(): Promise<string> {
    await this.#queues.refresh();
    return this.#registry.metrics();
  }
}
