// An analyst's login, made by the command line and connected to through the address it prints: what it sees, whatever it
// sets, and everything that is refused to it.
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../../src/postgres/migrate/migrate.ts";
import { readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { issueKey } from "../../../src/services/dns/store.ts";
import { services } from "../../../src/services/services.ts";
import { writeZone } from "../../services/dns/write-zone.ts";
import { writeOne as writeInvoicing } from "../../services/invoicing/rows.ts";
import { writeOneEnvelope } from "../../services/signature/envelope-isolation.ts";
import { aSendable } from "../../services/signature/envelope-stage.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { seloJson } from "../../support/selo-process.ts";
import { sqlReadme } from "../../support/service-readme.ts";
import { storedDocument } from "../../support/uploads.ts";

interface MadeAnalyst {
  readonly login: string;
  readonly url: string;
}

let selo: TestGateway;
let own: TestOrganization;
let other: TestOrganization;
let live: MadeAnalyst;
let analyst: pg.Client;
beforeAll(async () => {
  selo = await startTestGateway();
  // A copied database does not inherit the rights on the database itself: the runner's first step grants them anew.
  expect(await migrate({ adminUrl: selo.database.adminUrl, serviceUrls: [] })).toEqual([]);
  own = await selo.newOrganization({ name: "Own" });
  other = await selo.newOrganization({ name: "Other" });
  // Before the webhooks, which are told of proofs alone.
  for (const [organization, name] of [
    [own, "own.example"],
    [other, "other.example"],
  ] as const)
    await writeZone(selo, organization, (await issueKey(selo.operator, organization.id, "robot")).secret, name);
  for (const token of [own.live, own.test, other.live]) await writeInvoicing(selo, { live: token });
  await writeOneEnvelope({ selo, tenantId: own.id, token: own.live, environment: "live" });
  await writeOneEnvelope({ selo, tenantId: own.id, token: own.test, environment: "test" });
  await writeOneEnvelope({ selo, tenantId: other.id, token: other.live, environment: "live" });
  for (const [token, label] of [
    [own.live, "own live"],
    [own.live, "own live too"],
    [own.test, "own test"],
    [other.live, "secret of another"],
    [other.test, "secret of another's test"],
  ] as const) {
    await makeWebhook(token, label);
    await register(token, label);
  }
  await selo.seal();
  await selo.database.admin.query(
    "analyze signature.proofs, webhooks.endpoints, webhooks.events, webhooks.deliveries, webhooks.attempts",
  );
  live = await seloJson<MadeAnalyst>(
    ["analyst", "create", "--org", String(own.number), "--name", `ana_${randomBytes(6).toString("hex")}`],
    { DATABASE_URL: selo.database.appUrl, DATABASE_ADMIN_URL: selo.database.adminUrl },
  );
  analyst = await connect(live.url);
});
afterAll(async () => {
  await analyst?.end();
  if (live !== undefined) await selo.operator.revokeAnalyst(live.login);
  await selo.stop();
});

async function connect(url: string, options = ""): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options });
  client.on("error", () => {}); // revoked, its session ends
  await client.connect();
  return client;
}

/** One for whom events are skipped, since it is disabled, and one for whom they wait. */
async function makeWebhook(token: string, description: string): Promise<void> {
  const name = createHash("sha256").update(description).digest("hex").slice(0, 8);
  for (const state of ["disabled", "active"]) {
    const body = { url: `https://example.com/${name}`, event_types: ["*"], description };
    const { status, body: webhook } = await call(selo, "POST", "/webhooks", { token, body });
    expect(status).toBe(201);
    if (state === "disabled") await call(selo, "POST", `/webhooks/${webhook.id}/disable`, { token });
  }
}

async function register(token: string, label: string): Promise<void> {
  const answer = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      sha256: createHash("sha256").update(label).digest("hex"),
      label,
      file_name: `${label}.pdf`,
      file_size: 1,
    }),
  });
  expect(answer.status).toBe(201);
}

const OWN = ["own live", "own live too"];
async function labels(client = analyst): Promise<string[]> {
  return (await client.query<{ label: string }>("select label from api.proofs order by label")).rows.map(
    ({ label }) => label,
  );
}

/** Every view analysts are given, by its full name. */
async function views(): Promise<string[]> {
  const { rows } = await selo.database.admin.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'v' and relnamespace in ('api'::regnamespace, 'analytics'::regnamespace)
       and has_table_privilege('selo_analyst', oid, 'select') order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** All that a session sees, as text; but for when tokens were last used, which the gateway writes once a minute. */
async function everything(client = analyst): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const name of await views()) {
    const row = "to_jsonb(shown) - 'last_used_at'";
    seen[name] = JSON.stringify((await client.query(`select ${row} as row from ${name} as shown order by 1`)).rows);
  }
  return seen;
}

async function refusal(statement: string, client = analyst): Promise<string> {
  try {
    await client.query(statement);
    return "done";
  } catch (error) {
    if (statement.startsWith("begin")) await client.query("rollback");
    return (error as { code?: string }).code ?? String(error);
  }
}

describe("an analyst sees", () => {
  test("of the bound organization and environment every view, and of others nothing", async () => {
    const seen = await everything();
    expect(Object.keys(seen)).toEqual(
      expect.arrayContaining(["analytics.credits_per_day", "analytics.proofs_per_day", "api.credit_balances"]),
    );
    for (const [name, rows] of Object.entries(seen)) {
      // Nothing is sealed yet.
      if (name !== "api.audit_seals") expect({ name, rows }).not.toEqual({ name, rows: "[]" });
      for (const foreign of ["secret of another", "other.example", "own test", other.id])
        expect({ name, shows: rows.includes(foreign) ? foreign : "" }).toEqual({ name, shows: "" });
    }
    expect(await labels()).toEqual(OWN);
    const { rows: perDay } = await analyst.query("select proofs from analytics.proofs_per_day");
    expect(perDay).toEqual([{ proofs: "2" }]);
    const { rows: credits } = await analyst.query(
      "select kind, reason, granted, consumed, movements from analytics.credits_per_day order by reason",
    );
    expect(credits).toEqual([
      { kind: "signature", reason: "envelope_signer", granted: "0", consumed: "4", movements: "3" },
      { kind: "signature", reason: "granted", granted: "100", consumed: "0", movements: "1" },
      { kind: "signature", reason: "proof_registered", granted: "0", consumed: "2", movements: "2" },
    ]);
    expect((await analyst.query("select distinct url from api.webhook_endpoints")).rowCount).toBe(2);
    // Two of "own live" each for two proofs, two of "own live too" for one.
    const { rows: deliveries } = await analyst.query(
      "select status, count(*)::integer as times from api.webhook_deliveries group by status order by status",
    );
    expect(deliveries).toEqual([
      { status: "PENDING", times: 3 },
      { status: "SKIPPED", times: 3 },
    ]);
    expect(
      (
        await analyst.query(
          "select data ->> 'label' as label from api.webhook_events where type = 'proof.registered' order by 1",
        )
      ).rows,
    ).toEqual(OWN.map((label) => ({ label })));
    expect((await analyst.query("select evidence from api.public_proofs")).rows).toEqual([
      { evidence: expect.not.objectContaining({ file_name: expect.anything() }) },
      { evidence: expect.not.objectContaining({ file_name: expect.anything() }) },
    ]);
  });

  test("the same whatever it sets, in the session, the transaction or at the start", async () => {
    const settings = [
      `app.tenant_id = '${other.id}'`,
      "app.environment = 'test'",
      "app.scopes = 'proofs:read proofs:write billing:read'",
      "app.actor_kind = 'token'",
      `app.actor_id = '${other.id}'`,
      "app.created_proof_id = 'x'",
      "default_transaction_read_only = off",
      "transaction_read_only = off",
      "search_path = pg_temp, pg_catalog, signature, platform",
      "timezone = 'Pacific/Kiritimati'",
      "datestyle = 'German'",
      "enable_indexscan = off",
      "enable_indexonlyscan = off",
      "enable_bitmapscan = off",
      "debug_parallel_query = regress",
      "parallel_setup_cost = 0",
      "min_parallel_table_scan_size = 0",
      "plan_cache_mode = force_generic_plan",
      "from_collapse_limit = 1",
      "session_replication_role = replica",
      "role = selo_app",
      `session_authorization = '${other.id}'`,
    ];
    const seen = await everything();
    for (const setting of settings) {
      await analyst.query("begin");
      const local = await refusal(`set local ${setting}`);
      if (local === "done" && !/timezone|datestyle/.test(setting))
        expect({ setting, ...(await everything()) }).toEqual({ setting, ...seen });
      else if (local === "done") expect(await labels()).toEqual(OWN);
      await analyst.query("rollback");
      if ((await refusal(`set ${setting}`)) === "done") expect(await labels()).toEqual(OWN);
      await analyst.query("reset all");
    }
    const everywhere = await connect(
      live.url,
      `-c app.tenant_id=${other.id} -c app.environment=test -c app.scopes=proofs:read -c default_transaction_read_only=off`,
    );
    expect(await everything(everywhere)).toEqual(seen);
    await everywhere.end();
    // Turned off, row-level security refuses rather than shows.
    await analyst.query("set row_security = off");
    expect(await refusal("select * from api.proofs")).toBe("42501");
    await analyst.query("reset all");
  });

  test("the days in UTC, whatever its time zone", async () => {
    const days = "select day::text from analytics.proofs_per_day";
    const { rows } = await analyst.query(days);
    for (const zone of ["Pacific/Kiritimati", "Etc/GMT+12"]) {
      await analyst.query(`set timezone = '${zone}'`);
      expect((await analyst.query(days)).rows).toEqual(rows);
    }
    await analyst.query("reset all");
  });

  test("what the binding says, at once, and nothing without one", async () => {
    const bind = (set: string, value: string) =>
      selo.database.admin.query(`update platform.analysts set ${set} = $1 where login = $2`, [value, live.login]);
    await bind("environment", "test");
    expect(await labels()).toEqual(["own test"]);
    await bind("tenant_id", other.id);
    expect(await labels()).toEqual(["secret of another's test"]);
    await selo.database.admin.query("delete from platform.analysts where login = $1", [live.login]);
    for (const [name, rows] of Object.entries(await everything()))
      if (!["api.platform_keys", "api.seal_certificates", "api.audit_seals", "api.webhook_event_kinds"].includes(name))
        expect({ name, rows }).toEqual({ name, rows: "[]" });
    await selo.database.admin.query(
      "insert into platform.analysts (login, tenant_id, environment) values ($1, $2, 'live')",
      [live.login, own.id],
    );
    expect(await labels()).toEqual(OWN);
  });
});

test("the views that analysts are not given hold personal data, or what people alone manage", async () => {
  const { rows } = await selo.database.admin.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'v' and relnamespace in ('api'::regnamespace, 'analytics'::regnamespace)
       and not has_table_privilege('selo_analyst', oid, 'select') order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    "api.api_tokens",
    "api.dns_keys",
    "api.invitations",
    "api.members",
    "api.organization",
    "api.test_mails",
  ]);
  for (const { name } of rows) expect(await refusal(`select from ${name}`)).toBe("42501");
});

describe("what psql's \\d+ and tools show of views", () => {
  interface Described {
    readonly view: string;
    /** Null of the view itself. */
    readonly column: string | null;
    readonly comment: string;
  }
  const described = async () =>
    (
      await analyst.query<Described>(`
        select format('%s.%s', relnamespace::regnamespace, relname) as view, column_name as column,
          case when attnum = 0 then obj_description(class.oid, 'pg_class') else col_description(class.oid, attnum) end as comment
        from pg_class as class
        cross join lateral (
          select null as column_name, 0 as attnum
          union all select attname::text, attnum from pg_attribute where attrelid = class.oid and attnum > 0) as named
        where relkind = 'v' and relnamespace::regnamespace::text in ('api', 'analytics')
          and has_table_privilege(class.oid, 'select') order by 1, attnum`)
    ).rows;

  test("is words: no tag stands in a comment", async () => {
    const comments = await described();
    expect(comments.length).toBeGreaterThan(100);
    expect(comments.filter(({ comment }) => /(^|\n)@|\n|@(notNull|behavior|primaryKey)/.test(comment ?? "@"))).toEqual(
      [],
    );
  });

  test("the primary key, which no two rows have in common, and what is never null", async () => {
    const comments = await described();
    let [keys, notNull] = [0, 0];
    for (const { view, column, comment } of comments) {
      const key = column === null ? / Primary key: ([\w, ]+)\.$/.exec(comment)?.[1] : undefined;
      if (column === null && view !== "api.billing_plan") expect([view, key]).toEqual([view, expect.any(String)]);
      if (key !== undefined) {
        const { rows } = await analyst.query(`select count(*) - count(distinct (${key})) as twice from ${view}`);
        expect([view, rows]).toEqual([view, [{ twice: "0" }]]);
        for (const one of key.split(", "))
          expect(comments.find((each) => each.view === view && each.column === one)?.comment).toMatch(/ Not null\.$/);
        keys++;
      }
      if (column === null || !comment.endsWith(" Not null.")) continue;
      const { rows } = await analyst.query(`select from ${view} where ${column} is null`);
      expect([view, column, rows]).toEqual([view, column, []]);
      notNull++;
    }
    expect(keys).toBeGreaterThan(12);
    expect(notNull).toBeGreaterThan(60);
  });

  test("Postgres takes no constraint on a view, so words are all that there is", async () => {
    for (const statement of ["add primary key (id)", "alter column id set not null"])
      await expect(selo.database.admin.query(`alter table api.proofs ${statement}`)).rejects.toMatchObject({
        code: "42809",
      });
  });
});

test("proofs are read without what only an answer to a registration says, and beside them in few columns", async () => {
  const columnsOf = async (view: string) =>
    (await analyst.query(`select * from ${view} limit 0`)).fields.map(({ name }) => name);
  expect(await columnsOf("api.proofs")).not.toContain("created");
  const slim = await columnsOf("analytics.proofs");
  expect(slim).toEqual([
    "id",
    "registered_at",
    "label",
    "file_name",
    "file_size",
    "sha256",
    "language",
    "verification_code",
    "verify_url",
  ]);
  const read = async (view: string) =>
    (await analyst.query(`select ${slim.join(", ")} from ${view} order by registered_at`)).rows;
  expect(await read("analytics.proofs")).toHaveLength(2);
  expect(await read("analytics.proofs")).toEqual(await read("api.proofs"));
  // A tool that writes no schema gets the few.
  expect(await columnsOf("proofs")).toEqual(slim);
  // Signatures and evidence stand apart from their row, and no expression of the plan reads them.
  const { rows } = await analyst.query("explain (verbose, costs off) select * from analytics.proofs");
  expect(JSON.stringify(rows)).toContain("encode(proof.sha256");
  expect(JSON.stringify(rows)).not.toMatch(/base64|json/);
});

test("the actor of an event is a token with a name; no token of another environment or organization is there, and no secret", async () => {
  const { rows } = await analyst.query(
    `select distinct event.actor_type, token.name from api.audit_events as event left join api.tokens as token on token.id = event.actor_id
     order by 1`,
  );
  expect(rows).toEqual([
    { actor_type: "api_key", name: null },
    { actor_type: "operator", name: null },
    { actor_type: "participant", name: null },
    { actor_type: "system", name: null },
    { actor_type: "token", name: "test" },
  ]);
  const { rows: tokens } = await analyst.query("select * from api.tokens");
  expect(tokens).toEqual([
    {
      id: expect.any(String),
      name: "test",
      prefix: own.live.slice(0, 15),
      scopes: expect.arrayContaining(["proofs:read"]),
      created_at: expect.any(Date),
      expires_at: null,
      revoked_at: null,
      // Uses of gateways are written every minute.
      last_used_at: expect.toBeOneOf([null, expect.any(Date)]),
    },
  ]);
  const stored = await selo.database.admin.query<{ secret: string }>(
    `select encode(digest, 'hex') as secret from platform.credentials where tenant_id = $1
     union all select encode(record_salt, 'hex') from platform.tokens where tenant_id = $1`,
    [own.id],
  );
  expect(stored.rows.length).toBeGreaterThan(3);
  const shown = JSON.stringify(tokens);
  for (const secret of [own.live.slice(15), ...stored.rows.map(({ secret }) => secret)])
    expect(shown).not.toContain(secret);
});

test("a token that is revoked, that ends or was used says so to analysts", async () => {
  const token = await own.token("live", ["proofs:read"]);
  const hash = createHash("sha256").update(token).digest();
  await selo.database.admin.query("select gateway.record_actor_use($1)", [[hash]]);
  const [listed] = (await selo.operator.listTokens(own.id)).filter(({ prefix }) => token.startsWith(prefix));
  await selo.operator.revokeToken(listed?.id ?? "");
  const { rows } = await analyst.query("select revoked_at, last_used_at from api.tokens where id = $1", [listed?.id]);
  expect(rows).toEqual([{ revoked_at: expect.any(Date), last_used_at: expect.any(Date) }]);
});

describe("nothing of others leaks", () => {
  test("through conditions that fail on a row they should not reach", async () => {
    for (const condition of [
      // Ends in an error that quotes the label, should it ever be asked of a row that is not its own.
      "case when label like 'own%' then 0 else label::integer end = 0",
      "case when label like 'own%' then 1 else 1 / (length(label) - length(label)) end = 1",
      "case when file_name like 'own%' then true else (file_name::jsonb) is null end",
      "case when id in (select id from api.public_proofs) then true else (verification_code::integer) = 1 end",
    ])
      for (const setting of ["enable_indexscan = on", "enable_indexscan = off", "enable_seqscan = off"]) {
        await analyst.query(`set ${setting}`);
        expect((await analyst.query(`select label from api.proofs where ${condition}`)).rowCount).toBe(2);
        await analyst.query("reset all");
      }
    expect(
      (
        await analyst.query(
          "select * from api.credit_usage where case when reason in ('envelope_signer', 'granted', 'proof_registered') then 1 else reason::integer end = 1",
        )
      ).rowCount,
    ).toBe(3);
  });

  test("through plans: a label another organization has, and one nobody has, look alike", async () => {
    const others = "secret of another";
    for (const view of ["api.proofs", "api.public_proofs"])
      for (const setting of ["enable_seqscan = on", "enable_seqscan = off", "enable_indexscan = off"])
        for (const column of view === "api.proofs" ? ["label", "file_name"] : ["label"]) {
          const plan = async (value: string) => {
            await analyst.query(`set ${setting}`);
            const { rows } = await analyst.query<{ "QUERY PLAN": string }>(
              `explain (analyze, timing off, summary off, buffers off) select id from ${view} where ${column} = '${value}'`,
            );
            await analyst.query("reset all");
            return rows.map((row) => row["QUERY PLAN"].replaceAll(value, "VALUE")).join("\n");
          };
          const suffix = column === "label" ? "" : ".pdf";
          expect(await plan(others + suffix)).toBe(await plan(`no such thing at all${suffix}`));
          // Not even by what the index of labels finds.
          expect(await plan(others + suffix)).not.toContain("trigrams");
        }
    const onPlan = async (plan: string) =>
      (await analyst.query(`explain select from api.billing_plan where plan = '${plan}'`)).rows
        .map((row) => row["QUERY PLAN"].replaceAll(plan, "VALUE"))
        .join("\n");
    expect(await onPlan("free")).toBe(await onPlan("growth"));
  });

  test("through estimates: what grows from value to value tells no code, name or size of another organization", async () => {
    // Joined to more rows than there are, an estimate shows fifteen digits of what the statistics know.
    const estimate = async (condition: string) => {
      const { rows } = await analyst.query<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
        `explain (format json) select from generate_series(1, 1000000000) as more (number), api.proofs as proof
         where ${condition} or more.number = -1`,
      );
      return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"];
    };
    for (const [column, low, high] of [
      ["verification_code", "'0'", "'ZZZZ-ZZZZ-ZZZZ'"],
      ["label", "'a'", "'z'"],
      ["file_name", "'a'", "'z'"],
      ["file_size", "0", "1000000"],
      ["sha256", "'0'", "'f'"],
    ])
      expect([column, await estimate(`proof.${column} < ${low}`)]).toEqual([
        column,
        await estimate(`proof.${column} < ${high}`),
      ]);
  });

  test("through plans and estimates of webhooks: addresses, descriptions, kinds and counts of another organization", async () => {
    const plan = async (view: string, condition: string) =>
      (await analyst.query<{ "QUERY PLAN": string }>(`explain (costs off) select from ${view} where ${condition}`)).rows
        .map((row) => row["QUERY PLAN"].replaceAll(/'[^']*'|\b\d+\b/g, "VALUE"))
        .join("\n");
    const estimate = async (view: string, condition: string) => {
      const { rows } = await analyst.query<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
        `explain (format json) select from generate_series(1, 1000000000) as more (number), ${view} as seen
         where ${condition} or more.number = -1`,
      );
      return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"];
    };
    const conditions: readonly (readonly [view: string, column: string, had: string, not: string])[] = [
      ["api.webhook_endpoints", "url", "= 'https://example.com/0'", "= 'x'"],
      ["api.webhook_endpoints", "url", "< 'a'", "< 'z'"],
      ["api.webhook_endpoints", "description", "= 'secret of another'", "= 'no such thing'"],
      ["api.webhook_endpoints", "description", "< 'a'", "< 'z'"],
      ["api.webhook_endpoints", "status", "= 'DISABLED'", "= 'x'"],
      ["api.webhook_endpoints", "disabled_reason", "= 'manual'", "= 'x'"],
      ["api.webhook_endpoints", "event_types", "= '{*}'", "= '{x}'"],
      ["api.webhook_endpoints", "consecutive_failures", "< 0", "< 100"],
      ["api.webhook_events", "type", "= 'proof.registered'", "= 'x'"],
      ["api.webhook_events", "type", "< 'a'", "< 'z'"],
      ["api.webhook_deliveries", "event_type", "= 'proof.registered'", "= 'x'"],
      ["api.webhook_deliveries", "trigger", "= 'auto'", "= 'x'"],
      ["api.webhook_deliveries", "url", "= 'https://example.com/0'", "= 'x'"],
      ["api.webhook_deliveries", "response_status", "< 0", "< 600"],
      ["api.webhook_deliveries", "duration_ms", "< 0", "< 100000"],
      ["api.webhook_deliveries", "response_body", "< 'a'", "< 'z'"],
      ["api.webhook_deliveries", "error_code", "= 'timeout'", "= 'x'"],
      ["api.webhook_deliveries", "attempt", "= 3", "= 7"],
    ];
    for (const [view, column, had, not] of conditions) {
      const name = `${view} ${column} ${had}`;
      expect([name, await plan(view, `${column} ${had}`)]).toEqual([name, await plan(view, `${column} ${not}`)]);
      expect([name, await estimate(view, `seen.${column} ${had}`)]).toEqual([
        name,
        await estimate(view, `seen.${column} ${not}`),
      ]);
    }
  });

  test("through statistics, other sessions' queries or the definitions of roles", async () => {
    expect(
      (await analyst.query("select * from pg_stats where schemaname not in ('pg_catalog', 'information_schema')")).rows,
    ).toEqual([]);
    expect((await analyst.query("select * from pg_stats_ext")).rows).toEqual([]);
    for (const table of ["pg_statistic", "pg_authid", "pg_statistic_ext_data", "pg_subscription", "pg_largeobject"])
      expect([table, await refusal(`select * from ${table}`)]).toEqual([table, "42501"]);
    await selo.database.admin.query("select 'a query of the operator'");
    const { rows } = await analyst.query<{ query: string }>(
      "select query from pg_stat_activity where usename <> session_user and query <> ''",
    );
    expect(rows.filter(({ query }) => query !== "<insufficient privilege>")).toEqual([]);
    expect((await analyst.query("select passwd from pg_shadow").catch((error) => error)).code).toBe("42501");
  });
});

/** Not ours to refuse: libraries', but in schemas that analysts may not use. */
const LIBRARIES = ["extensions", "graphile_worker"];

describe("refused are", () => {
  test("every table of every schema, to read and to write", async () => {
    const { rows: tables } = await selo.database.admin.query<{ name: string; column: string }>(
      `select oid::regclass::text as name, (select quote_ident(attname) from pg_attribute where attrelid = oid and attnum = 1) as column
       from pg_class where relkind in ('r', 'p', 'm', 'S', 'f')
         and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    );
    expect(tables.length).toBeGreaterThan(25);
    expect(tables.map(({ name }) => name.split(".")[0])).toEqual(
      expect.arrayContaining([...services.map(({ name }) => name), "gateway", "graphile_worker"]),
    );
    await analyst.query("set default_transaction_read_only = off");
    for (const { name, column } of tables)
      for (const statement of [
        `select * from ${name}`,
        `select count(*) from ${name}`,
        `insert into ${name} default values`,
        `update ${name} set ${column} = ${column}`,
        `delete from ${name}`,
        `truncate ${name}`,
        `begin; lock table ${name} in access share mode`,
        `copy ${name} to stdout`,
        `alter table ${name} rename to mine`,
        `drop table ${name}`,
      ])
        expect([statement, await refusal(statement)]).toEqual([
          statement,
          // Of a sequence Postgres says first that it is none of what was asked for.
          expect.stringMatching(/^(42501|42809|428C9)$/),
        ]);
    await analyst.query("reset all");
  });

  test("writes through every view", async () => {
    await analyst.query("set default_transaction_read_only = off");
    for (const name of await views()) {
      expect([name, await refusal(`delete from ${name}`)]).toEqual([name, expect.stringMatching(/^(42501|55000)$/)]);
      const { rows } = await selo.database.admin.query(
        "select true in (has_table_privilege($1, $2, 'insert'), has_table_privilege($1, $2, 'update'), has_table_privilege($1, $2, 'delete'), has_any_column_privilege($1, $2, 'insert, update')) as may",
        [live.login, name],
      );
      expect([name, rows]).toEqual([name, [{ may: false }]]);
    }
    await analyst.query("reset all");
  });

  test("every function of our schemas, save those the views call, which have no name for analysts", async () => {
    const { rows } = await selo.database.admin.query<{ schema: string; name: string; call: string; may: boolean }>(
      `select pronamespace::regnamespace::text as schema, format('%s.%s', pronamespace::regnamespace, proname) as name,
         has_function_privilege($1, oid, 'execute') as may,
         format('%s %s.%I(%s)', case prokind when 'p' then 'call' else 'select' end, pronamespace::regnamespace, proname,
           (select string_agg('null::' || format_type(type, null), ', ' order by place) from unnest(proargtypes::oid[]) with ordinality as argument (type, place))) as call
       from pg_proc where pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'pg_toast')
         and prokind in ('f', 'p')
         -- Of "internal" and its like there is no value in SQL: nobody can call those by name.
         and not exists (select from unnest(proargtypes::oid[]) as taken join pg_type as type on type.oid = taken where typname = 'internal')
       order by 2`,
      [live.login],
    );
    expect(rows.length).toBeGreaterThan(150);
    const ours = rows.filter(({ schema }) => !LIBRARIES.includes(schema));
    // What the views call as who reads, though nobody can call it by name: each service's test of rights lists its own.
    const granted = await selo.database.admin.query<{ name: string }>(
      `select format('%s.%s', pronamespace::regnamespace, proname) as name from pg_proc cross join aclexplode(proacl) as acl
       where acl.grantee = 'selo_analyst'::regrole and pronamespace::regnamespace::text <> all ($1) order by 1`,
      [LIBRARIES],
    );
    expect([...new Set(ours.filter(({ may }) => may).map(({ name }) => name))]).toEqual(
      granted.rows.map(({ name }) => name),
    );
    await analyst.query("set default_transaction_read_only = off");
    for (const { call } of rows) expect([call, await refusal(call)]).toEqual([call, "42501"]);
    await analyst.query("reset all");
  });

  test.each([
    "set role selo_owner",
    "set role selo_app",
    "set role selo_service",
    "set role selo_system",
    "set role selo_analyst",
    "set role postgres",
    "set session authorization postgres",
    "create temporary table mine (id integer)",
    "create temporary view mine as select 1",
    "select 1 as id into temporary mine",
    "create table public.mine (id integer)",
    "create schema mine",
    "create view api.mine as select 1",
    "create function public.mine() returns integer language sql return 1",
    "create function pg_temp.mine() returns integer language sql return 1",
    "create operator public.=== (function = int4eq, leftarg = integer, rightarg = integer)",
    "create role mine",
    "create database mine",
    "create extension dblink",
    "create extension pg_stat_statements",
    "create event trigger mine on ddl_command_end execute function pg_notify()",
    "create publication mine for all tables",
    "create server mine foreign data wrapper none",
    "alter role selo_analyst password 'mine'",
    "alter system set log_statement = 'all'",
    "copy (select 1) to program 'true'",
    "copy (select 1) to '/tmp/mine'",
    "select pg_read_file('postgresql.conf')",
    "select pg_read_binary_file('postgresql.conf')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/hostname')",
    "select lo_creat(-1)",
    "select lo_create(0)",
    "select lo_from_bytea(0, 'x')",
    "select pg_advisory_lock(24080)",
    "select pg_try_advisory_xact_lock(24080)",
    "select pg_reload_conf()",
    "select pg_switch_wal()",
    "select pg_stat_reset()",
    "select pg_create_physical_replication_slot('mine')",
    "select pg_logical_emit_message(false, 'a', 'b')",
    "select pg_export_snapshot()",
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'selo_app'",
    "set temp_file_limit = -1",
    "begin; lock table api.proofs in access exclusive mode",
    "drop view api.proofs",
    "comment on view api.proofs is 'mine'",
    "do $$ begin perform id from signature.proofs; end $$",
  ])("%s", async (statement) => {
    await analyst.query("set default_transaction_read_only = off");
    const code = await refusal(statement);
    await analyst.query("reset all");
    // 0A000, 42704, 58P01: there is no such thing here to ask rights for.
    expect(code).toMatch(/^(42501|42704|0A000|58P01)$/);
  });

  test("nothing, where it may: what every login of Postgres can do changes nothing of ours", async () => {
    const before = await everything();
    await analyst.query("set default_transaction_read_only = off");
    for (const statement of [
      "select pg_sleep(0)",
      "notify anything, 'x'",
      "listen anything",
      "unlisten *",
      "alter default privileges grant select on tables to public",
      "grant select on api.proofs to public", // a warning: nothing was granted
      `alter role ${live.login} set statement_timeout = 0`,
    ])
      expect([statement, await refusal(statement)]).toEqual([statement, "done"]);
    const { rows: granted } = await selo.database.admin.query(
      "select from pg_class cross join aclexplode(relacl) where grantee = 0 and relnamespace = 'api'::regnamespace",
    );
    expect(granted).toEqual([]);
    await analyst.query("reset all");
    expect(await everything()).toEqual(before);
  });
});

test("a migration waits for an analyst who reads on with no lock in hand, so that nobody waits for the migration", async () => {
  await analyst.query("begin");
  await analyst.query("select count(*) from api.proofs");
  const source = readSqlSource();
  const applied = migrate({
    adminUrl: selo.database.adminUrl,
    serviceUrls: [],
    source: { ...source, schemas: `${source.schemas}-- another text\n` },
  });
  const waiting = async () =>
    (
      await selo.database.admin.query<{ locks: string }>(
        `select (select count(*) from pg_locks as held where held.pid = session.pid and held.mode = 'AccessExclusiveLock') as locks
         from pg_stat_activity as session where datname = current_database() and wait_event = 'PgSleep'`,
      )
    ).rows;
  await expect.poll(waiting, { interval: 20 }).toEqual([{ locks: "0" }]);
  expect(
    (await fetch(`${selo.baseUrl}/api/v1/proofs`, { headers: { authorization: `Bearer ${own.live}` } })).status,
  ).toBe(200);
  await analyst.query("rollback");
  expect(await applied).toEqual(["repeatable"]);
  expect(await labels()).toEqual(OWN);
});

test("the queries of the guide run as they stand there, ten of them", async () => {
  const guide = fs.readFileSync("src/web/guides/analysts.md", "utf8");
  const queries = [...guide.matchAll(/```sql\n(.*?)```/gs)].map(([, query = ""]) => query);
  expect(queries).toHaveLength(10);
  for (const query of queries) await analyst.query(query);
});

test("an envelope says when it ended, and which tokens created and sent it", async () => {
  const stage = { selo, tenantId: own.id, token: own.live, environment: "live" } as const;
  const { id } = await aSendable(stage, {}, async () => (await storedDocument(selo, own.live)).id);
  const told = async () => {
    const { rows } = await analyst.query(
      `select envelope.status, envelope.ended_at = ended.occurred_at as ended, made.prefix as made_with, sent.prefix as sent_with
       from api.envelopes as envelope
       left join api.audit_events as ended on ended.subject_id = envelope.id and ended.action = 'envelope.cancelled'
       left join api.tokens as made on made.id = envelope.created_token_id
       left join api.tokens as sent on sent.id = envelope.sent_token_id where envelope.id = $1`,
      [id],
    );
    return rows[0];
  };
  const other = await own.token("live", ["envelopes:send", "envelopes:cancel"]);
  const [made_with, sent_with] = [own.live.slice(0, 15), other.slice(0, 15)];
  expect(await told()).toEqual({ status: "ready", ended: null, made_with, sent_with: null });
  expect((await call(selo, "POST", `/envelopes/${id}/send`, { token: other })).status).toBe(200);
  expect(await told()).toEqual({ status: "sent", ended: null, made_with, sent_with });
  expect((await call(selo, "POST", `/envelopes/${id}/cancel`, { token: other, body: {} })).status).toBe(200);
  expect(await told()).toEqual({ status: "cancelled", ended: true, made_with, sent_with });
});

test("changes of zones are counted, and show no content", async () => {
  const { rows } = await analyst.query("select * from api.dns_changes order by serial");
  expect(rows.length).toBeGreaterThan(0);
  for (const change of rows) expect(Object.keys(change)).not.toEqual(expect.arrayContaining(["added", "removed"]));
  const { rows: sums } = await analyst.query(
    `select sum(change.records_added) - sum(change.records_removed) = (select count(*) from api.dns_records) as agrees,
       bool_and(change.key_id is not null) as are_keys_known
     from api.dns_changes as change`,
  );
  expect(sums).toEqual([{ agrees: true, are_keys_known: true }]);
});

test("the comment of a column with a closed list of values has the values", async () => {
  const { rows } = await selo.database.admin.query<{ comment: string }>(
    `select col_description('api.envelopes'::regclass, attnum) as comment from pg_attribute
     where attrelid = 'api.envelopes'::regclass and attname = 'status'`,
  );
  const { rows: known } = await selo.database.admin.query<{ name: string }>(
    "select name from signature.envelope_statuses",
  );
  expect(known.length).toBeGreaterThan(5);
  for (const { name } of known) expect(rows[0]?.comment).toContain(name);
});

test("the queries of sql/<service>/README.md run as they stand there, and each answers something", async () => {
  const block = services.map((service) => sqlReadme(service, "For analysts")).join("\n");
  const queries = [...block.matchAll(/```sql\n(.*?)```/gs)].flatMap(([, text = ""]) =>
    text.split(";").filter((query) => /\w/.test(query)),
  );
  expect(queries.length).toBeGreaterThan(2);
  for (const query of queries) expect([query, (await analyst.query(query)).rowCount]).not.toEqual([query, 0]);
  // Every roll-up is among them.
  for (const name of await views()) if (name.startsWith("analytics.")) expect(block).toContain(`\`${name}\``);
});

test("the gateway's login reads the roll-ups with the scope of what they sum up, and not without", async () => {
  const app = await connect(selo.database.appUrl);
  const as = async (scope: string, view: string) => {
    const hash = createHash("sha256")
      .update(await own.token("live", [scope]))
      .digest();
    await app.query("begin");
    await app.query("select gateway.enter($1, null)", [hash]);
    const outcome = await refusal(`select * from analytics.${view}`, app);
    await app.query("rollback");
    return outcome;
  };
  expect(await as("proofs:read", "proofs_per_day")).toBe("done");
  expect(await as("billing:read", "proofs_per_day")).toBe("PT403");
  expect(await as("billing:read", "credits_per_day")).toBe("done");
  expect(await as("proofs:read", "credits_per_day")).toBe("PT403");
  await app.end();
});
