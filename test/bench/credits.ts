import { randomUUID } from "node:crypto";
import pg from "pg";
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { repeat, type TransactionRate } from "./transactions.ts";

const CONNECTIONS = 32;
const SECONDS = 4;
/** What the organization of the last part has. */
const FEW = 2_000;

/**
 * Credits of one organization spent over 32 connections at once, a transaction each, fsync on: platform.spend_credits
 * as record_proofs calls it, against the same line of the ledger written without any balance. Then an organization with
 * few credits is asked for more than it has: as many are spent as there were, or the benchmark fails.
 */
export async function credits(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const pool = new pg.Pool({ connectionString: gateway.adminUrl, max: CONNECTIONS });
  try {
    await pool.query(STATEMENTS);
    const tenant = gateway.organization.id;
    const calls = (name: string, seconds: number) =>
      repeat(
        pool,
        async (client) => {
          await client.query({ name, text: `select ${name}($1, $2)`, values: [tenant, randomUUID()] });
        },
        CONNECTIONS,
        seconds,
      );
    const spend = (seconds = SECONDS) => calls("bench.spend", seconds);
    const insert = (seconds = SECONDS) => calls("bench.insert_line", seconds);
    await spend(1);
    await insert(1);
    const rounds: { ours: TransactionRate; peer: TransactionRate }[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push({ peer: await insert(), ours: await spend() });
    const of = (value: (round: { ours: TransactionRate; peer: TransactionRate }) => number) =>
      median(rounds.map(value));
    return [
      {
        figure: `credits of one organization, transactions/s (${CONNECTIONS} connections, fsync on)`,
        value: of(({ ours }) => ours.rate).toFixed(0),
        peer: `the ledger's line alone ${of(({ peer }) => peer.rate).toFixed(0)}/s`,
        ratio: of(({ ours, peer }) => ours.rate / peer.rate).toFixed(2),
        p50: `${of(({ ours }) => ours.p50).toFixed(1)} ms`,
        p99: `${of(({ ours }) => ours.p99).toFixed(1)} ms`,
      },
      {
        figure: `… of ${FEW} credits, spent until all ${CONNECTIONS} are refused`,
        value: await spendAll(gateway, pool),
      },
    ];
  } finally {
    await pool.end();
    await gateway.stop();
  }
}

/** In the context of a tenant, as all that runs in gateway.call. */
const STATEMENTS = `
  create schema bench authorization selo_owner;
  set role selo_owner;
  create function bench.spend(p_tenant_id uuid, p_subject_id uuid) returns void language plpgsql security definer set search_path = '' as $$
  begin
    perform platform.enter_context(p_tenant_id, 'live', null, null, null);
    perform platform.spend_credits('signature', 1, 'proof_registered', array[p_subject_id]);
  end $$;
  create function bench.insert_line(p_tenant_id uuid, p_subject_id uuid) returns void language plpgsql security definer set search_path = '' as $$
  begin
    perform platform.enter_context(p_tenant_id, 'live', null, null, null);
    insert into platform.credit_ledger (tenant_id, kind, amount, reason, subject_id)
    values (p_tenant_id, 'signature', -1, 'proof_registered', p_subject_id);
  end $$;
  reset role`;

/** @throws Error when it is not exactly what was granted that was spent */
async function spendAll(gateway: BenchGateway, pool: pg.Pool): Promise<string> {
  const { id } = await gateway.newOrganization(FEW);
  let spent = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (;;) {
        try {
          await pool.query("select bench.spend($1, $2)", [id, randomUUID()]);
          spent++;
        } catch (error) {
          if (error instanceof pg.DatabaseError && error.code === "PT402") return;
          throw error;
        }
      }
    }),
  );
  const { rows } = await pool.query<{ left: number; least: number; lines: number }>(
    `select sum(balance)::integer as left, min(balance)::integer as least,
       (select count(*)::integer from platform.credit_ledger where tenant_id = $1 and amount < 0) as lines
     from platform.credit_balances where tenant_id = $1`,
    [id],
  );
  const [sums] = rows;
  if (spent !== FEW || sums?.left !== 0 || sums.least !== 0 || sums.lines !== FEW)
    throw new Error(`${spent} of ${FEW} credits were spent: ${JSON.stringify(sums)}`);
  return `${spent} spent, none overdrawn`;
}
