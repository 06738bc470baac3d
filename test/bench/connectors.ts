import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { Agent, request } from "undici";
import { S3_ACCOUNT, type S3Receiver, startS3Receiver } from "../system/signature/s3-receiver.ts";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median } from "./measurement.ts";
import { aSender, asked, contract, ready, type Sender, sent, sign, TYPED } from "./sealing-stage.ts";

const PACKAGES = Number(process.env.BENCH_PACKAGES ?? 1_000);
/** Envelopes that are completed; their packages are replayed until there were so many. */
const ENVELOPES = Math.min(20, PACKAGES);

/** Packages to one connector, beside plain PUTs of the same bytes to the same receiver, one after the other as well. */
export async function connectors(): Promise<Measurement[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bucket-"));
  const receiver = await startS3Receiver(folder);
  const gateway = await startBenchGateway({ WEBHOOK_ALLOW_LOOPBACK: "1" });
  const admin = new pg.Pool({ connectionString: gateway.adminUrl, max: 2 });
  try {
    const worker = await gateway.startWorker();
    const sender = await aSender(gateway, gateway.organization, contract(2));
    const ids = await completed(gateway, admin, sender);
    const { id } = await asked<{ id: string }>(gateway, "POST", "/integrations/connectors", {
      token: sender.token,
      body: { name: "Bench", endpoint: receiver.url, bucket: "bench", ...S3_ACCOUNT },
    });
    const before = [worker.pid, gateway.postmasterPid].map(cpuMilliseconds);
    const seconds = await replays(gateway, admin, sender.token, id);
    const [ofWorker = 0, ofPostgres = 0] = [worker.pid, gateway.postmasterPid].map(
      (pid, place) => (cpuMilliseconds(pid) - (before[place] ?? 0)) / PACKAGES,
    );
    const plain = await plainPuts(receiver, folder);
    const report = await reportMs(gateway, sender.token, ids);
    const rate = PACKAGES / seconds;
    return [
      {
        figure: `${PACKAGES} packages to a connector (one document, one report)`,
        value: `${rate.toFixed(1)}/s`,
        peer: `${plain.toFixed(0)}/s plain PUTs of the same bytes`,
        ratio: (rate / plain).toFixed(3),
      },
      {
        figure: "of a package",
        value: `worker ${ofWorker.toFixed(0)} ms, Postgres ${ofPostgres.toFixed(0)} ms of CPU; processes that seal apart`,
        peer: `one report over REST ${report.toFixed(0)} ms`,
      },
    ];
  } finally {
    await admin.end();
    await gateway.stop();
    await receiver.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Envelopes that were completed. */
async function completed(gateway: BenchGateway, admin: pg.Pool, sender: Sender): Promise<string[]> {
  const ids: string[] = [];
  for (let place = 0; place < ENVELOPES; place++) {
    const { id, participants } = await sent(gateway, sender, 1);
    await sign(gateway, await ready(admin, sender, id, participants[0] ?? ""), TYPED);
    ids.push(id);
  }
  await until(admin, "select count(*)::integer as waiting from signature.envelopes where status <> 'completed'");
  return ids;
}

/** Seconds that all packages take. */
async function replays(gateway: BenchGateway, admin: pg.Pool, token: string, id: string): Promise<number> {
  let [queued, seconds] = [0, 0];
  while (queued < PACKAGES) {
    const began = performance.now();
    const since = new Date(Date.now() - 86_400_000).toISOString();
    const answer = await asked<{ queued: number }>(gateway, "POST", `/integrations/connectors/${id}/replay`, {
      token,
      body: { since },
    });
    queued += answer.queued;
    await until(
      admin,
      "select count(*)::integer as waiting from signature.package_deliveries where status = 'pending'",
    );
    seconds += (performance.now() - began) / 1_000;
  }
  const { rows } = await admin.query(
    "select count(*)::integer as failed from signature.package_deliveries where status <> 'delivered'",
  );
  if (rows[0].failed > 0) throw new Error(`${rows[0].failed} packages failed`);
  return (seconds * PACKAGES) / queued;
}

async function until(admin: pg.Pool, statement: string): Promise<void> {
  while ((await admin.query(statement)).rows[0].waiting > 0) await pause(20);
}

/** Packages a second, written with nothing but PUTs: no signature, no database, the bytes in memory. */
async function plainPuts(receiver: S3Receiver, folder: string): Promise<number> {
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".pdf"))
    .map((name) => ({ name, body: fs.readFileSync(path.join(folder, name)) }));
  const agent = new Agent({ pipelining: 1 });
  const rounds = Math.ceil(PACKAGES / ENVELOPES);
  const began = performance.now();
  for (let round = 0; round < rounds; round++)
    for (const { name, body } of files) {
      const headers = { "x-amz-content-sha256": createHash("sha256").update(body).digest("hex") };
      const answer = await request(`${receiver.url}/${name}`, { method: "PUT", body, headers, dispatcher: agent });
      await answer.body.dump();
    }
  const seconds = (performance.now() - began) / 1_000;
  await agent.close();
  return (rounds * ENVELOPES) / seconds;
}

/** Milliseconds that a report takes, median. */
async function reportMs({ url }: BenchGateway, token: string, ids: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const id of ids) {
    const began = performance.now();
    const headers = { authorization: `Bearer ${token}`, accept: "application/pdf" };
    await (await fetch(`${url}/api/v1/envelopes/${id}/evidence`, { headers })).arrayBuffer();
    times.push(performance.now() - began);
  }
  return median(times);
}
