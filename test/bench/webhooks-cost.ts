import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { registerProofs } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { KINDS, offer, startWebhookBench, type WebhookBench } from "./webhooks-support.ts";

const BURST = 10_000;
const BATCH = 50;
const PACED_SECONDS = 10;
const PROOFS = 1_000;
const WARM_UP = 500;
/** Kinds that nobody, one endpoint, ten endpoints want. */
const WANTED = { "domain.verified": 0, "domain.sending_paused": 1, "domain.verification_failed": 10 } as const;

/**
 * What webhooks cost Postgres, by its own account (pg_stat_statements): statements of the worker for each event that is
 * delivered, in a burst and at 1,000 a second; milliseconds that an event takes in the transaction of its fact for 0, 1
 * and 10 endpoints, by itself and as one of fifty. And the processor time of a registered proof with and without its event.
 */
export async function webhookCost(): Promise<Measurement[]> {
  const bench = await startWebhookBench();
  try {
    await countStatements(bench);
    for (let count = 0; count < 10; count++)
      await bench.addEndpoint(
        `/hook/${count}`,
        Object.entries(WANTED).flatMap(([kind, endpoints]) => (count < endpoints ? [kind] : [])),
      );
    const emitting = await emitCost(bench);
    const proof = await proofCost(bench);
    for (const kind of KINDS) await bench.addEndpoint("/hook", [kind]);
    await bench.admin.query("truncate webhooks.deliveries");
    await bench.startWorker();
    await burst(bench);
    await bench.gateway.analyze();
    const inBurst = await statements(bench, BURST, () => burst(bench));
    const paced = await statements(bench, 1_000 * PACED_SECONDS, async () => {
      await offer(bench, { perSecond: 1_000, seconds: PACED_SECONDS });
    });
    return [
      {
        figure: "webhooks: statements of the worker per delivered event, in a burst / at 1,000 a second",
        value: `${inBurst.all.toFixed(3)} / ${paced.all.toFixed(3)}`,
        peer: `claims ${inBurst.claims.toFixed(3)} / ${paced.claims.toFixed(3)}`,
      },
      ...emitting,
      {
        figure: "… CPU of Postgres per proof registered over REST, with its event: nobody / one endpoint wants it",
        value: `${proof.unwanted.toFixed(3)} ms / ${proof.wanted.toFixed(3)} ms`,
        peer: `without ${proof.without.toFixed(3)} ms`,
        ratio: `${(proof.unwanted / proof.without).toFixed(2)} / ${(proof.wanted / proof.without).toFixed(2)}`,
      },
    ];
  } finally {
    await bench.stop();
  }
}

/** Postgres loads what counts statements when it starts. */
async function countStatements({ admin, gateway }: WebhookBench): Promise<void> {
  await admin.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  const { rows } = await admin.query<{ started: string }>("select pg_postmaster_start_time()::text as started");
  process.kill(gateway.postmasterPid, "SIGINT");
  for (;;) {
    await setTimeout(100);
    const now = await admin
      .query<{ started: string }>("select pg_postmaster_start_time()::text as started")
      .catch(() => null);
    if (now !== null && now.rows[0]?.started !== rows[0]?.started) break;
  }
  await admin.query("create extension pg_stat_statements");
}

const reset = ({ admin }: WebhookBench) => admin.query("select pg_stat_statements_reset()");

/** Statements whose text is like this, of one role or all. */
async function counted({ admin }: WebhookBench, like: string, role: string | null = null) {
  const { rows } = await admin.query<{ calls: number; ms: number }>(
    `select coalesce(sum(calls), 0)::double precision as calls, coalesce(sum(total_exec_time), 0)::double precision as ms
     from pg_stat_statements where query like $1 and ($2::text is null or userid = $2::regrole) and query not like '%pg_stat_statements%'`,
    [like, role],
  );
  return rows[0] ?? { calls: 0, ms: 0 };
}

async function burst(bench: WebhookBench): Promise<void> {
  await bench.forget();
  for (let written = 0; written < BURST; written += BATCH) await bench.emit(bench.admin, BATCH, KINDS);
  await bench.untilRecorded(BURST);
}

async function statements(bench: WebhookBench, events: number, work: () => Promise<void>) {
  await reset(bench);
  await work();
  const all = await counted(bench, "%", "selo_worker");
  const claims = await counted(bench, "%jobs.claim_deliveries%", "selo_worker");
  return { all: all.calls / events, claims: claims.calls / events };
}

/** Emitting as it is, and as if it did nothing: what it is measured with is taken off. */
async function emitters({ admin }: WebhookBench) {
  const { rows } = await admin.query<{ source: string }>(
    "select pg_get_functiondef('webhooks.emit_events(webhooks.event_draft[])'::regprocedure) as source",
  );
  const source = rows[0]?.source ?? "";
  const silent = source.replace(/AS \$function\$.*\$function\$/s, "AS $function$ begin return; end $function$");
  if (silent === source) throw new Error("webhooks.emit_events is not written as it was");
  return { source, silent };
}

/** Nothing delivers meanwhile. */
async function emitCost(bench: WebhookBench): Promise<Measurement[]> {
  const { source, silent } = await emitters(bench);
  const rounds: Record<string, number[]> = {};
  const time = async (kind: string, count: number, calls: number) => {
    await bench.admin.query("truncate webhooks.deliveries");
    await reset(bench);
    for (let call = 0; call < calls; call++) await bench.emit(bench.admin, count, [kind]);
    return (await counted(bench, "select bench.emit%")).ms / calls / count;
  };
  for (let round = 0; round <= ROUNDS; round++)
    for (const [count, calls] of [
      [1, 300],
      [BATCH, 30],
    ] as const) {
      await bench.admin.query(silent);
      const without = await time("domain.verified", count, calls);
      await bench.admin.query(source);
      for (const [kind, endpoints] of Object.entries(WANTED)) {
        const cost = (await time(kind, count, calls)) - without;
        // The first round is for the caches.
        const name = `${endpoints} of ${count}`;
        rounds[name] = round === 0 ? [] : [...(rounds[name] ?? []), cost];
      }
    }
  const of = (endpoints: number, count: number) => `${median(rounds[`${endpoints} of ${count}`] ?? []).toFixed(3)} ms`;
  return [1, BATCH].map((count) => ({
    figure: `… an event in the transaction of its fact, ${count === 1 ? "by itself" : `one of ${count}`}: 0 / 1 / 10 endpoints want it`,
    value: Object.values(WANTED)
      .map((endpoints) => of(endpoints, count))
      .join(" / "),
  }));
}

/** Processor time of Postgres for each proof that is registered over REST, in milliseconds. */
async function proofCost(bench: WebhookBench) {
  const { source, silent } = await emitters(bench);
  const endpoint = randomUUID();
  const ways: Record<"without" | "unwanted" | "wanted", string> = {
    without: `${silent}; delete from webhooks.endpoints where id = '${endpoint}'`,
    unwanted: `${source}; delete from webhooks.endpoints where id = '${endpoint}'`,
    wanted: `${source}; insert into webhooks.endpoints (tenant_id, id, environment, url, event_types, sealed_secret)
      values ('${bench.gateway.organization.id}', '${endpoint}', 'live', 'https://example.com/', array['proof.registered'], '\\x00')`,
  };
  await registerProofs(bench.gateway, WARM_UP);
  const rounds: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, statement] of Object.entries(ways)) {
      await bench.admin.query(statement);
      await bench.gateway.analyze();
      // Plans are made again and again at first, where statistics or a function are new.
      await registerProofs(bench.gateway, WARM_UP);
      const before = cpuMilliseconds(bench.gateway.postmasterPid);
      await registerProofs(bench.gateway, PROOFS);
      const used = cpuMilliseconds(bench.gateway.postmasterPid) - before;
      rounds[name] = round === 0 ? [] : [...(rounds[name] ?? []), used / PROOFS];
    }
  const of = (name: keyof typeof ways) => median(rounds[name] ?? []);
  return { without: of("without"), unwanted: of("unwanted"), wanted: of("wanted") };
}
