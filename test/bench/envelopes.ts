import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { promisify } from "node:util";
import pg from "pg";
import { bareRows } from "./bare-rows.ts";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds, endedChildrenMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { repeat, type TransactionRate } from "./transactions.ts";

const CONNECTIONS = 16;
const SECONDS = 6;
const SIGN_SECONDS = 4;
/** Envelopes that are completed in a round. */
const COMPLETED = 400;
const run = promisify(execFile);
const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();

/**
 * Envelopes over HTTP with a live token, fsync on. From draft to sent: four requests (make, add a document, add a signatario, send) beside the same rows
 * written bare in one transaction. Then the last act of a signatario, beside signing alone.
 */
export async function envelopes(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const pool = new pg.Pool({ connectionString: gateway.adminUrl, max: CONNECTIONS });
  try {
    const documentId = await upload(gateway);
    return [...(await draftToSent(gateway, pool, documentId)), ...(await complete(gateway, pool, documentId))];
  } finally {
    await pool.end();
    await gateway.stop();
  }
}

async function post(gateway: BenchGateway, path: string, body?: object, headers?: Record<string, string>) {
  const answer = await fetch(`${gateway.url}/api/v1${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${gateway.organization.live}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as { readonly id: string };
}

/** Uploads a contract. */
export async function upload(gateway: BenchGateway): Promise<string> {
  const form = new FormData();
  const file = fs.readFileSync(new URL("../../src/web/files/sample/contract.pdf", import.meta.url));
  form.set("file", new Blob([new Uint8Array(file)]), "contract.pdf");
  const answer = await fetch(`${gateway.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.organization.live}` },
    body: form,
  });
  const { id, status } = (await answer.json()) as { readonly id: string; readonly status: string };
  if (status !== "ready") throw new Error(`the document is ${status}`);
  return id;
}

/** Makes an envelope and sends it. */
async function send(gateway: BenchGateway, documentId: string): Promise<{ id: string; participantId: string }> {
  const { id } = await post(gateway, "/envelopes", { title: "Contract", external_id: "bench" });
  await post(gateway, `/envelopes/${id}/documents`, { document_id: documentId });
  const participant = await post(gateway, `/envelopes/${id}/participants`, {
    name: "Maria Silva",
    email: "maria@example.com",
  });
  await post(gateway, `/envelopes/${id}/send`);
  return { id, participantId: participant.id };
}

/** Repeats requests on so many connections for so many seconds. */
async function requests(work: () => Promise<unknown>): Promise<TransactionRate> {
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let now = performance.now(); now - started < SECONDS * 1_000; ) {
        await work();
        const then = now;
        now = performance.now();
        times.push(now - then);
      }
    }),
  );
  return rateOf(times, performance.now() - started);
}

function rateOf(times: number[], milliseconds: number): TransactionRate {
  times.sort((left, right) => left - right);
  const percentile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { rate: times.length / (milliseconds / 1_000), p50: percentile(0.5), p99: percentile(0.99) };
}

async function draftToSent(gateway: BenchGateway, pool: pg.Pool, documentId: string): Promise<Measurement[]> {
  await send(gateway, documentId);
  const rows = await bareRows(gateway, pool, documentId);
  const ours = () => requests(() => send(gateway, documentId));
  const peer = () => repeat(pool, (client) => rows.write(client, rows.anew()), CONNECTIONS, SECONDS);
  await ours();
  await peer();
  await gateway.analyze();
  const rounds: { ours: TransactionRate; peer: TransactionRate; gateway: number; postgres: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await peer();
    const before = { gateway: cpuMilliseconds(gateway.pid), postgres: postgresMilliseconds(gateway) };
    const rate = await ours();
    const sent = rate.rate * SECONDS;
    rounds.push({
      peer: bare,
      ours: rate,
      gateway: (cpuMilliseconds(gateway.pid) - before.gateway) / sent,
      postgres: (postgresMilliseconds(gateway) - before.postgres) / sent,
    });
  }
  const of = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
  return [
    {
      figure: `envelopes from draft to sent a second (4 requests each, ${CONNECTIONS} connections, fsync on)`,
      value: of((round) => round.ours.rate).toFixed(0),
      peer: `its ${rows.count} rows in one transaction ${of((round) => round.peer.rate).toFixed(0)}/s`,
      ratio: of((round) => round.ours.rate / round.peer.rate).toFixed(2),
      p50: `${of((round) => round.ours.p50).toFixed(1)} ms`,
      p99: `${of((round) => round.ours.p99).toFixed(1)} ms`,
    },
    {
      figure: "… CPU for each: gateway / Postgres",
      value: `${of((round) => round.gateway).toFixed(2)} ms / ${of((round) => round.postgres).toFixed(2)} ms`,
    },
  ];
}

/** What a participant acts with. */
interface Ready {
  readonly participantId: string;
  readonly headers: Record<string, string>;
}

/** Envelopes whose only signatario has a link and a session. The mail and the code are left out: this measures the act. */
async function aReady(gateway: BenchGateway, pool: pg.Pool, documentId: string): Promise<Ready> {
  const { id, participantId } = await send(gateway, documentId);
  const [link, session] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
  await pool.query(
    `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
     values ($1, 'participant', $2, 'live', $3, 'credential', '{signing:act}')`,
    [sha256(sha256(link)), gateway.organization.id, participantId],
  );
  await pool.query(
    `with code as (
       insert into signature.signing_codes (tenant_id, environment, envelope_id, participant_id, link_version, expires_at, used_at)
       values ($1, 'live', $2, $3, 1, now() + interval '10 minutes', now()) returning id
     )
     insert into signature.signing_sessions (tenant_id, environment, envelope_id, participant_id, link_version, digest, code_id, expires_at)
     select $1, 'live', $2, $3, 1, $4, code.id, now() + interval '1 hour' from code`,
    [gateway.organization.id, id, participantId, sha256(session)],
  );
  return { participantId, headers: { "x-signing-link": link, "x-signing-session": session } };
}

async function complete(gateway: BenchGateway, pool: pg.Pool, documentId: string): Promise<Measurement[]> {
  const rounds: { ours: TransactionRate; alone: number; gateway: number; postgres: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const ready: Ready[] = [];
    while (ready.length < COMPLETED)
      ready.push(...(await Promise.all(Array.from({ length: CONNECTIONS }, () => aReady(gateway, pool, documentId)))));
    await gateway.analyze();
    const { stdout } = await run("node", ["test/bench/sign-alone.ts", String(SIGN_SECONDS * 1_000)]);
    const before = { gateway: cpuMilliseconds(gateway.pid), postgres: postgresMilliseconds(gateway) };
    const ours = await completeAll(gateway, ready);
    // The first round warms up.
    if (round > 0)
      rounds.push({
        ours,
        alone: Number(stdout),
        gateway: (cpuMilliseconds(gateway.pid) - before.gateway) / ready.length,
        postgres: (postgresMilliseconds(gateway) - before.postgres) / ready.length,
      });
  }
  const of = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
  return [
    {
      figure: `signatures of signatarios a second (POST …/complete, ${CONNECTIONS} connections, fsync on)`,
      value: of((round) => round.ours.rate).toFixed(0),
      peer: `signing alone ${of((round) => round.alone).toFixed(0)}/s`,
      ratio: of((round) => round.ours.rate / round.alone).toFixed(2),
      p50: `${of((round) => round.ours.p50).toFixed(1)} ms`,
      p99: `${of((round) => round.ours.p99).toFixed(1)} ms`,
    },
    {
      figure: "… CPU for each: gateway / Postgres",
      value: `${of((round) => round.gateway).toFixed(2)} ms / ${of((round) => round.postgres).toFixed(2)} ms`,
    },
  ];
}

/** Each of them signs, over so many connections at once. */
async function completeAll(gateway: BenchGateway, ready: readonly Ready[]): Promise<TransactionRate> {
  const first = await fetch(`${gateway.url}/api/v1/signing/${ready[0]?.participantId}`, {
    headers: ready[0]?.headers ?? {},
  });
  const { consent } = (await first.json()) as { readonly consent: { readonly version: string } };
  const waiting = [...ready];
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const then = performance.now();
        await post(
          gateway,
          `/signing/${next.participantId}/complete`,
          { consent_version: consent.version, signature: { kind: "typed", text: "Maria Silva" }, values: {} },
          next.headers,
        );
        times.push(performance.now() - then);
      }
    }),
  );
  return rateOf(times, performance.now() - started);
}

/** CPU time of the postmaster and all its backends, those that ended included. */
export function postgresMilliseconds({ postmasterPid }: BenchGateway): number {
  return cpuMilliseconds(postmasterPid) + endedChildrenMilliseconds(postmasterPid);
}
