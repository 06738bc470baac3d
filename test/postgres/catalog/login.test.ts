// What the password of a login of ours opens by itself: whatever is set, replayed, switched or kept open, nothing that an
// organization has.
import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { writeZone } from "../../services/dns/write-zone.ts";
import { writeOneEnvelope } from "../../services/signature/envelope-isolation.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call } from "../../support/rest-client.ts";
import { tenantViews } from "../../support/tables.ts";

let selo: TestGateway;
let own: TestOrganization;
let other: TestOrganization;
let app: pg.Client;
beforeAll(async () => {
  selo = await startTestGateway();
  own = await selo.newOrganization({ name: "Own" });
  other = await selo.newOrganization({ name: "Other" });
  for (const token of [own.live, own.test, other.live]) {
    const webhook = { url: "https://example.com/hook", event_types: ["*"] };
    expect((await call(selo, "POST", "/webhooks", { token, body: webhook })).status).toBe(201);
    const proof = { sha256: randomBytes(32).toString("hex"), label: labelOf(token) };
    expect((await call(selo, "POST", "/proofs", { token, body: proof })).status).toBe(201);
    const { id: tenantId } = token === other.live ? other : own;
    await writeOneEnvelope({ selo, tenantId, token, environment: token === own.test ? "test" : "live" });
  }
  const key = (await issueKey(selo.operator, own.id, "robot")).secret;
  await writeZone(selo, own, key, "own.example");
  app = await connect(selo.database.appUrl);
});
afterAll(async () => {
  await app?.end();
  await selo?.stop();
});

/** Finds ids of proofs for GraphQL, which calls it beside views: no gateway.call stands before it. */
const FIND_PROOFS = `select gateway.find_proofs('', '{"most": 100}')`;
const FIND_ENVELOPES = `select gateway.find_envelopes('', '{"most": 100}')`;
const ENTER = "select from gateway.enter($1, null)";
const hashOf = (token: string) => createHash("sha256").update(token).digest();
const labelOf = (token: string) => `label ${hashOf(token).toString("hex").slice(0, 12)}`;

async function connect(connectionString: string, options = ""): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, options });
  await client.connect();
  return client;
}

/** In a transaction that is rolled back. */
async function within<Result>(work: () => Promise<Result>, client = app): Promise<Result> {
  await client.query("begin");
  try {
    return await work();
  } finally {
    await client.query("rollback");
  }
}

const labels = async (client = app) =>
  (await client.query<{ label: string }>("select label from api.proofs order by label")).rows.map(({ label }) => label);

/** Everything that a context is made of, as another organization's. */
const settingsOf = (organization: TestOrganization, mac = ""): Record<string, string> => ({
  "app.tenant_id": organization.id,
  "app.environment": "live",
  "app.actor_kind": "user",
  "app.actor_id": organization.id,
  "app.scopes":
    "proofs:read proofs:write billing:read audit:read webhooks:manage envelopes:read documents:read zone:read record:read",
  "app.mac": mac,
});
const set = async (settings: Readonly<Record<string, string>>, client = app, isLocal = true) => {
  for (const [name, value] of Object.entries(settings))
    await client.query("select set_config($1, $2, $3)", [name, value, isLocal]);
};

test("every view over a tenant table asks may_read, or shows it only through views that do", async () => {
  const views = await tenantViews(selo.database);
  // So that none of these is overlooked. Services that come later have more.
  const known = expect.arrayContaining([
    "analytics.credits_per_day",
    "analytics.envelopes_per_day",
    "analytics.proofs",
    "analytics.proofs_per_day",
    "api.audit_events",
    "api.billing_plan",
    "api.credit_balances",
    "api.credit_usage",
    "api.dns_records",
    "api.dns_zones",
    "api.dnssec_keys",
    "api.documents",
    "api.envelope_documents",
    "api.envelope_fields",
    "api.envelope_labels",
    "api.envelope_participants",
    "api.envelopes",
    "api.plan_features",
    "api.proofs",
    "api.public_proofs",
    "api.test_mails",
    "api.tokens",
    "api.webhook_deliveries",
    "api.webhook_endpoints",
    "api.webhook_events",
  ]);
  expect(views.map(({ name }) => name)).toEqual(known);
  for (const { name, asks, arms, isDirect } of views)
    expect({ name, asks: !isDirect || asks >= arms }).toEqual({ name, asks: true });
});

test("with a token, a view is read: of its organization and environment alone", async () => {
  for (const token of [own.live, own.test, other.live])
    expect(
      await within(async () => {
        await app.query(ENTER, [hashOf(token)]);
        return labels();
      }),
    ).toEqual([labelOf(token)]);
});

describe("settings made by hand open no view", () => {
  test.each([
    ["in the transaction", true],
    ["in the session", false],
  ])("%s", async (_, isLocal) => {
    for (const { name } of await tenantViews(selo.database)) {
      // Commands alone answer rows of a view that the login may not read.
      const { rows } = await app.query<{ isGranted: boolean }>(
        `select has_table_privilege('${name}', 'select') as "isGranted"`,
      );
      const code = rows[0]?.isGranted ? "PT401" : "42501";
      for (const mac of ["", "00".repeat(32), "x"])
        await within(async () => {
          await set(settingsOf(other, mac), app, isLocal);
          await expect(app.query(`select * from ${name}`), name).rejects.toMatchObject({ code });
        });
    }
  });

  test("at the start of the session", async () => {
    const { "app.scopes": _, ...settings } = settingsOf(other, "00".repeat(32));
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    const client = await connect(selo.database.appUrl, `${options.join(" ")} -c app.scopes=proofs:read`);
    await expect(labels(client)).rejects.toMatchObject({ code: "PT401" });
    await client.end();
  });

  test("nor do those of Postgres that say who one is", async () => {
    for (const name of ["is_superuser", "session_authorization", "role"])
      await within(async () => {
        const value = name === "is_superuser" ? "on" : "selo_owner";
        await expect(app.query("select set_config($1, $2, true)", [name, value]), name).rejects.toMatchObject({
          code: expect.stringMatching(/^(42501|55P02)$/),
        });
      });
    await within(async () => {
      await app.query("set local role selo_service");
      await set(settingsOf(other));
      const { rows } = await app
        .query("select platform.tenant_id() as tenant")
        .catch(() => ({ rows: [{ tenant: null }] }));
      expect(rows).toEqual([{ tenant: null }]);
    });
  });

  test("and no function answers of the organization: each asks for a credential", async () => {
    const asked = ["list_proofs", "billing_plan", "list_audit_events", "list_webhooks", "delete_webhook"];
    await within(async () => {
      await set(settingsOf(other));
      const { rows } = await app.query("select platform.tenant_id() as tenant, platform.environment() as environment");
      expect(rows).toEqual([{ tenant: null, environment: null }]);
    });
    for (const command of asked)
      await within(async () => {
        await set(settingsOf(other));
        const answer = app.query("select gateway.call(null, $1, $2)", [command, '{"search": "x"}']);
        await expect(answer, command).rejects.toMatchObject({ code: "PT401" });
      });
  });

  test("nor a function that the login calls directly: one that reads the context asks whether it was entered", async () => {
    const { rows } = await selo.database.admin.query<{ name: string; asks: boolean }>(`
      select format('%s.%s', pronamespace::regnamespace, proname) as name, prosrc ~ 'platform.is_entered()' as asks from pg_proc
      where pronamespace in (select oid from pg_namespace where nspname in ('api', 'gateway', 'signature', 'webhooks'))
        and has_schema_privilege('selo_app', pronamespace, 'usage') and has_function_privilege('selo_app', oid, 'execute')
        and prosrc ~ 'platform.(tenant_id|environment)()' order by 1`);
    expect(rows).toEqual([
      { name: "gateway.find_envelopes", asks: true },
      { name: "gateway.find_proofs", asks: true },
    ]);
    for (const find of [FIND_PROOFS, FIND_ENVELOPES])
      await within(async () => {
        await set(settingsOf(other));
        await expect(app.query(find)).rejects.toMatchObject({ code: "PT401" });
      });
  });

  test("nor to the worker's login, which has no right on any", async () => {
    const worker = await connect(selo.database.workerUrl);
    for (const { name } of await tenantViews(selo.database))
      await within(async () => {
        await set(settingsOf(other), worker);
        await expect(worker.query(`select * from ${name}`), name).rejects.toMatchObject({ code: "42501" });
      }, worker);
    await worker.end();
  });
});

describe("what gateway.enter made", () => {
  /** Enters, and answers the settings as they then are. */
  const entered = async (token: string, client = app) => {
    await client.query(ENTER, [hashOf(token)]);
    const { rows } = await client.query<Record<string, string>>(
      `select ${Object.keys(settingsOf(own))
        .map((name) => `current_setting('${name}') as "${name}"`)
        .join(", ")}`,
    );
    return rows[0] as Record<string, string>;
  };

  test("is worth nothing in a later transaction of the same backend", async () => {
    const settings = await within(() => entered(own.live));
    await within(async () => {
      await set(settings);
      await expect(labels()).rejects.toMatchObject({ code: "PT401" });
    });
  });

  test("is worth nothing in another backend, at the same time", async () => {
    const another = await connect(selo.database.appUrl);
    await within(async () => {
      const settings = await entered(own.live);
      expect(await labels()).toEqual([labelOf(own.live)]);
      await within(async () => {
        await set(settings, another);
        await expect(labels(another)).rejects.toMatchObject({ code: "PT401" });
      }, another);
    });
    await another.end();
  });

  test.each(["app.tenant_id", "app.environment", "app.actor_kind", "app.actor_id", "app.scopes"])(
    "is worth nothing once %s is another",
    async (name) => {
      const changed = { ...settingsOf(other), "app.environment": "test" }[name] ?? "";
      await within(async () => {
        await entered(own.live);
        await set({ [name]: changed });
        await expect(labels()).rejects.toMatchObject({ code: "PT401" });
      });
      await within(async () => {
        await entered(own.live);
        expect((await app.query(FIND_PROOFS)).rows).toHaveLength(1);
        await set({ [name]: changed });
        await expect(app.query(FIND_PROOFS)).rejects.toMatchObject({ code: "PT401" });
      });
    },
  );

  test("has no ambiguous form: what moves from one member to the next is another context", async () => {
    await within(async () => {
      const settings = await entered(own.live);
      const [first = "", ...rest] = (settings["app.scopes"] ?? "").split(" ");
      await set({ "app.actor_id": `${settings["app.actor_id"]}","${first}`, "app.scopes": rest.join(" ") });
      await expect(labels()).rejects.toMatchObject({ code: "PT401" });
    });
  });

  test("cannot be switched in the middle of a statement, between the asking of the scope and the reading", async () => {
    // Sequential scans read the organization when the first row comes: after the scope was asked, in the first round, and
    // after the settings were changed, in the second.
    const attack = `select seen.label from generate_series(1, 2) as round (number)
      cross join lateral (
        select case when round.number = 2 then set_config('app.tenant_id', '${other.id}', true) end as switched offset 0
      ) as switching
      cross join lateral (
        select proof.label from api.proofs as proof where round.number = 2 and switching.switched is not null limit 10
      ) as seen`;
    for (const scans of ["on", "off"])
      await within(async () => {
        await app.query(`set local enable_indexscan = ${scans}; set local enable_bitmapscan = ${scans}`);
        await entered(own.live);
        const { rows } = await app.query<{ label: string }>(attack);
        expect(rows.map(({ label }) => label)).not.toContain(labelOf(other.live));
      });
  });

  test("is nobody's without a credential, and 401 with an invalid one", async () => {
    await within(async () => {
      await app.query(ENTER, [null]);
      expect((await app.query("select from api.platform_keys")).rowCount).toBe(4);
      await expect(labels()).rejects.toMatchObject({ code: "PT401" });
    });
    await within(async () => {
      await expect(app.query(ENTER, [randomBytes(32)])).rejects.toMatchObject({ code: "PT401" });
    });
  });

  test("reads in a read-only transaction, and holds in parallel workers' plans", async () => {
    await app.query("begin read only");
    await app.query("set local debug_parallel_query = on");
    await entered(own.live);
    expect(await labels()).toEqual([labelOf(own.live)]);
    await app.query("rollback");
  });
});

test("no session of the same login sees a credential in what the gateway asks", async () => {
  const credentials = [own.live, own.test].map((token) => hashOf(token).toString("hex"));
  const seen = new Set<string>();
  let isAsking = true;
  const asking = Promise.all(
    [own.live, own.test, own.live].map(async (token) => {
      while (isAsking) {
        await graphql(
          selo,
          token,
          "{ proofs { nodes { id } } billingPlan { plan } webhookEndpoints { nodes { id } } }",
        );
        await call(selo, "GET", "/proofs", { token });
      }
    }),
  );
  try {
    await expect
      .poll(
        async () => {
          const { rows } = await app.query<{ query: string }>(
            "select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
          );
          for (const { query } of rows) seen.add(query);
          return ["gateway.enter(", "gateway.call("].filter((name) => [...seen].some((query) => query.includes(name)));
        },
        { interval: 1, timeout: 30_000 },
      )
      .toHaveLength(2);
  } finally {
    isAsking = false;
    await asking;
  }
  for (const credential of credentials) expect([...seen].join("\n")).not.toContain(credential);
});

test("is_entered is asked once for a statement, and the views are still written into its plan", async () => {
  const id = randomBytes(16).toString("hex");
  const plan = await within(async () => {
    await app.query(ENTER, [hashOf(own.live)]);
    const { rows } = await app.query<{ "QUERY PLAN": string }>(
      `explain (verbose, costs off) select label from api.proofs where id = '${id}'`,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect(plan).toMatch(/Index Scan using \w+ on signature\.proofs/);
  expect(plan).toMatch(/One-Time Filter: \(InitPlan \d\)/);
  // Of each function no call but those of the three constants of the plan.
  expect(plan).not.toMatch(/platform\.(tenant_id|environment|may_read)\(/);
  expect(plan.match(/platform\.is_entered\(\)/g)).toHaveLength(3);
  expect(plan).not.toMatch(/(Filter|Cond):.*is_entered/);
});

test("a transaction that is kept open reads no longer than a minute, whatever became of its token", async () => {
  const { admin } = selo.database;
  const { rows } = await admin.query<{ rule: string }>(
    "select pg_get_functiondef('platform.is_entered()'::regprocedure) as rule",
  );
  const [before, after, ...more] = rows[0]?.rule.split("interval '1 minute'") ?? [];
  expect([typeof after, more]).toEqual(["string", []]);
  const { id, token } = await selo.operator.createToken(own.id, "live", "kept open", ["proofs:read"]);
  const client = await connect(selo.database.appUrl);
  try {
    await client.query("begin");
    await client.query(ENTER, [hashOf(token)]);
    expect(await labels(client)).toEqual([labelOf(own.live)]);
    await selo.operator.revokeToken(id);
    expect(await labels(client)).toEqual([labelOf(own.live)]);
    // The rule as it stands, but for how long its minute is: by now the transaction is older.
    await admin.query(`${before}interval '0 seconds'${after}`);
    await expect(labels(client)).rejects.toMatchObject({ code: "PT401" });
  } finally {
    await client.end();
  }
});
