import { randomUUID } from "node:crypto";
import { type Measurement, median } from "./measurement.ts";
import { machineMs } from "./webhooks-child.ts";
import { KINDS, offer, percentile, startWebhookBench, together, type WebhookBench } from "./webhooks-support.ts";

const WAITING = Number(process.env.BENCH_BACKLOG ?? 1_000_000);
const PER_STATEMENT = 50_000;
const PER_SECOND = 500;
const SECONDS = 20;
const CLAIMS = 50;
const HUNG = KINDS[KINDS.length - 1] as string;

/**
 * A million deliveries that wait for an endpoint which never answers: what claims take, and what the nine other endpoints
 * notice of it at 500 events a second. That claims stay look-ups is shown by test/services/webhooks/claim-plan.test.ts.
 */
export async function webhookBacklog(): Promise<Measurement[]> {
  const bench = await startWebhookBench();
  try {
    const healthy = KINDS.filter((kind) => kind !== HUNG);
    for (const kind of healthy) await bench.addEndpoint("/hook", [kind]);
    const hung = await bench.addEndpoint("/hung", [HUNG]);
    await bench.startWorker();
    const offered = () =>
      offer(bench, { perSecond: PER_SECOND, seconds: SECONDS, kinds: healthy, hung: { [HUNG]: hung.id } });
    await offer(bench, { perSecond: PER_SECOND, seconds: 5, kinds: healthy });
    await bench.gateway.analyze();
    const claimWithout = await claimTime(bench, hung.id);
    const without = together(await offered());
    await fill(bench, hung.id);
    await bench.admin.query("checkpoint");
    const claimWith = await claimTime(bench, hung.id);
    const beside = together(await offered());
    const at = (share: number) =>
      `${percentile(beside, share).toFixed(1)} ms, without ${percentile(without, share).toFixed(1)} ms`;
    return [
      {
        figure: `webhooks: ${WAITING} deliveries wait for a hung endpoint: the nine others at ${PER_SECOND} events/s, from commit to received`,
        value: `${beside.length} received`,
        ratio: (percentile(beside, 0.99) / percentile(without, 0.99)).toFixed(2),
        p50: at(0.5),
        p99: at(0.99),
      },
      {
        figure: "… a claim that leases ten of them, and is rolled back",
        value: `${claimWith.toFixed(2)} ms`,
        peer: `a claim that finds nothing, without them ${claimWithout.toFixed(2)} ms`,
      },
    ];
  } finally {
    await bench.stop();
  }
}

/** One event, to be delivered so many times: what the queue looks like is the same. */
async function fill(bench: WebhookBench, endpointId: string): Promise<void> {
  await bench.emit(bench.admin, 1, [HUNG]);
  for (let first = 0; first < WAITING; first += PER_STATEMENT)
    await bench.admin.query(
      `insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, due_at)
       select event.tenant_id, platform.uuidv7(), event.environment, $1, event.id, event.type, now()
       from webhooks.events as event, generate_series(1, $3::integer) where event.type = $2`,
      [endpointId, HUNG, Math.min(PER_STATEMENT, WAITING - first)],
    );
}

/** Median of claims by a dispatcher that is busy with nothing yet. */
async function claimTime({ admin }: WebhookBench, endpointId: string): Promise<number> {
  const client = await admin.connect();
  const times: number[] = [];
  for (let claim = 0; claim < CLAIMS; claim++) {
    await client.query("begin");
    const began = machineMs();
    await client.query({
      name: "claim",
      text: "select * from jobs.claim_deliveries($1, false, '00000000-0000-0000-0000-000000000000', array[$2::uuid], array[10], 200)",
      values: [randomUUID(), endpointId],
    });
    times.push(machineMs() - began);
    await client.query("rollback");
  }
  client.release();
  return median(times);
}
