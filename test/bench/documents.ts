import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import pg from "pg";
import { checkPdf, PDF_LIMITS } from "../../src/adapters/pdf-check/check-pdf.ts";
import { flate, onePage, pdf, stream } from "../adapters/pdf-check/pdf-file.ts";
import { checkersOf } from "../support/checkers.ts";
import { type BenchGateway, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds, endedChildrenMilliseconds } from "./cpu-time.ts";
import { pacedReads, READ_SECONDS, until } from "./flood.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const MIB = 1024 * 1024;
const FILES = 10;
const BOMBS = 100;
const run = promisify(execFile);

/**
 * Documents: upload and check of a file of 5 MB beside `qpdf --check` of the same file; the peak memory of the checker with the largest files; and what
 * another organization's reads take while a hundred bombs are uploaded.
 */
export async function documents(): Promise<Measurement[]> {
  return [...(await uploads()), ...(await memoryOfChecks()), ...(await bombs())];
}

/** What one file cost. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

async function uploads(): Promise<Measurement[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-documents-"));
  const gateway = await startBenchGateway();
  try {
    const file = pdf(onePage({ page: "/Contents 4 0 R", objects: { 4: pageText(10_000_000) } }));
    const name = path.join(folder, "contract.pdf");
    fs.writeFileSync(name, file);
    const ours = () =>
      costOf(
        () => cpuOf(gateway.pid),
        async () => expectStatus(await upload(gateway, file), "ready"),
      );
    const theirs = () =>
      costOf(
        () => endedChildrenMilliseconds(process.pid),
        () => run("qpdf", ["--check", name]),
      );
    await ours();
    const rounds: { readonly ours: Cost; readonly theirs: Cost }[] = [];
    for (let round = 0; round < ROUNDS * FILES; round++) rounds.push({ ours: await ours(), theirs: await theirs() });
    const of = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
    const mean = (value: (round: (typeof rounds)[number]) => number) =>
      rounds.reduce((sum, round) => sum + value(round), 0) / rounds.length;
    const megabytes = (file.length / 1e6).toFixed(1);
    return [
      {
        figure: `POST /documents with a file of ${megabytes} MB, until it is ready`,
        value: `${of((round) => round.ours.wall).toFixed(0)} ms`,
        peer: `qpdf --check ${of((round) => round.theirs.wall).toFixed(0)} ms`,
        ratio: of((round) => round.theirs.wall / round.ours.wall).toFixed(2),
      },
      {
        figure: "… processor time of gateway and checker (mean)",
        value: `${mean((round) => round.ours.cpu).toFixed(0)} ms`,
        peer: `qpdf --check ${mean((round) => round.theirs.cpu).toFixed(0)} ms`,
        ratio: (mean((round) => round.theirs.cpu) / mean((round) => round.ours.cpu)).toFixed(2),
      },
    ];
  } finally {
    await gateway.stop();
    fs.rmSync(folder, { recursive: true });
  }
}

async function memoryOfChecks(): Promise<Measurement[]> {
  const most = PDF_LIMITS.bytes;
  const objectsOf = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 4, `(${"x".repeat(length)})`]));
  const files: Readonly<Record<string, () => Buffer>> = {
    "one stream without a filter": () => pdf(onePage({ objects: { 4: stream("", Buffer.alloc(most - 1_000, "x")) } })),
    "Flate text": () => {
      const numbers = [4, 5, 6, 7];
      const texts = Object.fromEntries(numbers.map((number) => [number, pageText(21 * MIB)]));
      const page = `/Contents [${numbers.map((number) => `${number} 0 R`).join(" ")}]`;
      return pdf(onePage({ page, objects: texts }));
    },
    "240,000 objects": () => pdf(onePage({ objects: objectsOf(240_000, 150) })),
  };
  const rows: Measurement[] = [];
  for (const [kind, made] of Object.entries(files)) {
    const file = made();
    const peaks: number[] = [];
    for (let round = 0; round < ROUNDS; round++) peaks.push(await peakOf(file));
    const peak = Math.max(...peaks) / MIB;
    const limit = PDF_LIMITS.residentBytes / MIB;
    rows.push({
      figure: `peak memory of the checker: ${(file.length / MIB).toFixed(1)} MiB, ${kind}`,
      value: `${peak.toFixed(0)} MiB`,
      peer: `limit ${limit} MiB`,
      ratio: (limit / peak).toFixed(2),
    });
  }
  return rows;
}

async function bombs(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const admin = new pg.Client({ connectionString: gateway.adminUrl });
  await admin.connect();
  try {
    await gateway.startWorker();
    const attacker = await gateway.newOrganization(0);
    const bomb = pdf(onePage({ page: "/Contents 4 0 R", objects: { 4: nestedFlate() } }));
    const ids = (await registerProofs(gateway, 500)).map(({ id }) => id);
    await gateway.analyze();
    await pacedReads(gateway, ids);
    const isSettled = async () =>
      (await admin.query("select from signature.documents where checked_at is null limit 1")).rowCount === 0;
    const statuses: Record<string, number> = {};
    const bombing = async () => {
      const started = performance.now();
      const sent: Promise<void>[] = [];
      const errors: unknown[] = [];
      for (let count = 0; count < BOMBS; count++) {
        await until(started + (count * READ_SECONDS * 1_000) / BOMBS);
        sent.push(
          upload(gateway, bomb, attacker.live).then(
            ({ status }) => {
              statuses[status] = (statuses[status] ?? 0) + 1;
            },
            (error: unknown) => void errors.push(error),
          ),
        );
      }
      await Promise.all(sent);
      if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${BOMBS} uploads failed`);
    };
    const quiet: number[][] = [];
    const bombed: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      quiet.push(await pacedReads(gateway, ids));
      // Both end before an error of one stops the gateway, or it would hide behind those of the other.
      const [reads, sending] = await Promise.allSettled([pacedReads(gateway, ids), bombing()]);
      if (reads.status === "rejected") throw reads.reason;
      if (sending.status === "rejected") throw sending.reason;
      bombed.push(reads.value);
      while (!(await isSettled())) await until(performance.now() + 500);
    }
    const at = (rounds: number[][], share: number) =>
      median(rounds.map((times) => times[Math.floor(times.length * share)] ?? 0));
    const pair = (share: number) => `${at(bombed, share).toFixed(2)} ms, without ${at(quiet, share).toFixed(2)} ms`;
    const answered = Object.entries(statuses).map(([status, count]) => `${count / ROUNDS} ${status}`);
    return [
      {
        figure: `GET /proofs/{id} of another organization while ${BOMBS} bombs are uploaded in ${READ_SECONDS} s (answered: ${answered.join(", ")}); ratio of the p99`,
        value: "200/s",
        ratio: (at(bombed, 0.99) / at(quiet, 0.99)).toFixed(2),
        p50: pair(0.5),
        p99: pair(0.99),
      },
    ];
  } finally {
    await admin.end();
    await gateway.stop();
  }
}

interface Uploaded {
  readonly status: string;
}

async function upload(gateway: BenchGateway, file: Buffer, token = gateway.organization.live): Promise<Uploaded> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(file)], { type: "application/pdf" }), "contract.pdf");
  const response = await fetch(`${gateway.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (response.status !== 201) throw new Error(`an upload was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Uploaded;
}

function expectStatus({ status }: Uploaded, expected: string): void {
  if (status !== expected) throw new Error(`a document is ${status} and not ${expected}`);
}

/** Milliseconds that work takes, and those of the processor by what `cpu` counts. */
async function costOf(cpu: () => number, work: () => Promise<unknown>): Promise<Cost> {
  const [began, cpuBefore] = [performance.now(), cpu()];
  await work();
  return { wall: performance.now() - began, cpu: cpu() - cpuBefore };
}

/** Processor time of a process with everything that it started. */
const cpuOf = (pid: number) => cpuMilliseconds(pid) + endedChildrenMilliseconds(pid);

/** The most memory that the process of a check had, as Linux counts it (VmHWM). */
async function peakOf(file: Buffer): Promise<number> {
  const parts = (function* () {
    for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
  })();
  let ended = false;
  const verdict = checkPdf(from(parts)).deep.finally(() => {
    ended = true;
  });
  let peak = 0;
  while (!ended) {
    for (const pid of checkersOf(process.pid)) peak = Math.max(peak, peakMemoryOf(pid));
    await until(performance.now() + 5);
  }
  const { verdict: found } = await verdict;
  if (found !== "ready") throw new Error(`a check ended ${found}`);
  return peak;
}

async function* from(parts: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* parts;
}

function peakMemoryOf(pid: number): number {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  } catch {
    return 0; // it has ended
  }
}

/** The content of a page, compressed to some half: comments of random digits, which a reader passes over. */
function pageText(bytes: number): string {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += 81) lines.push(`%${randomBytes(39).toString("hex")} \n`);
  return flate("", lines.join(""));
}

function nestedFlate(): string {
  let data: Buffer = zlib.deflateSync(Buffer.alloc(300 * MIB), { level: 9 });
  for (let step = 0; step < 2; step++) data = zlib.deflateSync(data, { level: 9 });
  return stream("/Filter [/FlateDecode /FlateDecode /FlateDecode]", data);
}
