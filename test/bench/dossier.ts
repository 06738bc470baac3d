import { execFile } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { type BenchGateway, PROGRAM, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { forgetPeak, peakOf } from "./peak-memory.ts";
import { aSender, asked, contract, openAdmin, ready, sign, TYPED } from "./sealing-stage.ts";

const DOCUMENTS = 10;
const BYTES = Number(process.env["BENCH_DOCUMENT_BYTES"] ?? 5_000_000);
const run = promisify(execFile);
const mebibytes = (bytes: number) => bytes / 1_048_576;

/** Chains of the organization in the tree of a seal. */
const CHAINS = 100_000;

/** The dossier of ten documents of 5 MB, beside `zip -0` of the same files; its check, beside `sha256sum` of them; and the path to its audit seal. */
export async function dossier(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const admin = openAdmin(gateway);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-dossier-"));
  try {
    const worker = await gateway.startWorker();
    const { id, token } = await completed(gateway, admin);
    const zip = path.join(folder, "dossier.zip");
    const before = peakOf(gateway.pid);
    // It makes the report, in a thread with fonts of its own.
    const size = await download(gateway, id, token, zip);
    const grownByReport = peakOf(gateway.pid) - before;
    const rest = forgetPeak(gateway.pid);
    await download(gateway, id, token, zip);
    const grown = peakOf(gateway.pid) - rest;
    await run("unzip", ["-q", zip, "-d", path.join(folder, "files")]);
    const keys = path.join(folder, "keys.json");
    fs.writeFileSync(keys, JSON.stringify(await asked<object>(gateway, "GET", "/public/platform-key")));
    const times = { dossier: [], head: [], zip: [], verify: [], sums: [] } as Record<
      "dossier" | "head" | "zip" | "verify" | "sums",
      number[]
    >;
    const verifier = path.resolve(import.meta.dirname, "../../dist/web/selo-verify.mjs");
    for (let round = 0; round < ROUNDS; round++) {
      times.zip.push(
        await seconds(() => run("sh", ["-c", "rm -f ../other.zip; zip -0qr ../other.zip ."], at(folder, "files"))),
      );
      times.dossier.push(await seconds(() => download(gateway, id, token, zip)));
      times.head.push(await seconds(() => head(gateway, id, token)));
      times.sums.push(await seconds(() => run("sha256sum", ["-c", "--quiet", "SHA256SUMS"], at(folder, "files"))));
      // A test proves nothing: it ends with 2.
      times.verify.push(
        await seconds(() => run(process.execPath, [verifier, zip, "--keys", keys]).catch(endedWith(2))),
      );
    }
    const rate = (name: keyof typeof times) => mebibytes(size) / median(times[name]);
    const ratio = (name: keyof typeof times, peer: keyof typeof times) => (rate(name) / rate(peer)).toFixed(2);
    const said = (name: keyof typeof times) => `${rate(name).toFixed(0)} MiB/s`;
    // Each seal asks it to verify the whole trail.
    process.kill(worker.pid);
    const paths = await pathTimes(gateway, admin, id);
    return [
      {
        figure: `dossier of ${DOCUMENTS} documents, ${mebibytes(size).toFixed(0)} MiB, its report kept`,
        value: said("dossier"),
        peer: `${said("zip")} zip -0`,
        ratio: ratio("dossier", "zip"),
      },
      {
        figure: "HEAD of it",
        value: `${(1_000 * median(times.head)).toFixed(0)} ms`,
      },
      { figure: "memory of the gateway above rest", value: `${mebibytes(grown).toFixed(0)} MiB`, peer: "100 MiB" },
      {
        figure: "… of the first dossier, whose report is made",
        value: `${mebibytes(grownByReport).toFixed(0)} MiB`,
      },
      {
        figure: "selo-verify.mjs of it",
        value: said("verify"),
        peer: `${said("sums")} sha256sum`,
        ratio: ratio("verify", "sums"),
      },
      {
        figure: `the path to its audit seal, ${CHAINS} chains in the environment`,
        value: `${paths.toFixed(0)} ms (Postgres)`,
        peer: "300 ms",
        ratio: (paths / 300).toFixed(2),
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

const askFor = ({ url }: BenchGateway, method: string, id: string, token: string) =>
  http.request(`${url}/api/v1/envelopes/${id}/dossier`, { method, headers: { authorization: `Bearer ${token}` } });

/** As curl does: `fetch` takes as long as the gateway to read so much. @returns its length */
async function download(gateway: BenchGateway, id: string, token: string, file: string): Promise<number> {
  const [answer] = (await once(askFor(gateway, "GET", id, token).end(), "response")) as [http.IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
  await pipeline(answer, fs.createWriteStream(file));
  return fs.statSync(file).size;
}

async function head(gateway: BenchGateway, id: string, token: string): Promise<void> {
  const [answer] = (await once(askFor(gateway, "HEAD", id, token).end(), "response")) as [http.IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
  answer.resume();
}

/** Milliseconds of platform.audit_seal_path of the envelope beside so many other chains, which grew on two days. */
async function pathTimes(gateway: BenchGateway, admin: ReturnType<typeof openAdmin>, id: string): Promise<number> {
  const { id: tenantId } = gateway.organization;
  await admin.query(
    `insert into platform.audit_events (tenant_id, environment, id, subject_type, subject_id, seq, action, actor_type, occurred_at, details, commitments, prev_hash, hash)
     select $1, 'test', gen_random_uuid(), 'proof', gen_random_uuid(), 1, 'proof.registered', 'system', now(), '{}', '{}', sha256(''), sha256(chain.place::text::bytea)
     from generate_series(1, $2) as chain (place)`,
    [tenantId, CHAINS],
  );
  await sealed(gateway);
  await admin.query(
    `insert into platform.audit_events (tenant_id, environment, id, subject_type, subject_id, seq, action, actor_type, occurred_at, details, commitments, prev_hash, hash)
     select event.tenant_id, event.environment, gen_random_uuid(), event.subject_type, event.subject_id, 2, event.action, 'system', now(), '{}', '{}', event.hash, sha256(event.hash)
     from platform.audit_events as event where event.tenant_id = $1 and event.environment = 'test' and event.action = 'proof.registered' limit $2`,
    [tenantId, CHAINS / 5],
  );
  await admin.query(
    `insert into platform.audit_events (tenant_id, environment, id, subject_type, subject_id, seq, action, actor_type, occurred_at, details, commitments, prev_hash, hash)
     select event.tenant_id, event.environment, gen_random_uuid(), event.subject_type, event.subject_id, event.seq + 1, event.action, 'system', now(), '{}', '{}', event.hash, sha256(event.hash)
     from platform.audit_events as event where event.tenant_id = $1 and event.subject_id = $2 order by event.seq desc limit 1`,
    [tenantId, id],
  );
  await sealed(gateway);
  await gateway.analyze();
  const times: number[] = [];
  for (let round = 0; round < 2 * ROUNDS + 1; round++)
    times.push(await seconds(() => admin.query("select platform.audit_seal_path($1, 'test', $2, 1)", [tenantId, id])));
  return 1_000 * median(times);
}

/** Seals the audit trail, as the worker does daily. */
const sealed = ({ environment, adminUrl }: BenchGateway) =>
  run(process.execPath, [PROGRAM, "audit", "seal"], { env: { ...environment, DATABASE_ADMIN_URL: adminUrl } });
