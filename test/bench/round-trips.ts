import { createHash } from "node:crypto";
import type pg from "pg";
import { createPool } from "../../src/postgres/pool.ts";
import { registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { repeat, type TransactionRate } from "./transactions.ts";

const SECONDS = 4;
const CONNECTIONS = 10;
const PROOFS = 2_000;

/**
 * One command in one statement, as the gateway sends it, against the same command in the four round trips that a
 * transaction with a context takes elsewhere: begin, the context, the command, commit. On the loopback, where a round
 * trip is cheapest. Both look the token up, check the scope and answer the same text.
 */
export async function roundTrips(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const pool = createPool({ url: gateway.adminUrl, role: "selo_app", applicationName: "bench" }, CONNECTIONS, () => {});
  const owner = createPool({ url: gateway.adminUrl, role: null, applicationName: "bench" }, CONNECTIONS, () => {});
  owner.on("connect", (client) => void client.query("set role selo_owner"));
  try {
    const ids = (await registerProofs(gateway, PROOFS)).map(({ id }) => id);
    const credential = createHash("sha256").update(gateway.organization.live).digest();
    const nextId = () => ids[Math.floor(Math.random() * ids.length)] ?? "";
    const one = async (client: pg.PoolClient) => {
      const { rows } = await client.query<{ body: string }>(
        "select status, body, replayed from gateway.call($1, $2, $3, $4, $5, $6)",
        [credential, "get_proof", JSON.stringify({ id: nextId() }), 200, null, null],
      );
      requireProof(rows[0]?.body);
    };
    const four = async (client: pg.PoolClient) => {
      await client.query("begin");
      await client.query("select platform.authenticate($1), platform.require_scope('proofs:read')", [credential]);
      const { rows } = await client.query<{ body: string }>("select gateway.get_proof($1)::text as body", [nextId()]);
      await client.query("commit");
      requireProof(rows[0]?.body);
    };
    await gateway.analyze();
    await repeat(pool, one, CONNECTIONS, 1);
    await repeat(owner, four, CONNECTIONS, 1);
    const rounds: { ours: TransactionRate; peer: TransactionRate }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const peer = await repeat(owner, four, CONNECTIONS, SECONDS);
      rounds.push({ peer, ours: await repeat(pool, one, CONNECTIONS, SECONDS) });
    }
    const of = (value: (round: { ours: TransactionRate; peer: TransactionRate }) => number) =>
      median(rounds.map(value));
    return [
      {
        figure: `one command in one statement, calls/s (${CONNECTIONS} connections, loopback)`,
        value: of(({ ours }) => ours.rate).toFixed(0),
        peer: `begin, context, command, commit ${of(({ peer }) => peer.rate).toFixed(0)}/s`,
        ratio: of(({ ours, peer }) => ours.rate / peer.rate).toFixed(2),
        p50: `${of(({ ours }) => ours.p50).toFixed(1)} ms, four ${of(({ peer }) => peer.p50).toFixed(1)} ms`,
        p99: `${of(({ ours }) => ours.p99).toFixed(1)} ms, four ${of(({ peer }) => peer.p99).toFixed(1)} ms`,
      },
    ];
  } finally {
    await pool.end();
    await owner.end();
    await gateway.stop();
  }
}

function requireProof(body: string | undefined): void {
  if (!body?.startsWith('{"id"')) throw new Error("the command did not answer a proof");
}
