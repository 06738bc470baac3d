import { type ChildProcess, fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { SimulatorQuestions } from "./invoices-simulator-words.ts";
import { type InvoiceBench, startInvoiceBench } from "./invoices-support.ts";
import type { Measurement } from "./measurement.ts";

const KILLS = Number(process.env.BENCH_KILLS ?? 1_000);
const SEED = Number(process.env.BENCH_SEED ?? randomInt(2 ** 31));
/** A lease lasts 120 s: the work of the killed would come back too late for a thousand kills. */
const LEASE = "1 second";
const ISSUERS = 20;
/** Workers at once. */
const WORKERS = 2;
/** Started before they are needed: a program needs longer to start than it lives. */
const SPARE = 2;
/** Invoices that wait, so that a worker always has enough to do. */
const WAITING = 60;

/**
 * Kills workers at random moments (SIGKILL), two at a time, while invoices are added, and lets one finish what is left. Then each invoice must be one NFS-e of the
 * simulator, and the numbers of each issuer must be without a gap. Fails otherwise.
 */
export async function invoiceKills(): Promise<Measurement[]> {
  console.error(`invoiceKills: BENCH_SEED=${SEED}`);
  const bench = await startInvoiceBench(ISSUERS);
  const workers = new Workers(bench);
  try {
    await prepare(bench);
    await bench.queue(ISSUERS);
    const windowMs = await workers.timeOne();
    const started = performance.now();
    await Promise.all([keepBusy(bench, () => workers.killed < KILLS), workers.killAll(windowMs)]);
    const seconds = (performance.now() - started) / 1_000;
    await workers.finish();
    const { rows } = await bench.admin.query<{ stage: string; times: number }>(
      "select stage, count(*)::integer as times from bench.interrupted group by stage order by stage",
    );
    const { asked, found } = await bench.simulator.ask<SimulatorQuestions>({ ask: "questions" });
    return [
      {
        figure: `kill -9 of workers at random moments of their first ${windowMs.toFixed(0)} ms (${KILLS} in ${seconds.toFixed(0)} s, seed ${SEED})`,
        value: await verdict(bench),
        peer: "aim: one NFS-e an invoice",
      },
      {
        figure: "… attempts that were killed and came back, by the last thing that was committed",
        value: rows.map(({ stage, times }) => `${stage} ${times}`).join(", "),
        peer: `the simulator was asked ${asked} times for a DPS in doubt, and had issued ${found}`,
      },
    ];
  } finally {
    workers.stop();
    await bench.stop();
  }
}

/** In the benchmark's own database: invoices are due at once, leases are short, and each lease that is taken over is counted. */
async function prepare({ admin }: InvoiceBench): Promise<void> {
  await admin.query(`
    drop trigger hold on invoicing.transmissions;
    create table bench.interrupted (stage text not null);
    create function bench.count_interrupted() returns trigger language plpgsql security definer set search_path = '' as $$
    begin
      insert into bench.interrupted
      select case when old.request is not null then 'signed bytes' when invoice.number is not null then 'number' else 'lease' end
      from invoicing.invoices as invoice where invoice.tenant_id = old.tenant_id and invoice.id = old.invoice_id;
      return new;
    end $$;
    create trigger interrupted before update on invoicing.transmissions for each row
    when (old.lease_id <> new.lease_id) execute function bench.count_interrupted()`);
  const { rows } = await admin.query<{ claim: string }>(
    "select pg_get_functiondef('jobs.claim_transmissions(integer)'::regprocedure) as claim",
  );
  const claim = rows[0]?.claim ?? "";
  const shorter = claim.replaceAll("120 seconds", LEASE);
  if (shorter === claim) throw new Error("a lease does not last 120 seconds any more");
  await admin.query(shorter);
}

/** Adds invoices whenever few wait. */
async function keepBusy(bench: InvoiceBench, isBusy: () => boolean): Promise<void> {
  const waiting = `select count(*)::integer as waiting from invoicing.transmissions
    where due_at <= clock_timestamp() and (leased_until is null or leased_until < clock_timestamp())`;
  while (isBusy()) {
    const { rows } = await bench.admin.query<{ waiting: number }>(waiting);
    if ((rows[0]?.waiting ?? 0) < WAITING) await bench.queue(ISSUERS);
    else await setTimeout(20);
  }
}

class Workers {
  killed = 0;
  readonly #bench: InvoiceBench;
  readonly #all = new Set<ChildProcess>();
  readonly #spare: Promise<ChildProcess>[] = [];
  #random = SEED;

  constructor(bench: InvoiceBench) {
    this.#bench = bench;
  }

  /** Milliseconds that a new worker takes for what is queued: on a slow machine, workers would be killed before they send anything if the time were fixed. */
  async timeOne(): Promise<number> {
    const worker = await this.#begin();
    const began = performance.now();
    await this.#bench.untilTransmitted();
    worker.kill("SIGKILL");
    return performance.now() - began;
  }

  /** Begins `KILLS` workers, some at once, and kills each at some moment of its first milliseconds. */
  async killAll(windowMs: number): Promise<void> {
    let begun = 0;
    const one = async () => {
      while (begun < KILLS) {
        begun += 1;
        const lives = this.#nextRandom() * windowMs;
        const worker = await this.#begin();
        await setTimeout(lives);
        worker.kill("SIGKILL");
        await once(worker, "exit");
        this.killed += 1;
        if (this.killed % 100 === 0) console.error(`invoiceKills: ${this.killed} killed`);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, one));
  }

  /** Lets one worker finish everything. */
  async finish(): Promise<void> {
    await this.#begin();
    await this.#bench.untilTransmitted();
  }

  stop(): void {
    for (const worker of this.#all) worker.kill("SIGKILL");
  }

  /** One that claims already. */
  async #begin(): Promise<ChildProcess> {
    while (this.#spare.length <= SPARE) this.#spare.push(this.#start());
    const worker = await (this.#spare.shift() ?? this.#start());
    const claims = once(worker, "message");
    worker.send("go");
    await claims;
    return worker;
  }

  async #start(): Promise<ChildProcess> {
    const file = path.join(import.meta.dirname, "invoice-kills-worker.ts");
    const worker = fork(file, { env: this.#bench.gateway.environment, execArgv: [] });
    this.#all.add(worker);
    worker.once("exit", () => this.#all.delete(worker));
    await once(worker, "message");
    return worker;
  }

  /** From 0 to 1, by the seed (mulberry32). */
  #nextRandom(): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

interface Issued {
  readonly dps_id: string;
  readonly access_key: string;
}

interface Invoice {
  readonly status: string;
  readonly access_key: string;
  readonly issuer: string;
  readonly number: number;
  readonly request_id: string;
}

/** @throws Error unless each invoice is authorized as the one NFS-e of its DPS, and numbers have no gap */
async function verdict({ admin, place }: InvoiceBench): Promise<string> {
  const folder = path.join(place.folder, "nfse");
  const issued = fs
    .readdirSync(folder)
    .map((file) => JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")) as Issued);
  const { rows } = await admin.query<Invoice>(
    `select invoice.status, invoice.access_key, invoice.issuer_id as issuer, invoice.number::integer as number, transmission.request_id
     from invoicing.invoices as invoice join invoicing.transmissions as transmission using (tenant_id) where transmission.invoice_id = invoice.id`,
  );
  const { rows: all } = await admin.query<{ invoices: number }>(
    "select count(*)::integer as invoices from invoicing.invoices",
  );
  const keys = new Map(issued.map(({ dps_id, access_key }) => [dps_id, access_key]));
  const twice = issued.length - keys.size;
  const missing = rows.filter(
    ({ status, request_id, access_key }) => status !== "authorized" || keys.get(request_id) !== access_key,
  ).length;
  const numbers = Map.groupBy(rows, ({ issuer }) => issuer);
  const gaps = [...numbers.values()].filter(
    (own) => Math.max(...own.map(({ number }) => number)) !== new Set(own.map(({ number }) => number)).size,
  ).length;
  const invoices = all[0]?.invoices ?? 0;
  const said = `${issued.length} NFS-e for ${invoices} invoices; DPS with two NFS-e ${twice}, invoices without their own ${missing}, issuers with a gap in their numbers ${gaps}`;
  if (rows.length !== invoices || issued.length !== invoices || twice + missing + gaps > 0) throw new Error(said);
  return said;
}
