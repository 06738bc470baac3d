import fs from "node:fs";
import pg from "pg";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { startBenchGateway } from "./bench-gateway.ts";
import { writeManyProofs } from "./many-proofs.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const ROWS = Number(process.env.BENCH_ROWS ?? 100_000);
/** What a question should take at most, in milliseconds. */
const AIM = 300;

/** Envelopes that were made, sent and completed in the last year, each with its three events, and as many changes of a zone. */
const WRITTEN = `
  begin;
  set local session_replication_role = replica;
  create temporary table made on commit drop as
    select number, platform.uuidv7() as id, now() - number * interval '365 days' / $2::integer as at from generate_series(1, $2::integer) as number;
  insert into signature.envelopes (tenant_id, id, environment, title, status, signing_order, allow_delegation, jurisdiction, field_placement, expires_in_days,
      expires_at, sent_at, completed_at, verification_code, created_at)
    select $1::uuid, id, 'live', 'Contract ' || number, 'completed', 'parallel', false, 'br', 'report', 30, at + interval '30 days', at, at, '0000-0000-0000', at from made;
  insert into platform.audit_events (tenant_id, environment, id, subject_type, subject_id, seq, action, actor_type, actor_id, occurred_at, details, commitments, prev_hash, hash)
    select $1::uuid, 'live', platform.uuidv7(), 'envelope', made.id, step.seq, step.action, 'token',
      (select token.id from platform.tokens as token where token.tenant_id = $1::uuid and token.environment = 'live' limit 1),
      made.at + step.seq * interval '1 hour', '{}', '{}', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')
    from made cross join (values (1, 'envelope.created'), (2, 'envelope.sent'), (3, 'envelope.completed')) as step (seq, action);
  insert into dns.changes (tenant_id, zone_id, serial, at, removed, added)
    select $1::uuid, 1, number, at, '[]', '[{"name": "www.example.com", "type": "A", "content": "192.0.2.1"}]' from made;
  commit;
  vacuum (analyze) signature.envelopes, platform.audit_events, dns.changes`;

/** The questions of the guide for analysts, in SQL as an analyst, on 100,000 rows of each kind (BENCH_ROWS for another number). */
export async function analysts(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const admin = new pg.Pool({ connectionString: gateway.adminUrl, max: 1 });
  const operator = await Operator.connect(gateway.adminUrl);
  const { id } = gateway.organization;
  const made = await operator.createAnalyst(id, "live");
  const analyst = new pg.Client({ connectionString: made.url });
  try {
    await writeManyProofs(admin, id, ROWS);
    for (const statement of WRITTEN.replaceAll("$1", `'${id}'`).replaceAll("$2", String(ROWS)).split(";"))
      await admin.query(statement);
    await analyst.connect();
    const guide = fs.readFileSync("src/web/guides/analysts.md", "utf8");
    const asked = [...guide.matchAll(/```sql\n-- (.+)\n([^`]+)```/g)].map(([, question = "", query = ""]) => ({
      question,
      query,
      milliseconds: [] as number[],
    }));
    for (let round = 0; round <= ROUNDS; round++)
      for (const { query, milliseconds } of asked) {
        const begun = performance.now();
        await analyst.query(query);
        // The first round reads from the disk.
        if (round > 0) milliseconds.push(performance.now() - begun);
      }
    return asked.map(({ question, milliseconds }) => ({
      figure: `${ROWS.toLocaleString("en")} rows: ${question}`,
      value: `${median(milliseconds).toFixed(0)} ms`,
      peer: `aim: ${AIM} ms`,
      ratio: (median(milliseconds) / AIM).toFixed(2),
    }));
  } finally {
    await analyst.end();
    await operator.revokeAnalyst(made.login);
    await operator.close();
    await admin.end();
    await gateway.stop();
  }
}
