import pg from "pg";
import { bareRows } from "./bare-rows.ts";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { postgresMilliseconds, upload } from "./envelopes.ts";
import { paced } from "./flood.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const ROWS = 100;
const CALLS = Number(process.env.BENCH_BULKS ?? 200);
/** What another organization reads meanwhile, so that the cores have time to spare. */
const READS_A_SECOND = 50;
const AT_ONCE = 10;
const READ_SECONDS = 15;

/**
 * Templates over HTTP with a live token, fsync on: a bulk of a hundred rows that is sent, beside the same rows written bare in one transaction; and what another
 * organization's reads take while ten bulks run at once.
 */
export async function templates(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const pool = new pg.Pool({ connectionString: gateway.adminUrl, max: 2 });
  try {
    await pool.query("update platform.organizations set plan = 'growth'");
    const stage = await openStage(gateway);
    return [...(await bulks(gateway, pool, stage)), ...(await besideReads(gateway, stage))];
  } finally {
    await pool.end();
    await gateway.stop();
  }
}

interface Stage {
  readonly documentId: string;
  readonly templateId: string;
  readonly bulk: () => Promise<void>;
}

async function openStage(gateway: BenchGateway): Promise<Stage> {
  const documentId = await upload(gateway);
  const { id: templateId } = await post(gateway, "/templates", { name: "Contract", participants: [{}] });
  const rows = Array.from({ length: ROWS }, (_, place) => ({
    title: `Contract ${place}`,
    recipients: [{ order_index: 1, name: "Maria Silva", email: `maria-${place}@example.com` }],
  }));
  const body = { rows, document_ids: [documentId], send: true };
  const bulk = async () => {
    const { created } = await post(gateway, `/templates/${templateId}/bulk`, body);
    if (created?.length !== ROWS) throw new Error(`${created?.length} of ${ROWS} envelopes were made`);
  };
  return { documentId, templateId, bulk };
}

async function post(gateway: BenchGateway, path: string, body: object) {
  const answer = await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.organization.live}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as { readonly id: string; readonly created?: readonly string[] };
}

async function bulks(gateway: BenchGateway, pool: pg.Pool, stage: Stage): Promise<Measurement[]> {
  await stage.bulk();
  const rows = await bareRows(gateway, pool, stage.documentId, stage.templateId);
  const client = await pool.connect();
  const bare = async () => {
    const made = rows.anew();
    return timed(() => rows.write(client, made));
  };
  for (let count = 0; count < 10; count++) {
    await bare();
    await stage.bulk();
  }
  await gateway.analyze();
  const times = { ours: [] as number[], bare: [] as number[] };
  const cpu = { gateway: 0, postgres: 0 };
  for (let count = 0; count < CALLS; count++) {
    times.bare.push(await bare());
    const before = { gateway: cpuMilliseconds(gateway.pid), postgres: postgresMilliseconds(gateway) };
    times.ours.push(await timed(stage.bulk));
    cpu.gateway += cpuMilliseconds(gateway.pid) - before.gateway;
    cpu.postgres += postgresMilliseconds(gateway) - before.postgres;
  }
  client.release();
  const of = (name: keyof typeof times, share: number) => at(times[name], share);
  return [
    {
      figure: `POST /templates/{id}/bulk of ${ROWS} rows, sent (${CALLS} calls, fsync on; p99 aim 500 ms, ratio aim 0.25)`,
      value: `${((ROWS * 1_000) / of("ours", 0.5)).toFixed(0)} envelopes/s`,
      peer: `their ${rows.count} rows in one transaction ${of("bare", 0.5).toFixed(0)} ms`,
      ratio: (of("bare", 0.5) / of("ours", 0.5)).toFixed(2),
      p50: `${of("ours", 0.5).toFixed(0)} ms`,
      p99: `${of("ours", 0.99).toFixed(0)} ms`,
    },
    {
      figure: "… CPU for each call: gateway / Postgres",
      value: `${(cpu.gateway / CALLS).toFixed(0)} ms / ${(cpu.postgres / CALLS).toFixed(0)} ms`,
    },
  ];
}

async function besideReads(gateway: BenchGateway, stage: Stage): Promise<Measurement[]> {
  const other = await gateway.newOrganization(1_000);
  const headers = { authorization: `Bearer ${other.live}`, "content-type": "application/json" };
  const made = await fetch(`${gateway.url}/api/v1/envelopes`, {
    method: "POST",
    headers,
    body: JSON.stringify({ title: "Contract" }),
  });
  const { id } = (await made.json()) as { readonly id: string };
  const reads = () =>
    paced(READS_A_SECOND, READ_SECONDS, async () => {
      const answer = await fetch(`${gateway.url}/api/v1/envelopes/${id}`, { headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`a read was answered ${answer.status}`);
    });
  await reads();
  const rounds: { readonly alone: readonly number[]; readonly beside: readonly number[]; readonly bulks: number }[] =
    [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await reads();
    let isOver = false;
    let count = 0;
    const callers = Array.from({ length: AT_ONCE }, async () => {
      while (!isOver) {
        await stage.bulk();
        count++;
      }
    });
    const beside = await reads();
    isOver = true;
    await Promise.all(callers);
    rounds.push({ alone, beside, bulks: count });
  }
  const of = (name: "alone" | "beside", share: number) => median(rounds.map((round) => at(round[name], share)));
  return [
    {
      figure: `GET /envelopes/{id} of another organization, ${READS_A_SECOND}/s, while ${AT_ONCE} bulks run at once: the ratio of p99, aim 2 at most`,
      value: `${(median(rounds.map(({ bulks }) => bulks)) / READ_SECONDS).toFixed(1)} bulks/s`,
      ratio: median(rounds.map(({ alone, beside }) => at(beside, 0.99) / at(alone, 0.99))).toFixed(2),
      p50: `${of("beside", 0.5).toFixed(1)} ms, alone ${of("alone", 0.5).toFixed(1)} ms`,
      p99: `${of("beside", 0.99).toFixed(1)} ms, alone ${of("alone", 0.99).toFixed(1)} ms`,
    },
  ];
}

const at = (times: readonly number[], share: number) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? Number.NaN;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
