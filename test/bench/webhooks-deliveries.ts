import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { machineMs, startChild } from "./webhooks-child.ts";
import type { Post } from "./webhooks-post.ts";
import { type BenchEndpoint, startWebhookBench, type WebhookBench } from "./webhooks-support.ts";

const COUNT = Number(process.env.BENCH_DELIVERIES ?? 20_000);
const WARM_UP = 5_000;
/** Of one transaction, or one call. */
const BATCH = 50;
const EMITTERS = 2;
const AT_ONCE = 100;

/** Processor time by whose it was, in milliseconds. */
type Cpu = Readonly<Record<"worker" | "postgres" | "receiver" | "emitter", number>>;

/**
 * Deliveries a second from the first event that is emitted until the last attempt is recorded: ten endpoints, an event goes
 * to one of them, 50 in a transaction over 2 connections, fsync on, everything on the same cores. Against signed posts to the
 * same receiver with nothing around them.
 */
export async function webhookDeliveries(): Promise<Measurement[]> {
  const bench = await startWebhookBench();
  const stops: (() => Promise<void>)[] = [() => bench.stop()];
  try {
    const endpoints = await bench.addTen();
    const posts = await postsLike(bench, endpoints);
    const worker = await bench.startWorker();
    await bench.untilRecorded(0);
    const raw = startChild("webhooks-raw.ts");
    stops.push(() => raw.stop());
    const cpuNow = (): Cpu => {
      const { user, system } = process.cpuUsage();
      return {
        worker: cpuMilliseconds(worker.pid),
        postgres: cpuMilliseconds(bench.gateway.postmasterPid),
        receiver: cpuMilliseconds(bench.receiver.pid),
        emitter: (user + system) / 1_000,
      };
    };
    const ways: Record<string, (count: number) => Promise<number>> = {
      raw: (count) => raw.ask<number>({ posts, count, atOnce: AT_ONCE }),
      ours: (count) => ours(bench, endpoints, count),
    };
    const rounds: Record<string, { rate: number; ratio: number; cpu: Cpu }[]> = {};
    for (const [name, run] of Object.entries(ways)) {
      await run(WARM_UP);
      rounds[name] = [];
    }
    await bench.gateway.analyze();
    for (let round = 0; round < ROUNDS; round++) {
      let limit = Number.NaN;
      for (const [name, run] of Object.entries(ways)) {
        await bench.forget();
        const before = cpuNow();
        const rate = COUNT / ((await run(COUNT)) / 1_000);
        const after = cpuNow();
        if (name === "raw") limit = rate;
        rounds[name]?.push({
          rate,
          ratio: rate / limit,
          cpu: {
            worker: after.worker - before.worker,
            postgres: after.postgres - before.postgres,
            receiver: after.receiver - before.receiver,
            emitter: after.emitter - before.emitter,
          },
        });
      }
    }
    const of = (name: string, value: (round: { rate: number; ratio: number; cpu: Cpu }) => number) =>
      median((rounds[name] ?? []).map(value));
    const used = (name: string, whose: readonly (keyof Cpu)[]) =>
      whose.map((who) => `${(of(name, ({ cpu }) => cpu[who]) / COUNT).toFixed(3)} ms`).join(" / ");
    return [
      {
        figure: "webhooks: deliveries/s, emitted, received and recorded (10 endpoints, fsync on), aim 0.45",
        value: of("ours", ({ rate }) => rate).toFixed(0),
        peer: `raw signed posts ${of("raw", ({ rate }) => rate).toFixed(0)}/s`,
        ratio: of("ours", ({ ratio }) => ratio).toFixed(2),
      },
      {
        figure: "… CPU per delivery: worker / Postgres (emitting included) / receiver / emitter",
        value: used("ours", ["worker", "postgres", "receiver", "emitter"]),
        peer: `raw: receiver ${used("raw", ["receiver"])}`,
      },
    ];
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** A post for each endpoint, with an event of the kind that the endpoint asks for. */
async function postsLike(bench: WebhookBench, endpoints: readonly BenchEndpoint[]): Promise<Post[]> {
  await bench.emit(
    bench.admin,
    endpoints.length,
    endpoints.map(({ kind }) => kind),
  );
  const { rows } = await bench.admin.query<{ type: string; body: string }>("select type, body from webhooks.events");
  await bench.admin.query("delete from webhooks.deliveries");
  return endpoints.map(({ url, secret, kind }) => ({
    url,
    secret,
    body: rows.find(({ type }) => type === kind)?.body ?? "",
  }));
}

/** Batches until there are so many, over two loops. */
async function inBatches(count: number, write: (size: number) => Promise<unknown>): Promise<void> {
  let written = 0;
  await Promise.all(
    Array.from({ length: EMITTERS }, async () => {
      while (written < count) {
        written += BATCH;
        await write(BATCH);
      }
    }),
  );
}

async function ours(bench: WebhookBench, endpoints: readonly BenchEndpoint[], count: number): Promise<number> {
  await bench.forget();
  const kinds = endpoints.map(({ kind }) => kind);
  const started = machineMs();
  await inBatches(count, (size) => bench.emit(bench.admin, size, kinds));
  await bench.untilRecorded(count);
  return machineMs() - started;
}
