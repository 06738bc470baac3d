import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Load, load } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { paced } from "./flood.ts";
import type { RawQuestion } from "./invoices-raw.ts";
import { type InvoiceBench, startInvoiceBench } from "./invoices-support.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { type Child, machineMs, startChild } from "./webhooks-child.ts";

const COUNT = Number(process.env.BENCH_INVOICES ?? 400);
const WARM_UP = 300;
/** Four of them keep twenty attempts under way. */
const ISSUERS = 8;
/** Attempts of one worker at once, and posts of the limit. */
const AT_ONCE = 20;
const ASKED_A_SECOND = 50;
const SECONDS = 20;
/** Connections of the gateway to Postgres, and as many questions more. */
const WARM_CALLERS = 16;
const PDF_SECONDS = 5;
const CONNECTIONS = 8;
const run = promisify(execFile);

/**
 * Invoices by the real worker until they are authorized, against bare posts of signed DPS to the same simulator; the preview against a simple read at the same
 * pace; and DANFSe over HTTP against drawing them alone.
 */
export async function invoices(): Promise<Measurement[]> {
  const bench = await startInvoiceBench(ISSUERS);
  const raw = startChild("invoices-raw.ts");
  try {
    return [...(await authorized(bench, raw)), ...(await previews(bench)), await danfse(bench)];
  } finally {
    await raw.stop();
    await bench.stop();
  }
}

/** Processor time by whose it was, in milliseconds. */
type Cpu = Readonly<Record<"client" | "postgres" | "simulator", number>>;

interface Run {
  /** A second. */
  readonly rate: number;
  /** Milliseconds for each. */
  readonly cpu: Cpu;
}

async function authorized(bench: InvoiceBench, raw: Child): Promise<Measurement[]> {
  const worker = await bench.gateway.startWorker();
  const ours = async (count: number) => {
    await bench.queue(count);
    return timed(bench, worker.pid, count, async () => {
      const started = machineMs();
      await bench.release();
      await bench.untilTransmitted();
      return machineMs() - started;
    });
  };
  const bare = async (count: number) => {
    await raw.ask(await signQuestion(bench, count));
    return timed(bench, raw.pid, count, () => raw.ask<number>({ ask: "post", atOnce: AT_ONCE } satisfies RawQuestion));
  };
  await ours(WARM_UP);
  await bare(WARM_UP);
  await bench.gateway.analyze();
  const rounds: { readonly bare: Run; readonly ours: Run }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push({ bare: await bare(COUNT), ours: await ours(COUNT) });
  await requireOneEach(bench, WARM_UP + COUNT * ROUNDS);
  const rateOf = (of: "bare" | "ours") => median(rounds.map((round) => round[of].rate));
  const cpu = (of: "bare" | "ours", whose: readonly (keyof Cpu)[]) =>
    whose.map((who) => `${median(rounds.map((round) => round[of].cpu[who])).toFixed(2)} ms`).join(" / ");
  return [
    {
      figure: `invoices authorized/s (${ISSUERS} issuers, fsync on), aim 0.5`,
      value: rateOf("ours").toFixed(0),
      peer: `bare posts of signed DPS ${rateOf("bare").toFixed(0)}/s`,
      ratio: median(rounds.map((round) => round.ours.rate / round.bare.rate)).toFixed(2),
    },
    {
      figure: "… CPU for each: simulator / worker / Postgres",
      value: cpu("ours", ["simulator", "client", "postgres"]),
      peer: `bare: simulator / client ${cpu("bare", ["simulator", "client"])}`,
    },
  ];
}

async function timed(bench: InvoiceBench, pid: number, count: number, work: () => Promise<number>): Promise<Run> {
  const now = () => [pid, bench.gateway.postmasterPid, bench.simulator.pid].map(cpuMilliseconds);
  const before = now();
  const milliseconds = await work();
  const [client = 0, postgres = 0, simulator = 0] = now().map((after, place) => (after - (before[place] ?? 0)) / count);
  return { rate: count / (milliseconds / 1_000), cpu: { client, postgres, simulator } };
}

/** DPS as of our invoices, in a series that they do not have. */
async function signQuestion({ admin, issuers, place }: InvoiceBench, count: number): Promise<RawQuestion> {
  const { rows } = await admin.query<{ facts: unknown }>(
    "select invoicing.dps_facts(invoice) as facts from invoicing.invoices as invoice where invoice.number is not null limit 1",
  );
  return {
    ask: "sign",
    facts: rows[0]?.facts,
    issuers: issuers.map(({ cnpj, a1: { certificate, privateKey } }) => ({ cnpj, certificate, privateKey })),
    count,
    url: place.url,
    ca: place.caPem,
  };
}

async function requireOneEach({ admin }: InvoiceBench, count: number): Promise<void> {
  const { rows } = await admin.query<{ invoices: number }>(
    "select count(distinct access_key)::integer as invoices from invoicing.invoices where status = 'authorized'",
  );
  if (rows[0]?.invoices !== count) throw new Error(`${rows[0]?.invoices} of ${count} invoices are authorized`);
}

async function previews(bench: InvoiceBench): Promise<Measurement[]> {
  const { gateway, issuers } = bench;
  const { rows } = await bench.admin.query<{ id: string }>("select id from invoicing.invoices limit 500");
  const customer = issuers[0]?.invoice["customer_id"];
  const ways = {
    preview: (sent: number) => bench.ask("POST", "/invoices/preview", issuers[sent % issuers.length]?.invoice),
    customer: () => bench.ask("GET", `/customers/${customer}`),
    invoice: (sent: number) => bench.ask("GET", `/invoices/${rows[sent % rows.length]?.id}`),
  };
  const names = ["preview", "customer", "invoice"] as const;
  const ask = (name: keyof typeof ways) =>
    paced(ASKED_A_SECOND, SECONDS, async (sent) => void (await ways[name](sent)));
  await gateway.analyze();
  // The first preview on a connection takes 25 ms: Postgres prepares our functions for each connection.
  for (const name of names)
    for (let sent = 0; sent < WARM_CALLERS * 10; sent += WARM_CALLERS)
      await Promise.all(Array.from({ length: WARM_CALLERS }, (_, place) => ways[name](sent + place)));
  for (const name of names) await ask(name);
  const all: Record<keyof typeof ways, number[]> = { preview: [], customer: [], invoice: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second, third] = [0, 1, 2].map((place) => names[(place + round) % names.length]);
    for (const name of [first, second, third]) if (name !== undefined) all[name].push(...(await ask(name)));
  }
  // Of all rounds together: one pause of the machine for 40 ms would decide a round alone.
  const of = (name: keyof typeof ways, share: number) => {
    const times = all[name].toSorted((one, other) => one - other);
    return times[Math.floor(times.length * share)] ?? Number.NaN;
  };
  return (["customer", "invoice"] as const).map((peer) => ({
    figure:
      peer === "customer"
        ? `POST /invoices/preview, ${ASKED_A_SECOND}/s: the ratio of p99 to that of GET /customers/{id}, aim 1.5 at most`
        : "… to that of GET /invoices/{id}",
    value: `${ASKED_A_SECOND}/s`,
    ratio: (of("preview", 0.99) / of(peer, 0.99)).toFixed(2),
    p50: `${of("preview", 0.5).toFixed(1)} ms, read ${of(peer, 0.5).toFixed(1)} ms`,
    p99: `${of("preview", 0.99).toFixed(1)} ms, read ${of(peer, 0.99).toFixed(1)} ms`,
  }));
}

async function danfse(bench: InvoiceBench): Promise<Measurement> {
  const { gateway, admin } = bench;
  const { rows } = await admin.query<{ id: string }>(
    "select id from invoicing.invoices where status = 'authorized' limit 500",
  );
  const headers = { authorization: `Bearer ${gateway.organization.live}` };
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-nfse-")), "nfse.xml");
  const nfse = await fetch(`${gateway.url}/api/v1/invoices/${rows[0]?.id}/files/xml/raw`, { headers });
  fs.writeFileSync(file, await nfse.text());
  const alone = async () =>
    Number((await run("node", ["test/bench/danfse-alone.ts", String(PDF_SECONDS * 1_000), file])).stdout);
  const ours = () => {
    const next = () => `/api/v1/invoices/${rows[Math.floor(Math.random() * rows.length)]?.id}/files/pdf/raw`;
    return load({ method: "GET", url: gateway.url, headers, path: next }, CONNECTIONS, PDF_SECONDS);
  };
  await ours();
  const rounds: { readonly alone: number; readonly load: Load }[] = [];
  const cpu = { gateway: 0, count: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const limit = await alone();
    const before = cpuMilliseconds(gateway.pid);
    const result = await ours();
    cpu.gateway += cpuMilliseconds(gateway.pid) - before;
    cpu.count += result.count;
    rounds.push({ alone: limit, load: result });
  }
  fs.rmSync(path.dirname(file), { recursive: true });
  return {
    figure: `DANFSe/s over HTTP (${CONNECTIONS} connections; CPU of the gateway ${(cpu.gateway / cpu.count).toFixed(1)} ms each)`,
    value: median(rounds.map((round) => round.load.rate)).toFixed(0),
    peer: `drawing alone ${median(rounds.map((round) => round.alone)).toFixed(0)}/s`,
    ratio: median(rounds.map((round) => round.load.rate / round.alone)).toFixed(2),
    p50: `${median(rounds.map((round) => round.load.p50)).toFixed(0)} ms`,
    p99: `${median(rounds.map((round) => round.load.p99)).toFixed(0)} ms`,
  };
}
