import { cpuMilliseconds } from "./cpu-time.ts";
import type { Measurement } from "./measurement.ts";
import { KINDS, type Offered, offer, percentile, startWebhookBench, together } from "./webhooks-support.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const PER_SECOND = 1_000;
const IDLE_SECONDS = 15;
const HUNG = KINDS[KINDS.length - 1] as string;

const milliseconds = (times: readonly number[], share: number) => `${percentile(times, share).toFixed(1)} ms`;

const row = (figure: string, times: readonly number[], more: Partial<Measurement> = {}): Measurement => ({
  figure,
  value: `${times.length} received`,
  p50: milliseconds(times, 0.5),
  p99: milliseconds(times, 0.99),
  ...more,
});

/**
 * From the answer to the commit until the receiver has the event, by one clock: one event a second to a dispatcher that
 * sleeps; then 1,000 events a second for a minute, a transaction each, ten endpoints, an event to one of them; then the
 * same with one of the ten that accepts and never answers. Fsync on, everything on the same cores.
 */
export async function webhookLatency(): Promise<Measurement[]> {
  const bench = await startWebhookBench();
  try {
    const healthy = KINDS.filter((kind) => kind !== HUNG);
    for (const kind of healthy) await bench.addEndpoint("/hook", [kind]);
    const last = await bench.addEndpoint("/hook", [HUNG]);
    const worker = await bench.startWorker();
    await offer(bench, { perSecond: PER_SECOND, seconds: 5 });
    await bench.gateway.analyze();
    const slow = together(await offer(bench, { perSecond: 1, seconds: IDLE_SECONDS }));
    const before = [worker.pid, bench.gateway.postmasterPid].map(cpuMilliseconds);
    const all = await offer(bench, { perSecond: PER_SECOND, seconds: SECONDS });
    const used = [worker.pid, bench.gateway.postmasterPid].map(
      (pid, place) => (cpuMilliseconds(pid) - (before[place] ?? 0)) / (PER_SECOND * SECONDS),
    );
    await bench.pointTo(last.id, "/hung");
    const beside = await offer(bench, { perSecond: PER_SECOND, seconds: SECONDS, hung: { [HUNG]: last.id } });
    const calm = together(all, healthy);
    const disturbed = together(beside, healthy);
    return [
      row("webhooks: one event a second, from commit to received (dispatcher asleep)", slow),
      row(
        `webhooks: ${PER_SECOND} events/s for ${SECONDS} s, from commit to received (aim: p99 below 1 s)`,
        together(all),
        {
          value: `${all.rate.toFixed(0)}/s offered`,
          peer: depths(all),
        },
      ),
      {
        figure: "… CPU per event: worker / Postgres (emitting, one transaction each, included)",
        value: used.map((each) => `${each.toFixed(2)} ms`).join(" / "),
      },
      row("… with one of the ten hung: the nine others (aim: p99 at most twice theirs without)", disturbed, {
        value: `${beside.rate.toFixed(0)}/s offered`,
        peer: `without p99 ${milliseconds(calm, 0.99)}; ${depths(beside)}`,
        ratio: (percentile(disturbed, 0.99) / percentile(calm, 0.99)).toFixed(2),
      }),
    ];
  } finally {
    await bench.stop();
  }
}

function depths({ depths }: Offered): string {
  return `queue each second: at most ${Math.max(...depths)}, in the end ${depths.at(-1)}`;
}
