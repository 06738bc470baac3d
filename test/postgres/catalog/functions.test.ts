import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "../../../src/postgres/generated/commands.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

/** Called in every policy and view: a SET would keep them from being inlined. Their bodies are bound when they are made. */
const INLINABLE = [
  "platform.environment",
  "platform.may_read",
  "platform.tenant_id",
  "platform.uuidv7",
  "webhooks.event_name",
];

interface Routine {
  readonly name: string;
  readonly schema: string;
  readonly owner: string;
  readonly definer: boolean;
  readonly volatility: "i" | "s" | "v";
  readonly settings: string[] | null;
  readonly bound: boolean;
  readonly comment: string | null;
  readonly source: string;
  readonly parameters: string[];
  readonly result: string;
  readonly returns_set: boolean;
  readonly public_may: boolean;
}

let database: TestDatabase;
let routines: Routine[];
beforeAll(async () => {
  database = await createTestDatabase();
  const found = await database.admin.query<Routine>(`
    select format('%s.%s', pronamespace::regnamespace, proname) as name, pronamespace::regnamespace::text as schema,
      pg_get_userbyid(proowner)::text as owner, prosecdef as definer, provolatile as volatility, proconfig as settings,
      prosqlbody is not null as bound, obj_description(oid, 'pg_proc') as comment, prosrc as source,
      coalesce(proargnames[1:pronargs], '{}') as parameters, prorettype::regtype::text as result, proretset as returns_set,
      exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0) as public_may
    from pg_proc
    where pronamespace::regnamespace::text in ('api', 'analytics', 'gateway', 'jobs', 'platform', 'signature', 'webhooks')
    order by 1`);
  routines = found.rows;
  expect(routines.length).toBeGreaterThan(40);
});
afterAll(() => database.drop());

const names = (some: readonly Routine[]) => some.map(({ name }) => name);

/** What the dispatcher calls: a queue has the statistics of a moment ago, see there. */
const dispatching = (name: string) => [
  `${name} enable_seqscan=off`,
  `${name} enable_hashjoin=off`,
  `${name} enable_mergejoin=off`,
  `${name} enable_bitmapscan=off`,
  `${name} plan_cache_mode=force_generic_plan`,
];

test("search_path is empty and fixed, save for the inlinable context functions, whose bodies are bound", () => {
  const loose = routines.filter(({ settings }) => !settings?.includes('search_path=""'));
  expect(names(loose)).toEqual(INLINABLE);
  const others = routines.flatMap(({ name, settings }) => (settings ?? []).map((setting) => `${name} ${setting}`));
  expect(others.filter((setting) => !setting.endsWith('search_path=""')).sort()).toEqual(
    [
      "api.replay_webhook enable_nestloop=off",
      "api.replay_webhook plan_cache_mode=force_custom_plan",
      "api.retry_webhook_delivery enable_seqscan=off",
      ...["enable_hashjoin", "enable_mergejoin"].map((name) => `api.search_proofs ${name}=off`),
      "gateway.close_webhook_streams enable_seqscan=off",
      "gateway.list_audit_events plan_cache_mode=force_custom_plan",
      "gateway.list_audit_events enable_seqscan=off",
      "gateway.list_events plan_cache_mode=force_custom_plan",
      "gateway.list_events enable_seqscan=off",
      ...["enable_hashjoin", "enable_mergejoin"].map((name) => `gateway.list_proofs ${name}=off`),
      "gateway.list_webhook_deliveries plan_cache_mode=force_custom_plan",
      "gateway.list_webhook_deliveries enable_seqscan=off",
      ...["enable_seqscan", "enable_hashjoin", "enable_mergejoin"].map(
        (name) => `gateway.read_webhook_streams ${name}=off`,
      ),
      ...dispatching("jobs.claim_deliveries"),
      ...["enable_hashjoin", "enable_mergejoin"].map((name) => `jobs.list_unverified_proofs ${name}=off`),
      ...dispatching("jobs.record_attempts"),
      ...["enable_seqscan", "enable_hashjoin", "enable_mergejoin"].map((name) => `jobs.release_deliveries ${name}=off`),
      ...["enable_hashjoin", "enable_mergejoin"].map((name) => `webhooks.delete_old_deliveries ${name}=off`),
      "webhooks.delete_old_streams enable_seqscan=off",
      ...["enable_seqscan", "enable_bitmapscan"].map((name) => `webhooks.delivery_states ${name}=off`),
      "webhooks.retry_deliveries enable_seqscan=off",
      "jobs.read_signatures plan_cache_mode=force_custom_plan",
      // A verification reads tables and no index: one of them may have been kept from seeing a row.
      "jobs.audit_check enable_nestloop=off",
      ...["jobs.audit_check", "platform.audit_heap_faults", "platform.reference_digests"].flatMap((name) => [
        `${name} enable_indexscan=off`,
        `${name} enable_indexonlyscan=off`,
        `${name} enable_bitmapscan=off`,
      ]),
      "platform.audit_walk_events enable_nestloop=off",
      ...["platform.audit_walk_events", "signature.audit_walk_proofs"].flatMap((name) => [
        `${name} plan_cache_mode=force_custom_plan`,
        `${name} enable_seqscan=off`,
      ]),
    ].sort(),
  );
  expect(loose.filter(({ bound, definer }) => !bound || definer)).toEqual([]);
});

test("every function has a comment and no overload, parameters begin with p_, and stand before results", () => {
  expect(names(routines.filter(({ comment }) => !/[a-z]{2}/.test(comment ?? "")))).toEqual([]);
  const overloaded = names(routines).filter((name, place, all) => all.indexOf(name) !== place);
  // The form of v0.1.0, for one release.
  expect(overloaded).toEqual(["platform.enter_context"]);
  expect(names(routines.filter(({ parameters }) => parameters.some((name) => !name.startsWith("p_"))))).toEqual([]);
});

test("PUBLIC may execute none of our functions", () => {
  expect(names(routines.filter(({ public_may }) => public_may))).toEqual([]);
});

test("definer functions that selo_owner does not own are those that sql/README.md lists, with their owner", () => {
  const readme = fs.readFileSync(new URL("../../../sql/README.md", import.meta.url), "utf8");
  const [, section = ""] = readme.split("## Functions that look across tenants\n");
  const listed = [...section.matchAll(/^- `([\w.]+)` \((\w+)\): \S.+$/gm)].map((match) => `${match[1]} ${match[2]}`);
  const others = routines.filter(({ owner, definer }) => definer && owner !== "selo_owner");
  expect(listed).toEqual(others.map(({ name, owner }) => `${name} ${owner}`));
  // Whoever else owned a function without being its definer would gain nothing, and nobody does.
  expect(names(routines.filter(({ owner, definer }) => !definer && owner !== "selo_owner"))).toEqual([]);
});

test("schema api exposes exactly these views and functions", async () => {
  const views = await database.admin.query<{ name: string; kind: string }>(
    "select relname::text as name, relkind as kind from pg_class where relnamespace = 'api'::regnamespace order by relname",
  );
  expect(views.rows).toEqual([
    { name: "audit_events", kind: "v" },
    { name: "audit_seals", kind: "v" },
    { name: "billing_plan", kind: "v" },
    { name: "credit_balances", kind: "v" },
    { name: "credit_usage", kind: "v" },
    { name: "plan_features", kind: "v" },
    { name: "platform_keys", kind: "v" },
    { name: "proofs", kind: "v" },
    { name: "public_proofs", kind: "v" },
    { name: "webhook_deliveries", kind: "v" },
    { name: "webhook_endpoints", kind: "v" },
    { name: "webhook_event_kinds", kind: "v" },
    { name: "webhook_events", kind: "v" },
  ]);
  expect(names(routines.filter(({ schema }) => schema === "api"))).toEqual([
    "api.delete_webhook",
    "api.disable_webhook",
    "api.enable_webhook",
    "api.get_billing_plan",
    "api.list_credit_usage",
    "api.replay_webhook",
    "api.retry_webhook_delivery",
    "api.search_proofs",
    "api.test_webhook",
  ]);
});

test("every function of api, and each command, says first whom it is for: one known scope, or anyone", async () => {
  const scopes = await database.admin.query<{ name: string }>("select name from platform.scopes");
  const known = new Set(scopes.rows.map(({ name }) => name));
  const asked = routines.filter(({ schema, name }) => schema === "api" || name.replace(/^gateway\./, "") in commands);
  expect(asked.length).toBe(Object.keys(commands).length);
  for (const { name, source } of asked) {
    const guards = [...source.matchAll(/platform\.(?:require_scope\('([^']*)'\)|allow_anyone\(\))/g)];
    expect({ name, guards: guards.length }).toEqual({ name, guards: 1 });
    const scope = guards[0]?.[1] ?? null;
    if (scope !== null) expect(known).toContain(scope);
    const first = /^\s*(?:begin|.*?\nbegin)\s+perform (platform\.(?:require_scope|allow_anyone)\()/s.exec(source);
    expect({ name, first: first !== null }).toEqual({ name, first: true });
    // What the dispatcher asks before a replay is what the function asks.
    const command = commands[name.replace(/^\w+\./, "") as keyof typeof commands];
    expect({ name, scope: command.scope }).toEqual({ name, scope });
  }
});

test("resource views ask for a scope, save the public keys, the seals and the kinds of events", async () => {
  const views = await database.admin.query<{ name: string; definition: string; options: string[] | null }>(
    "select relname::text as name, pg_get_viewdef(oid) as definition, reloptions as options from pg_class where relnamespace = 'api'::regnamespace order by relname",
  );
  const unasked = views.rows.filter(
    ({ definition }) => !/SELECT platform\.may_read\('[a-z:]+'::text\)/.test(definition),
  );
  expect(unasked.map(({ name }) => name)).toEqual(["audit_seals", "platform_keys", "webhook_event_kinds"]);
  // They run with their owner's rights: security_invoker would ask logins for rights on tables.
  expect(views.rows.filter(({ options }) => options !== null)).toEqual([]);
});

test("volatility is as expected: what reads is stable, what writes is volatile", () => {
  const expected = {
    "api.delete_webhook": "v",
    "api.disable_webhook": "v",
    "api.enable_webhook": "v",
    "api.get_billing_plan": "s",
    "api.list_credit_usage": "s",
    "api.replay_webhook": "v",
    "api.retry_webhook_delivery": "v",
    "api.search_proofs": "s",
    "api.test_webhook": "v",
    "gateway.authorize": "v", // enters a context
    "gateway.billing_balance": "s",
    "gateway.billing_plan": "s",
    "gateway.billing_usage": "s",
    "gateway.call": "v",
    "gateway.call_many": "v",
    "gateway.close_webhook_streams": "v",
    "gateway.count_requests": "v",
    "gateway.count_actor_requests": "v",
    "gateway.count_token_requests": "v",
    "gateway.create_webhook": "v",
    "gateway.enter": "v", // the same
    "gateway.find_proof_of_digest": "s",
    "gateway.find_public_proof": "s",
    "gateway.get_event": "s",
    "gateway.get_proof": "s",
    "gateway.get_webhook": "s",
    "gateway.list_audit_events": "s",
    "gateway.list_audit_seals": "s",
    "gateway.list_events": "s",
    "gateway.list_platform_keys": "s",
    "gateway.list_proofs": "s",
    "gateway.list_webhook_deliveries": "s",
    "gateway.list_webhooks": "s",
    "gateway.open_webhook_stream": "v",
    "gateway.prepare_proofs": "s", // writes nothing
    "gateway.prepare_receipt": "s",
    "gateway.queue_states": "s",
    "gateway.read_webhook_streams": "v",
    "gateway.readiness": "s",
    "gateway.record_proofs": "v",
    "gateway.record_actor_use": "v",
    "gateway.record_token_use": "v",
    "gateway.rotate_webhook_secret": "v",
    "gateway.run_command": "v",
    "gateway.signing_keys": "s",
    "gateway.update_webhook": "v",
    "jobs.add_verification": "v",
    "jobs.audit_check": "s",
    "jobs.audit_checks": "s",
    "jobs.audit_ranges": "s",
    "jobs.audit_seal_faults": "s",
    "jobs.audit_tree_leaves": "s",
    "jobs.audit_trees": "s",
    "jobs.audit_sealed_events": "s",
    "jobs.audit_seals": "s",
    "jobs.audit_unread_rows": "s",
    "jobs.audit_walk": "s",
    "jobs.call": "v",
    "jobs.record_verification": "v",
    "jobs.sealed_organizations": "s",
    "jobs.verified_seal": "s",
    "jobs.claim_deliveries": "v",
    "jobs.environments_with_unverified_proofs": "s",
    "jobs.erase_old_mails": "v",
    "jobs.add_webhook_day": "v",
    "jobs.delete_old_deliveries": "v",
    "jobs.drop_webhook_day": "v",
    "jobs.leave_dispatch": "v",
    "jobs.list_unverified_proofs": "s",
    "jobs.platform_keys": "s",
    "jobs.prepare_audit_seal": "v",
    "jobs.proof_alarms": "s",
    "jobs.read_mail": "s",
    "jobs.read_signatures": "s",
    "jobs.record_mail_failed": "v",
    "jobs.record_mail_sent": "v",
    "jobs.queue_states": "s",
    "jobs.record_attempts": "v",
    "jobs.record_audit_seal": "v",
    "jobs.record_verifications": "v",
    "jobs.release_deliveries": "v",
    "jobs.signing_keys": "s",
    "jobs.sweep_idempotency_keys": "v",
    "jobs.sweep_request_counts": "v",
  };
  const exposed = routines.filter(
    ({ schema, name }) => ["api", "gateway", "jobs"].includes(schema) && !name.endsWith("_json"),
  );
  expect(Object.fromEntries(exposed.map(({ name, volatility }) => [name, volatility]))).toEqual(expected);
  const wire = routines.filter(({ name }) => name.endsWith("_json") && name.startsWith("gateway."));
  expect(new Set(wire.map(({ volatility }) => volatility))).toEqual(new Set(["s"]));
  // Nothing immutable may look at a table, a setting or the clock.
  const looking = /\b(from|join) (platform|signature|webhooks|api)\.|current_setting|clock_timestamp|now\(\)/;
  expect(names(routines.filter(({ volatility, source }) => volatility === "i" && looking.test(source)))).toEqual([]);
  const writing = /\b(insert into|update|delete from) (platform|signature|webhooks)\./;
  expect(names(routines.filter(({ volatility, source }) => volatility !== "v" && writing.test(source)))).toEqual([]);
});

test("the dispatcher can give every command's result to the wire", () => {
  const asked = routines.filter(({ name }) => /^(api|gateway)\./.test(name) && name.replace(/^\w+\./, "") in commands);
  for (const { name, result, returns_set } of asked) {
    const known = returns_set ? /^api\.\w+$/ : /^(api\.\w+|jsonb?|void|boolean|integer|bigint|text)$/;
    expect({ name, known: known.test(result) }).toEqual({ name, known: true });
  }
});

test("every function that writes what belongs to an organization, or a key or setting, records an event of the audit trail", () => {
  const records = /platform\.(record_audit_event|make_audit_events)\(/;
  const writes = /\b(?:insert into|update(?! set)|delete from)\s+((?:platform|signature|webhooks)\.\w+)/g;
  const writers = routines.filter(({ source }) => [...source.matchAll(writes)].length > 0 && !records.test(source));
  /** Why these need none. */
  const exceptions = {
    "gateway.close_webhook_streams": "a stream ends with its connection; that it was opened is recorded",
    "gateway.read_webhook_streams": "what waits for a stream is read",
    "webhooks.delete_old_streams": "streams that nobody reads grow old",
    "gateway.record_actor_use": "when an actor was last there is bookkeeping",
    "platform.carry_token": "the function that changes the token records; gone with the next release",
    "platform.carry_token_hash": "the function that makes the token records; gone with the next release",
    "jobs.prepare_audit_seal": "the audit trail itself",
    "jobs.record_audit_seal": "the audit trail itself",
    "jobs.record_verifications": "a job's findings about what has its event",
    "jobs.erase_old_mails": "mails grow old",
    "jobs.record_mail_failed": "what became of a mail, which tells of what has its event",
    "jobs.record_mail_sent": "what became of a mail",
    "platform.send_mail": "called by the command whose event it tells of",
    "jobs.sweep_idempotency_keys": "kept answers grow old",
    "jobs.sweep_request_counts": "counts grow old",
    "gateway.count_requests": "a count of requests",
    "jobs.claim_deliveries": "a lease of work; the dispatcher's own row",
    "jobs.leave_dispatch": "the dispatcher's own row",
    "jobs.release_deliveries": "the end of leases",
    "jobs.record_attempts": "what became of deliveries, which are a record themselves",
    "webhooks.count_outcomes": "a count of failures; what disables an endpoint records",
    "webhooks.delete_old_deliveries": "deliveries grow old",
    "webhooks.emit_events": "written with a fact that has its event of the trail",
    "webhooks.retry_deliveries": "the command that asks for it records",
    "webhooks.skip_deliveries": "what became of deliveries",
    "platform.claim_idempotency_key": "part of a request whose command records",
    "platform.spend_credits": "the command that spends records",
    "platform.store_idempotent_answer": "part of a request whose command records",
  };
  expect(writers.map(({ name }) => name).sort()).toEqual(Object.keys(exceptions).sort());
});
