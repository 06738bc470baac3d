import pg from "pg";
import { load, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const ENVELOPES = Number(process.env.BENCH_ENVELOPES ?? 1_000_000);
const LABELS = 200;
/** At once; a statement of all of them would show nothing of its progress. */
const PER_STATEMENT = 50_000;
/** Of one case in one round. */
const SECONDS = 1;
/** Of p99, in milliseconds. */
const AIM = 50;

/** What is asked of GET /envelopes. */
interface Case {
  readonly name: string;
  readonly query: string;
  /** The same without a label is measured beside, and has no aim. */
  readonly aim?: number;
}

/**
 * GET /envelopes?label_id= over HTTP on one connection, of an organization with 1,000,000 live envelopes (BENCH_ENVELOPES for another number) and 200 labels,
 * beside the list without a label. One label is on every second envelope, and each of the others on as many as any other.
 */
export async function labels(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const admin = new pg.Pool({ connectionString: gateway.adminUrl, max: 1 });
  try {
    const [common = "", usual = ""] = await writeLabelledEnvelopes(admin, gateway.organization.id);
    const headers = { authorization: `Bearer ${gateway.organization.live}` };
    const ask = (query: string) =>
      load({ method: "GET", url: gateway.url, headers, path: () => `/api/v1/envelopes?${query}` }, 1, SECONDS);
    const middle = async (label: string | null): Promise<string> => {
      const { rows } = await admin.query<{ cursor: string }>(
        `select platform.cursor_after('list_envelopes', found.id::text) as cursor
         from (select envelope.id, row_number() over (order by envelope.id) as place, count(*) over () as count from signature.envelopes as envelope
           where $1::uuid is null or exists (select from signature.envelope_labels as linked
             where linked.tenant_id = envelope.tenant_id and linked.envelope_id = envelope.id and linked.label_id = $1)) as found
         where found.place = found.count / 2`,
        [label],
      );
      return rows[0]?.cursor ?? "";
    };
    const half = Math.floor(ENVELOPES / 2).toLocaleString("en");
    const others = Math.floor(ENVELOPES / (LABELS - 1));
    const cases: readonly Case[] = [
      { name: "no label, first page", query: "limit=50" },
      { name: "no label, from a cursor in the middle", query: `limit=50&cursor=${await middle(null)}` },
      { name: "no label, from 9,950 on", query: "limit=50&offset=9950" },
      { name: "no label, from 100,000 on", query: "limit=50&offset=100000" },
      { name: `a label of ${others.toLocaleString("en")}, first page`, query: `limit=50&label_id=${usual}`, aim: AIM },
      {
        name: "… from a cursor in the middle",
        query: `limit=50&label_id=${usual}&cursor=${await middle(usual)}`,
        aim: AIM,
      },
      { name: "… its last page by offset", query: `limit=50&label_id=${usual}&offset=${others - 50}`, aim: AIM },
      { name: "… and a rare status", query: `limit=50&label_id=${usual}&status=declined` },
      { name: `the label of ${half}, first page`, query: `limit=50&label_id=${common}`, aim: AIM },
      {
        name: "… from a cursor in the middle",
        query: `limit=50&label_id=${common}&cursor=${await middle(common)}`,
        aim: AIM,
      },
      { name: "… from 9,950 on", query: `limit=50&label_id=${common}&offset=9950`, aim: AIM },
      { name: "… from 100,000 on", query: `limit=50&label_id=${common}&offset=100000`, aim: AIM },
      { name: "… and a common status", query: `limit=50&label_id=${common}&status=completed` },
      { name: "… and a rare status", query: `limit=50&label_id=${common}&status=declined` },
    ];
    const measured = cases.map((each) => ({ ...each, p50: [] as number[], p99: [] as number[] }));
    for (const { query } of measured) await ask(query);
    for (let round = 0; round < ROUNDS; round++)
      for (const { query, p50, p99 } of measured) {
        const result = await ask(query);
        p50.push(result.p50);
        p99.push(result.p99);
      }
    const begun = performance.now();
    const removed = await fetch(`${gateway.url}/api/v1/labels/${common}`, { method: "DELETE", headers });
    if (removed.status !== 204) throw new Error(`a label was answered ${removed.status}`);
    return [
      ...measured.map(({ name, aim, p50, p99 }) => ({
        figure: `GET /envelopes of ${ENVELOPES.toLocaleString("en")}: ${name}`,
        value: `${median(p99).toFixed(0)} ms (p99)`,
        ...(aim === undefined ? {} : { peer: `aim: ${aim} ms`, ratio: (median(p99) / aim).toFixed(2) }),
        p50: `${median(p50).toFixed(0)} ms`,
        p99: `${median(p99).toFixed(0)} ms`,
      })),
      { figure: `DELETE of the label of ${half}`, value: `${((performance.now() - begun) / 1_000).toFixed(1)} s` },
    ];
  } finally {
    await admin.end();
    await gateway.stop();
  }
}

/** Writes envelopes and labels straight into the tables. @returns the labels, first the one that every second envelope has */
async function writeLabelledEnvelopes(admin: pg.Pool, tenantId: string): Promise<string[]> {
  // Nothing that a benchmark writes has to outlive a power cut, and indexes are made faster than kept.
  await admin.query(
    "drop index signature.envelopes_title_trigrams; drop index signature.envelopes_external_id_trigrams",
  );
  const { rows } = await admin.query<{ id: string }>(
    `insert into signature.labels (tenant_id, environment, name, name_key)
     select $1, 'live', 'Label ' || number, 'label ' || number from generate_series(1, $2::integer) as number returning id`,
    [tenantId, LABELS],
  );
  const ids = rows.map(({ id }) => id);
  // Foreign keys are right as they are written here.
  await admin.query("set session_replication_role = replica");
  for (let first = 1; first <= ENVELOPES; first += PER_STATEMENT)
    await admin.query(INSERT, [tenantId, first, Math.min(first + PER_STATEMENT - 1, ENVELOPES), ENVELOPES, ids]);
  await admin.query(`set session_replication_role = origin; set maintenance_work_mem = '512MB';
    create index envelopes_title_trigrams on signature.envelopes using gin (title extensions.gin_trgm_ops);
    create index envelopes_external_id_trigrams on signature.envelopes using gin (external_id extensions.gin_trgm_ops)`);
  await admin.query("vacuum (analyze) signature.envelopes, signature.envelope_labels, signature.labels");
  return ids;
}

const INSERT = `
  with drafted as materialized (
    select number, platform.uuidv7() as id, now() - ($4::bigint - number) * interval '13 seconds' as created_at,
      case number % 20 when 0 then 'draft' when 1 then 'sent' when 2 then 'partially_signed' when 3 then 'expired' else
        case when number % 1000 = 5 then 'declined' else 'completed' end end as status
    from generate_series($2::bigint, $3::bigint) as number
  ), made as (
    insert into signature.envelopes (tenant_id, id, environment, title, status, signing_order, allow_delegation, jurisdiction, field_placement,
      expires_in_days, external_id, sent_at, expires_at, completed_at, verification_code, created_at)
    select $1, drafted.id, 'live', 'Service agreement ' || drafted.number, drafted.status, 'parallel', false, 'br', 'report', 30,
      'order-' || drafted.number, sent.at, sent.at + interval '30 days', case drafted.status when 'completed' then sent.at end,
      case when sent.at is not null then 'CODE-' || drafted.number end, drafted.created_at
    from drafted cross join lateral (select case when drafted.status <> 'draft' then drafted.created_at end as at) as sent
  )
  insert into signature.envelope_labels (tenant_id, environment, label_id, envelope_id)
  select $1, 'live', ($5::uuid[])[2 + drafted.number % (cardinality($5::uuid[]) - 1)], drafted.id from drafted
  union all
  select $1, 'live', ($5::uuid[])[1], drafted.id from drafted where drafted.number % 2 = 0`;
