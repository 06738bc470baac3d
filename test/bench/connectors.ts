import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { Agent, request } from "undici";
import { signRequest } from "../../src/adapters/object-put/sign-request.ts";
import { S3_ACCOUNT, type S3Receiver, startS3Receiver } from "../system/signature/s3-receiver.ts";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median } from "./measurement.ts";
import { aSender, asked, contract, ready, type Sender, sent, sign, TYPED } from "./sealing-stage.ts";

const PACKAGES = Number(process.env.BENCH_PACKAGES ?? 1_000);
/** Envelopes that are completed; their packages are replayed until there were so many. */
const ENVELOPES = Math.min(PACKAGES, Math.max(20, PACKAGES / 10));

/**
 * Packages to one connector, beside plain PUTs of the same bytes to the same receiver, one after the other as well. The first delivery of a package makes its
 * report; a repeated one has it.
 */
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
    const measured = async (packages: number) => {
      const before = [worker.pid, gateway.postmasterPid].map(cpuMilliseconds);
      const { seconds, count } = await replays(gateway, admin, sender.token, id, packages);
      const [ofWorker = 0, ofPostgres = 0] = [worker.pid, gateway.postmasterPid].map(
        (pid, place) => (cpuMilliseconds(pid) - (before[place] ?? 0)) / count,
      );
      const cpu = `worker ${ofWorker.toFixed(1)} ms, Postgres ${ofPostgres.toFixed(1)} ms of CPU`;
      return { rate: count / seconds, cpu };
    };
    const first = await measured(ENVELOPES);
    const repeated = await measured(PACKAGES);
    const plain = await plainPuts(receiver, folder);
    const report = await reportMs(gateway, sender.token, ids);
    const row = (figure: string, { rate, cpu }: typeof first, more: string) => ({
      figure,
      value: `${rate.toFixed(1)}/s (${cpu}${more})`,
      peer: `${plain.toFixed(0)}/s plain PUTs of the same bytes`,
      ratio: (rate / plain).toFixed(3),
    });
    return [
      row(
        `${ENVELOPES} packages to a connector, delivered for the first time (one document, one report)`,
        first,
        `; processes that seal apart; one report over REST ${report.toFixed(0)} ms`,
      ),
      row(`${PACKAGES} packages that were delivered before`, repeated, ""),
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

/** Replays the envelopes until there were so many packages: the seconds that they took, and their number. */
async function replays(gateway: BenchGateway, admin: pg.Pool, token: string, id: string, packages: number) {
  let [queued, seconds] = [0, 0];
  while (queued < packages) {
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
  return { seconds, count: queued };
}

async function until(admin: pg.Pool, statement: string): Promise<void> {
  while ((await admin.query(statement)).rows[0].waiting > 0) await pause(20);
}

/** Packages a second, written with nothing but PUTs: no database, bytes and signatures in memory. The storage verifies and writes as it does for packages. */
async function plainPuts(receiver: S3Receiver, folder: string): Promise<number> {
  const { region, access_key_id: accessKeyId, secret } = S3_ACCOUNT;
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".pdf"))
    .map((name) => ({ url: new URL(`${receiver.url}/${name}`), body: fs.readFileSync(path.join(folder, name)) }));
  const signed = await Promise.all(
    files.map(async ({ url, body }) => {
      const sha256 = createHash("sha256").update(body).digest("hex");
      const headers = { "content-type": "application/pdf", "content-length": String(body.length) };
      const put = { method: "PUT" as const, url, headers, sha256 };
      return { url, body, headers: await signRequest(put, { region, accessKeyId, secret }, new Date()) };
    }),
  );
  const agent = new Agent({ pipelining: 1 });
  const rounds = Math.ceil(PACKAGES / ENVELOPES);
  const began = performance.now();
  for (let round = 0; round < rounds; round++)
    for (const { url, body, headers } of signed) {
      const answer = await request(url, { method: "PUT", body, headers, dispatcher: agent });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`the storage answered ${answer.statusCode}`);
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
