import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { aSender, asked, contract, openAdmin, ready, sign, TYPED } from "./sealing-stage.ts";

const DOCUMENTS = 10;
const BYTES = Number(process.env["BENCH_DOCUMENT_BYTES"] ?? 5_000_000);
const run = promisify(execFile);
const mebibytes = (bytes: number) => bytes / 1_048_576;

/** The dossier of ten documents of 5 MB, beside `zip -0` of the same files; and its check, beside `sha256sum` of them. */
export async function dossier(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const admin = openAdmin(gateway);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-dossier-"));
  try {
    await gateway.startWorker();
    const { id, token } = await completed(gateway, admin);
    const zip = path.join(folder, "dossier.zip");
    const before = peakOf(gateway.pid);
    const size = await download(gateway, id, token, zip);
    const grown = peakOf(gateway.pid) - before;
    await run("unzip", ["-q", zip, "-d", path.join(folder, "files")]);
    const keys = path.join(folder, "keys.json");
    fs.writeFileSync(keys, JSON.stringify(await asked<object>(gateway, "GET", "/public/platform-key")));
    const times = { dossier: [], report: [], zip: [], verify: [], sums: [] } as Record<
      "dossier" | "report" | "zip" | "verify" | "sums",
      number[]
    >;
    const verifier = path.resolve(import.meta.dirname, "../../dist/web/selo-verify.mjs");
    for (let round = 0; round < ROUNDS; round++) {
      times.zip.push(
        await seconds(() => run("sh", ["-c", "rm -f ../other.zip; zip -0qr ../other.zip ."], at(folder, "files"))),
      );
      times.dossier.push(await seconds(() => download(gateway, id, token, zip)));
      times.report.push(await seconds(() => report(gateway, id, token)));
      times.sums.push(await seconds(() => run("sha256sum", ["-c", "--quiet", "SHA256SUMS"], at(folder, "files"))));
      // A test proves nothing: it ends with 2.
      times.verify.push(
        await seconds(() => run(process.execPath, [verifier, zip, "--keys", keys]).catch(endedWith(2))),
      );
    }
    const rate = (name: keyof typeof times) => mebibytes(size) / median(times[name]);
    const ratio = (name: keyof typeof times, peer: keyof typeof times) => (rate(name) / rate(peer)).toFixed(2);
    const said = (name: keyof typeof times) => `${rate(name).toFixed(0)} MiB/s`;
    const withoutReport = mebibytes(size) / (median(times.dossier) - median(times.report));
    return [
      {
        figure: `dossier of ${DOCUMENTS} documents, ${mebibytes(size).toFixed(0)} MiB, its report made anew`,
        value: said("dossier"),
        peer: `${said("zip")} zip -0`,
        ratio: ratio("dossier", "zip"),
      },
      {
        figure: "the same without the time of a report",
        value: `${withoutReport.toFixed(0)} MiB/s; a report ${median(times.report).toFixed(2)} s`,
        peer: `${said("zip")} zip -0`,
        ratio: (withoutReport / rate("zip")).toFixed(2),
      },
      { figure: "memory of the gateway above rest", value: `${mebibytes(grown).toFixed(0)} MiB`, peer: "100 MiB" },
      {
        figure: "selo-verify.mjs of it",
        value: said("verify"),
        peer: `${said("sums")} sha256sum`,
        ratio: ratio("verify", "sums"),
      },
    ];
  } finally {
    await admin.end();
    await gateway.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const at = (...parts: readonly string[]) => ({ cwd: path.join(...parts) });

const endedWith = (expected: number) => (error: unknown) => {
  if ((error as { readonly code?: unknown }).code !== expected) throw error;
};

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

/** An envelope that was completed, with the documents. */
async function completed(gateway: BenchGateway, admin: ReturnType<typeof openAdmin>) {
  const senders = [];
  for (let place = 0; place < DOCUMENTS; place++)
    senders.push(await aSender(gateway, gateway.organization, contract(2 + place, BYTES)));
  const [sender] = senders;
  if (sender === undefined) throw new Error("no document");
  const { token } = sender;
  const post = (route: string, body?: object) =>
    asked<{ id: string }>(gateway, "POST", route, { token, ...(body === undefined ? {} : { body }) });
  const { id } = await post("/envelopes", { title: "Contract" });
  for (const { documentId } of senders) await post(`/envelopes/${id}/documents`, { document_id: documentId });
  const participant = await post(`/envelopes/${id}/participants`, { name: "Maria Souza", email: "m@example.com" });
  await post(`/envelopes/${id}/send`);
  await sign(gateway, await ready(admin, sender, id, participant.id), TYPED);
  for (let status = ""; status !== "completed"; await pause(100))
    ({ status } = await asked<{ status: string }>(gateway, "GET", `/envelopes/${id}`, { token }));
  return { id, token };
}

/** @returns its length */
async function download({ url }: BenchGateway, id: string, token: string, file: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/envelopes/${id}/dossier`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok || answer.body === null) throw new Error(`answered ${answer.status}`);
  const handle = await fs.promises.open(file, "w");
  let length = 0;
  try {
    for await (const chunk of answer.body) {
      await handle.write(chunk);
      length += chunk.length;
    }
  } finally {
    await handle.close();
  }
  return length;
}

async function report({ url }: BenchGateway, id: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: "application/pdf" };
  const answer = await fetch(`${url}/api/v1/envelopes/${id}/evidence`, { headers });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  await answer.arrayBuffer();
}

/** The most memory that a process has had, as Linux counts it (VmHWM). */
const peakOf = (pid: number): number =>
  1_024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
