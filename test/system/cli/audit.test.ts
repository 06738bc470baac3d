// `selo audit seal | verify | erase`, beside a running gateway; and the event that each of the operator's commands leaves.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backupFolder } from "../../support/backup-folder.ts";
import { command, commandJson } from "../../support/command.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { selo as program, type SeloProcess } from "../../support/selo-process.ts";

const folder = backupFolder();
let selo: TestGateway;
let environment: Record<string, string>;
let admin: pg.Client;
beforeAll(async () => {
  selo = await startTestGateway();
  const { appUrl, adminUrl } = selo.database;
  environment = {
    ...selo.config.environment,
    DATABASE_URL: appUrl,
    DATABASE_ADMIN_URL: adminUrl,
  } as typeof environment;
  const { live } = await selo.newOrganization();
  const body = { sha256: randomBytes(32).toString("hex") };
  expect((await call(selo, "POST", "/proofs", { token: live, body })).status).toBe(201);
  admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await selo?.stop();
  folder.remove();
});

const run = (...args: string[]) => command(["audit", ...args], environment);
const countRows = async (query: string) => (await admin.query(query)).rowCount ?? 0;
const json = <Result>(...args: string[]) => commandJson<Result>(args, environment);

let id: string;
let token: { id: string; token: string };

test("commands leave an event each, and seals cover them", async () => {
  ({ id } = await json<{ id: string }>("org", "create", "--name", "Acme"));
  token = await json<{ id: string; token: string }>(
    ...["token", "create", "--org", id, "--env", "live", "--scopes", "all", "--name", "one"],
  );
  await json("credits", "grant", "--org", id, "--kind", "icp_brasil", "--amount", "7");
  await json("token", "revoke", token.id);
  await json("token", "revoke", token.id); // already: nothing is written
  const { rows } = await admin.query(
    `select action, subject_type, subject_id, actor_type, actor_id, channel, details::json as details, request_id,
       personal -> 'operator' ->> 'value' as operator
     from platform.audit_events where tenant_id = $1 order by id`,
    [id],
  );
  const operator = {
    actor_type: "operator",
    actor_id: null,
    channel: "cli",
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    operator: expect.stringMatching(/./),
  };
  const record_sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
  const scopes = expect.arrayContaining(["audit:read", "proofs:write"]);
  expect(rows).toEqual([
    {
      ...operator,
      ...{ action: "organization.created", subject_type: "organization", subject_id: id },
      details: { number: expect.any(Number), plan: "free", record_sha256 },
    },
    {
      ...operator,
      ...{ action: "token.created", subject_type: "token", subject_id: token.id },
      details: { prefix: token.token.slice(0, 15), scopes, environment: "live", record_sha256 },
    },
    {
      ...operator,
      ...{ action: "credits.granted", subject_type: "organization", subject_id: id },
      details: {
        kind: "icp_brasil",
        amount: 7,
        reason: "granted",
        ledger_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    },
    {
      ...operator,
      ...{ action: "token.revoked", subject_type: "token", subject_id: token.id },
      details: { record_sha256 },
    },
  ]);
  expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(4);
  const keys = await admin.query(
    "select details::json ->> 'environment' as environment from platform.audit_events where action = 'platform_keys.created' order by 1",
  );
  expect(keys.rows).toEqual([{ environment: "live" }, { environment: "test" }]);

  // Exit code 0, and what there is.
  expect(await json("audit", "verify")).toMatchObject({ seals: 0, last_sealed_at: null, faults: [] });
  expect(await json("audit", "seal")).toEqual({ seal: 1 });
  expect((await run("seal")).stdout).toBe("seal 2\n");
  const whole = await run("verify");
  // How far it is, where the machine is slow.
  expect(whole).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(\d+ %\n)*$/) });
  expect(whole.stdout).toMatch(
    /^\d+ events, 1 proof, 0 signed records, 2 seals, the last of .*Z; 0 events came after it: everything is as it was recorded\n$/,
  );
}, 120_000);

test("verify since a seal; one that takes long says how far it is; killed, it leaves nothing behind", async () => {
  expect(await run("verify", "--since", "2")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^\d+ events, 0 proofs, 0 signed records, 2 seals, .*: everything is as it was recorded\n$/,
    ),
  });
  expect(await run("verify", "--since", "3")).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^seal 3: the seal is missing, so everything is verified\n.*: 1 fault\n$/),
  });

  // Not pg_stat_activity, which shows a transaction the same all the while.
  const waiting =
    "select from pg_locks join pg_database on database = pg_database.oid where datname = current_database() and not granted";
  const held = async (meanwhile: (verify: SeloProcess) => Promise<unknown>) => {
    await admin.query("begin; lock table platform.credit_balances in access exclusive mode");
    const verify = program(["audit", "verify"], environment);
    try {
      await expect.poll(() => countRows(waiting)).toBeGreaterThan(0);
      await meanwhile(verify);
    } finally {
      await admin.query("rollback");
    }
    return verify.finished;
  };
  const slow = await held(() => new Promise((over) => setTimeout(over, 2_500)));
  expect(slow).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(\d+ %\n)+$/) });
  const killed = await held(async ({ child }) => child.kill("SIGKILL"));
  expect(killed).toMatchObject({ signal: "SIGKILL", stdout: "" });
  await expect.poll(() => countRows(waiting)).toBe(0);
  expect((await run("verify")).code).toBe(0);
}, 120_000);

test("verify finds what is not as it was, by copies kept elsewhere too; erase breaks nothing", async () => {
  for (const name of ["platform-key", "audit-seals"]) {
    const answer = await fetch(`${selo.baseUrl}/api/v1/public/${name}`);
    fs.writeFileSync(folder.file(`${name}.json`), await answer.text());
  }
  const kept = (name: string) => folder.file(`${name}.json`);
  const copies = ["--keys", kept("platform-key"), "--seals", kept("audit-seals")];
  expect((await run("verify", ...copies)).code).toBe(0);
  const unusable = await run("verify", "--seals", kept("platform-key"));
  expect(unusable).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("it contains no seals") });
  expect((await run("verify", "--org", id, ...copies)).stderr).toContain("without --org");

  // What answers are made of.
  const structures = [
    ["create policy hide on signature.proofs as restrictive using (false)", "drop policy hide on signature.proofs"],
    [
      "alter table signature.proofs rename label to kept; alter table signature.proofs add column label text",
      "alter table signature.proofs drop column label; alter table signature.proofs rename kept to label",
    ],
    [
      "alter table signature.proofs enable replica trigger append_only",
      "alter table signature.proofs enable trigger append_only",
    ],
    ["alter view api.proofs owner to selo_system", "alter view api.proofs owner to selo_owner"],
    [
      "grant execute on function platform.find_credential(bytea) to public",
      "revoke execute on function platform.find_credential(bytea) from public",
    ],
  ];
  for (const [made, undone] of structures) {
    await admin.query(made ?? "");
    const { code, stdout, stderr } = await run("verify", ...copies);
    await admin.query(undone ?? "");
    expect({ made, code, stdout, stderr }).toMatchObject({
      made,
      code: 1,
      stdout: expect.stringMatching(/: different from what Selo makes: create /),
    });
  }
  expect((await run("verify", ...copies)).code).toBe(0);

  // Personal data.
  const before = new Date().toISOString();
  expect(await json("audit", "erase", "--org", id, "--before", before)).toEqual({ erased_events: 4 });
  expect((await run("erase", "--org", id)).stderr).toContain("give either --before or --event");
  expect((await run("verify", ...copies)).code).toBe(0);

  // Somebody with the disk in hand.
  await admin.query("set session_replication_role = replica");
  await admin.query("update platform.audit_events set action = 'token.used' where action = 'token.revoked'");
  const edited = await run("verify", "--json");
  expect(edited.code).toBe(1);
  const event = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const fault = {
    check_name: "events",
    tenant_id: id,
    environment: "live",
    subject_type: "token",
    subject_id: token.id,
    seq: 2,
    event_id: event,
    fault: "edited: the hash does not match the event",
  };
  // Two faults: the event was edited, and no event says any more that the token was revoked.
  const record = {
    ...fault,
    check_name: "records",
    seq: 1,
    event_id: event,
    fault: "the token differs from what was recorded",
  };
  const { faults } = JSON.parse(edited.stdout);
  expect(faults).toHaveLength(2);
  expect(faults).toEqual(expect.arrayContaining([fault, record]));
  const text = await run("verify", "--org", id);
  expect(text.code).toBe(1);
  expect(text.stdout).toMatch(new RegExp(`^token ${token.id}, event 2 \\(.{36}\\): edited: .*$`, "m"));
  expect(text.stdout).toMatch(/: 2 faults\n$/);
  await admin.query("delete from platform.audit_seals where number = 2");
  expect((await run("verify", "--json", ...copies)).stdout).toContain(
    "the seal is in the copy kept elsewhere and missing here",
  );
}, 120_000);
