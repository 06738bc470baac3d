// What EXPLAIN tells an analyst: Postgres plans by statistics that it keeps of all organizations together, and a plan says how many
// rows each condition is believed to leave. Of every column of every view, values that only another organization has and values that
// nobody has must be planned alike.
import { randomBytes, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { services } from "../../../src/services/services.ts";
import { createTestDatabase } from "../../support/database.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { productFacts } from "../../support/service-facts.ts";
import { sqlReadme } from "../../support/service-readme.ts";

/** What READMEs say that plans may tell, with the reason. */
const TOLD: Readonly<Record<string, string>> = Object.fromEntries(
  services.flatMap((service) =>
    [...sqlReadme(service, "What plans may tell").matchAll(/^- `([\w.]+)`: (\S.+)$/gm)].map(([, name, why]) => [
      name,
      why,
    ]),
  ),
);
/** Columns of closed lists: they show how often each name of the list occurs among the rows of all organizations together. */
const isClosedList = (column: Column) => TOLD[nameOf(column)] !== undefined;
/** Of all organizations together, instants may show. */
const INSTANTS = ["timestamp with time zone", "date"];
/** True and false are a closed list, too. */
const SHOWN_TYPES = [...INSTANTS, "boolean"];
interface Column {
  readonly view: string;
  readonly name: string;
  readonly type: string;
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Plan Rows": number;
  readonly "Plan Width": number;
  readonly "Startup Cost": number;
  readonly "Total Cost": number;
  readonly Schema?: string;
  readonly Plans?: readonly Plan[];
}

let selo: TestGateway;
let own: TestOrganization;
let other: TestOrganization;
let analyst: pg.Client;
let columns: Column[] = [];
/** What the other organization has in each column, and the analyst's has not. */
const foreign = new Map<string, string[]>();
const logins: string[] = [];

beforeAll(async () => {
  selo = await startTestGateway();
  own = await selo.newOrganization({ name: "Own", credits: 10 });
  other = await selo.newOrganization({ name: "Other", credits: 20 });
  await selo.database.admin.query("update platform.organizations set plan = 'growth' where id = $1", [other.id]);
  await writeRows(own.id, 40, "own");
  await selo.seal();
  await writeRows(other.id, 1500, "other");
  await selo.seal();
  // Autovacuum would count the rows anew between two plans that are compared.
  await selo.database.admin.query(`do $$ declare v_table regclass; begin
    for v_table in select oid from pg_class where relkind = 'r' and relnamespace in (
      select oid from pg_namespace where nspowner = 'selo_owner'::regrole)
    loop execute format('alter table %s set (autovacuum_enabled = off)', v_table); end loop; end $$`);
  // A plan names each day. Two tell as much as all of them, and are planned in a fraction of the time.
  await selo.database.admin.query(`do $$ declare v_day regclass; v_is_empty boolean; begin
    for v_day in select inhrelid from pg_inherits where inhrelid::regclass::text ~ '_\\d{8}$' loop
      execute format('select not exists (select from %s)', v_day) into v_is_empty;
      if v_is_empty then execute format('drop table %s', v_day); end if;
    end loop; end $$`);
  await selo.database.admin.query("analyze");
  analyst = await connect(own.id);
  const others = await connect(other.id);
  columns = await shownColumns();
  for (const column of columns) {
    const shared = await valuesOf(analyst, column);
    const values = await valuesOf(others, column);
    foreign.set(
      nameOf(column),
      values.filter((value) => !shared.includes(value)),
    );
  }
  for (const view of await publicViews())
    expect((await analyst.query(`select * from ${view}`)).rows).toEqual(
      (await others.query(`select * from ${view}`)).rows,
    );
  await others.end();
}, 120_000);
afterAll(async () => {
  await analyst?.end();
  for (const login of logins) await selo.operator.revokeAnalyst(login);
  await selo?.stop();
});

/** Views that ask nobody, and show everybody the same rows. */
async function publicViews(): Promise<string[]> {
  const { rows } = await selo.database.admin.query<{ view: string }>(
    `select oid::regclass::text as view from pg_class where relkind = 'v' and relnamespace in ('api'::regnamespace, 'analytics'::regnamespace)
       and pg_get_viewdef(oid) !~ 'may_read|FROM api\\.' order by 1`,
  );
  return rows.map(({ view }) => view);
}

async function connect(tenantId: string): Promise<pg.Client> {
  const made = await selo.operator.createAnalyst(tenantId, "live", `est_${randomBytes(6).toString("hex")}`);
  logins.push(made.login);
  const client = new pg.Client({ connectionString: made.url });
  await client.connect();
  return client;
}

/** Rows in every table that a view reads; all columns but keys have one value, which with many rows is the most common. */
async function writeRows(tenantId: string, count: number, text: "own" | "other"): Promise<void> {
  for (const { rows } of productFacts) await (await rows()).writeMany(selo.database.admin, tenantId, count, text);
}

const nameOf = ({ view, name }: Column) => `${view}.${name}`;

async function shownColumns(): Promise<Column[]> {
  const { rows } = await selo.database.admin.query<Column>(
    `select attrelid::regclass::text as view, quote_ident(attname) as name, format_type(atttypid, null) as type
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'v' and relnamespace in ('api'::regnamespace, 'analytics'::regnamespace) and attnum > 0
       and has_table_privilege('selo_analyst', attrelid, 'select') order by 1, attnum`,
  );
  const shownToAll = await publicViews();
  return rows.filter(({ view }) => !shownToAll.includes(view));
}

/** JSON has no comparisons; analysts compare its text. */
const compared = ({ name, type }: Column, row = "seen") =>
  type === "json" ? `${row}.${name}::text` : `${row}.${name}`;

/** The most common value, the least and the greatest. */
async function valuesOf(client: pg.Client, column: Column): Promise<string[]> {
  const { rows } = await client.query<{ value: string }>(
    `with value as materialized (
       select ${compared(column)} as value, count(*) as times from ${column.view} as seen where ${compared(column)} is not null group by 1
     )
     (select value::text from value order by times desc limit 1) union all
     (select value::text from value order by value limit 1) union all (select value::text from value order by value desc limit 1)`,
  );
  return rows.map(({ value }) => value);
}

const hidden = () => columns.filter((column) => !isClosedList(column) && !SHOWN_TYPES.includes(column.type));

/** What nobody has, and no partition of another day would hold. */
function invented({ type }: Column, value: string): string {
  if (type === "uuid") return value.slice(0, 14) + randomUUID().slice(14);
  if (type.endsWith("[]")) return `{invented ${randomUUID()}}`;
  return /int|numeric|double/.test(type) ? "987654" : `invented ${randomUUID()}`;
}

const LEAST_ID = "00000000-0000-0000-0000-000000000001";
const GREATEST_ID = "ffffffff-ffff-ffff-ffff-fffffffffffe";

/** One value below and one above all that only the other organization has; of a time-ordered id, all of its day. */
async function bounds(column: Column): Promise<readonly [string, string]> {
  const { rows } = await selo.database.admin.query<{ least: string; greatest: string }>(
    `select min(value collate "C") as least, max(value collate "C") as greatest from unnest($1::text[]) as value`,
    [theirValues(column)],
  );
  const { least = "", greatest = "" } = rows[0] ?? {};
  if (column.type === "uuid" && least[14] === "7") {
    const days = await selo.database.admin.query<{ first: string; last: string }>(
      `select overlay(platform.uuidv7_at(day)::text placing '7000-8000-000000000000' from 15) as first,
         overlay(platform.uuidv7_at(day + interval '1 day' - interval '1 ms')::text placing '7fff-bfff-ffffffffffff' from 15) as last
       from (select date_trunc('day', to_timestamp(('x' || translate(left($1, 13), '-', ''))::bit(48)::bigint / 1000.0), 'UTC') as day) as its`,
      [least],
    );
    return [days.rows[0]?.first ?? "", days.rows[0]?.last ?? ""];
  }
  if (column.type === "uuid") return [LEAST_ID, GREATEST_ID];
  if (column.type.endsWith("[]")) return ["{}", "{zzzz}"];
  if (!/int|numeric|double/.test(column.type)) return [least.slice(0, -1), `${greatest}!`];
  const numbers = theirValues(column).map(Number);
  return [String(Math.min(...numbers) - 1), String(Math.max(...numbers) + 1)];
}

/** A range of whatever is in a column. */
async function within(column: Column): Promise<readonly [string, string]> {
  if (INSTANTS.includes(column.type)) return ["2000-01-01", "2100-01-01"];
  if (!isClosedList(column)) return bounds(column);
  return column.type === "uuid" ? [LEAST_ID, GREATEST_ID] : ["a", "z"];
}

const quoted = pg.escapeLiteral;
const theirValues = (column: Column) => [...new Set(foreign.get(nameOf(column)))];

/** All that a plan says but the conditions themselves, a line for each node. */
const told = (plan: Plan): string[] => [
  `${plan["Node Type"]} ${plan["Index Name"] ?? plan["Relation Name"] ?? ""} rows=${plan["Plan Rows"]} width=${plan["Plan Width"]} cost=${plan["Startup Cost"]}..${plan["Total Cost"]}`,
  ...(plan.Plans ?? []).flatMap(told),
];

async function explain(statement: string): Promise<Plan> {
  const { rows } = await analyst.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(`explain (format json) ${statement}`);
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
  if (plan === undefined) throw new Error(`${statement} has no plan`);
  return plan;
}

/** The plan itself, and the estimate joined to more rows than there are, where it shows fifteen digits. */
async function planned({ view }: Column, condition: string): Promise<string[]> {
  const joined = await explain(
    `select from generate_series(1, 1000000000) as more (number), ${view} as seen where ${condition} or more.number = -1`,
  );
  return [
    ...told(await explain(`select from ${view} as seen where ${condition}`)),
    `joined rows=${joined["Plan Rows"]}`,
  ];
}

/** Conditions whose plans differ and must not, each with the lines that tell them apart. */
async function differences(
  pairs: readonly (readonly [column: Column, had: string, not: string])[],
): Promise<readonly object[]> {
  const found = [];
  for (const [column, had, not] of pairs) {
    const [theirs, nobodys] = [await planned(column, had), await planned(column, not)];
    if (!isDeepStrictEqual(theirs, nobodys)) found.push({ view: column.view, had, not, ...apart(theirs, nobodys) });
  }
  return found;
}

const apart = (theirs: readonly string[], nobodys: readonly string[]) => ({
  theirs: theirs.filter((line) => !nobodys.includes(line)),
  nobodys: nobodys.filter((line) => !theirs.includes(line)),
});

describe("of every column of every view an analyst's plans are the same", () => {
  test("and there is a value of another organization to try, or a reason why it may show", () => {
    expect(new Set(columns.map(({ view }) => view)).size).toBeGreaterThan(11);
    const names = columns.map(nameOf);
    const told = Object.keys(TOLD).filter((name) => /^(api|analytics)\./.test(name));
    expect(told.length).toBeGreaterThan(5);
    expect(told.filter((name) => !names.includes(name))).toEqual([]);
    const withoutValue = hidden().filter((column) => theirValues(column).length === 0);
    expect(withoutValue.map(nameOf)).toEqual([]);
  });

  test("for one value, or one of two, that only another organization has and for those that nobody has", async () => {
    const pairs = hidden().flatMap((column) =>
      theirValues(column).flatMap((value) => {
        const [first, second] = [quoted(invented(column, value)), quoted(invented(column, value))];
        const compare = compared(column);
        return [
          [column, `${compare} = ${quoted(value)}`, `${compare} = ${first}`],
          [column, `${compare} in (${quoted(value)}, ${first})`, `${compare} in (${second}, ${first})`],
        ] as const;
      }),
    );
    expect(await differences(pairs)).toEqual([]);
  });

  test("below and above whatever bound, where there is an order", async () => {
    const pairs = [];
    for (const column of hidden()) {
      const [low, high] = await bounds(column);
      for (const operator of ["<", ">="])
        pairs.push([
          column,
          `${compared(column)} ${operator} ${quoted(low)}`,
          `${compared(column)} ${operator} ${quoted(high)}`,
        ] as const);
    }
    expect(await differences(pairs)).toEqual([]);
  });

  test("with a period beside it: how much another organization has of a day", async () => {
    const pairs = hidden().flatMap((column) => {
      const [value = ""] = theirValues(column);
      const instants = columns.filter(({ view, type }) => view === column.view && INSTANTS.includes(type));
      return instants.map((instant) => {
        const period = `seen.${instant.name} between now() - interval '1 hour' and now() + interval '1 hour'`;
        const both = (of: string) => `(${compared(column)} = ${quoted(of)} and ${period})`;
        return [column, both(value), both(invented(column, value))] as const;
      });
    });
    expect(await differences(pairs)).toEqual([]);
  });

  test("joined to a value", async () => {
    const found = [];
    for (const column of hidden()) {
      const [value = ""] = theirValues(column);
      const type = column.type === "json" ? "text" : column.type;
      const joined = async (of: string) =>
        told(
          await explain(
            `select from ${column.view} as seen join (values (${quoted(of)}::${type})) as given (value) on ${compared(column)} = given.value`,
          ),
        );
      const [theirs, nobodys] = [await joined(value), await joined(invented(column, value))];
      if (!isDeepStrictEqual(theirs, nobodys)) found.push({ column, ...apart(theirs, nobodys) });
    }
    expect(found).toEqual([]);
  });
});

test("no range of ids is read from an index of all organizations, whose removed rows EXPLAIN ANALYZE would count", async () => {
  const { rows: tenantIndexes } = await selo.database.admin.query<{ name: string; first: string }>(
    `select relname as name, pg_get_indexdef(indexrelid, 1, true) as first from pg_index join pg_class on pg_class.oid = indexrelid
     where exists (select from pg_attribute where attrelid = indrelid and attname = 'tenant_id')`,
  );
  const firstOf = new Map(tenantIndexes.map(({ name, first }) => [name, first]));
  const used = (plan: Plan): string[] => [plan["Index Name"] ?? [], ...(plan.Plans ?? []).map(used)].flat();
  const free = ["seq_page_cost", "random_page_cost", "cpu_tuple_cost", "cpu_index_tuple_cost", "cpu_operator_cost"];
  for (const settings of [
    [],
    ["enable_seqscan = off"],
    ["enable_seqscan = off", "enable_bitmapscan = off"],
    ["enable_seqscan = off", "enable_indexscan = off", "enable_indexonlyscan = off"],
    ["enable_seqscan = off", "enable_sort = off"],
    ["enable_seqscan = off", ...free.map((cost) => `${cost} = 0`)],
    ["enable_seqscan = off", "cpu_operator_cost = 1000"],
    ["enable_seqscan = off", "random_page_cost = 100000"],
  ]) {
    for (const setting of settings) await analyst.query(`set ${setting}`);
    for (const column of columns.filter(({ type }) => type !== "json" && type !== "boolean" && !type.endsWith("[]"))) {
      const [low, high] = await within(column);
      for (const statement of [
        `select from ${column.view} as seen where seen.${column.name} >= ${quoted(low)} and seen.${column.name} < ${quoted(high)}`,
        `select from ${column.view} as seen where seen.${column.name} > ${quoted(low)} order by seen.${column.name} limit 1`,
      ]) {
        const wrong = used(await explain(statement)).filter(
          (index) => firstOf.has(index) && firstOf.get(index) !== "tenant_id" && TOLD[index] === undefined,
        );
        expect([statement, settings, wrong]).toEqual([statement, settings, []]);
      }
    }
    await analyst.query("reset all");
  }
});

test("every partition, those of days to come too, keeps no statistics of the columns its table keeps none of", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { admin } = database;
  const uncountedOf = new Map<string, readonly string[]>();
  for (const { partitions } of productFacts) {
    if (partitions === undefined) continue;
    await admin.query(partitions.addDay, [40]);
    for (const [table, columns] of Object.entries(partitions.uncounted)) uncountedOf.set(table, columns);
  }
  const { rows } = await admin.query<{ name: string; whole: string; uncounted: string[] }>(
    `select inhrelid::regclass::text as name, inhparent::regclass::text as whole,
       array(select attname::text from pg_attribute where attrelid = inhrelid and attstattarget = 0 and attnum > 0 order by attnum) as uncounted
     from pg_inherits join pg_class on pg_class.oid = inhrelid and relkind = 'r'`,
  );
  expect(rows.length).toBe(uncountedOf.size * (1 + 14 + 1 + 1));
  for (const { name, whole, uncounted } of rows) expect([name, uncounted]).toEqual([name, uncountedOf.get(whole)]);
});

test("joined to itself, a column is expected to match as often as if nothing were known of it", async () => {
  const estimates = async () => {
    const found: Record<string, number> = {};
    for (const column of hidden())
      found[nameOf(column)] = (
        await explain(
          `select from ${column.view} as seen, ${column.view} as again where ${compared(column)} = ${compared(column, "again")}`,
        )
      )["Plan Rows"];
    return found;
  };
  const before = await estimates();
  // What is left says whose rows, and which of them, a view reads.
  const { rowCount } = await selo.database.admin.query(
    `delete from pg_statistic using pg_attribute
     where attrelid = starelid and attnum = staattnum and attname not in ('tenant_id', 'environment', 'url', 'attempts', 'kind', 'reason')
       and starelid in (select attrelid from pg_attribute where attname = 'tenant_id')`,
  );
  expect(rowCount).toBeGreaterThan(50);
  expect(await estimates()).toEqual(before);
});
