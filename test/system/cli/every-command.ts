// What an operator does with the command line, from an organization to the keys of the platform.
import fs from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { commandJson } from "../../support/command.ts";

export interface Organization {
  readonly id: string;
  readonly number: number;
}

/**
 * Runs each command of an operator with `--json` in this process, on the database of an environment.
 * @param askAsAnalyst what to do with the address of an analyst, who may read the credit balances 2 and 10
 */
export async function everyCommand(
  environment: Readonly<Record<string, string>>,
  askAsAnalyst: (url: string) => Promise<void>,
): Promise<void> {
  const acme = await commandJson<Organization & Record<string, unknown>>(
    ["org", "create", "--name", "Açaí & Sons", "--plan", "growth", "--email", "ana@example.org"],
    environment,
  );
  expect(acme).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    number: expect.any(Number),
    name: "Açaí & Sons",
    plan: "growth",
    jurisdiction: "intl",
    contact_email: "ana@example.org",
  });
  const organizations = await commandJson<Organization[]>(["org", "list"], environment);
  expect(organizations.filter(({ id }) => id === acme.id)).toEqual([acme]);

  const byNumber = await commandJson<{ id: string; token: string; prefix: string; scopes: string[] }>(
    ["token", "create", "--org", String(acme.number), "--env", "live", "--scopes", "all", "--name", "everything"],
    environment,
  );
  expect(byNumber).toMatchObject({ token: expect.stringMatching(/^svc_live_/), prefix: byNumber.token.slice(0, 15) });
  expect(byNumber.scopes).toHaveLength(22);
  const byId = await commandJson<{ id: string; token: string; scopes: string[] }>(
    ["token", "create", "--org", acme.id, "--env", "test", "--scopes", "proofs:read, proofs:write", "--name", "two"],
    environment,
  );
  expect(byId).toMatchObject({ token: expect.stringMatching(/^svc_test_/), scopes: ["proofs:read", "proofs:write"] });

  const grant = ["credits", "grant", "--org", String(acme.number), "--amount"];
  expect(await commandJson([...grant, "7"], environment)).toEqual({
    organization_id: acme.id,
    kind: "signature",
    amount: 7,
    balance: 7,
  });
  expect(await commandJson([...grant, "3"], environment)).toMatchObject({ balance: 10 });
  expect(await commandJson([...grant, "2", "--kind", "icp_brasil"], environment)).toMatchObject({ balance: 2 });

  expect(await commandJson(["credits", "show", "--org", acme.id], environment)).toEqual([
    { kind: "icp_brasil", balance: 2 },
    { kind: "signature", balance: 10 },
  ]);

  const revoked = await commandJson<{ id: string; revoked_at: string }>(["token", "revoke", byId.id], environment);
  expect(revoked).toEqual({ id: byId.id, revoked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
  expect(await commandJson(["token", "revoke", byId.id], environment)).toEqual(revoked); // the first time counts

  const tokens = await commandJson<Record<string, unknown>[]>(["token", "list", "--org", acme.id], environment);
  expect(tokens).toEqual([
    expect.objectContaining({ id: byNumber.id, prefix: byNumber.prefix, name: "everything", revoked_at: null }),
    expect.objectContaining({ id: byId.id, environment: "test", scopes: byId.scopes, revoked_at: revoked.revoked_at }),
  ]);
  for (const { token } of [byNumber, byId]) expect(JSON.stringify(tokens)).not.toContain(token.slice(15));

  const key = await commandJson<{ id: number; secret: string; prefix: string; scopes: string[] }>(
    ["dns-key", "create", "--org", acme.id, "--name", "robot", "--scopes", "zone:read,record:read"],
    environment,
  );
  expect(key).toMatchObject({ secret: expect.stringMatching(/^dns_/), scopes: ["record:read", "zone:read"] });
  const { secret: _, ...shown } = key;
  expect(await commandJson(["dns-key", "list", "--org", acme.id], environment)).toEqual([shown]);
  const keyRevoked = await commandJson(["dns-key", "revoke", String(key.id)], environment);
  expect(keyRevoked).toEqual({ id: key.id, revoked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
  expect(await commandJson(["dns-key", "revoke", String(key.id)], environment)).toEqual(keyRevoked);

  const userOptions = ["--org", acme.id, "--email", "bea@people.example", "--role", "admin", "--name", "Bea"];
  const user = await commandJson<{ id: string; link: string }>(["user", "create", ...userOptions], environment);
  expect(user).toMatchObject({
    email: "bea@people.example",
    role: "admin",
    has_password: false,
    link: expect.stringMatching(/\/app\/welcome#[\w-]{43}$/),
  });
  expect(await commandJson(["user", "list", "--org", acme.id], environment)).toEqual([
    expect.objectContaining({ id: user.id, name: "Bea", role: "admin", has_password: false, sessions: 0 }),
  ]);
  expect(await commandJson(["user", "reset", "--email", "bea@people.example"], environment)).toEqual({
    email: "bea@people.example",
    link_expires_at: expect.any(String),
    link: expect.stringMatching(/\/app\/welcome#[\w-]{43}$/),
  });
  const out = ["user", "sign-out", "--email", "BEA@people.example"];
  expect(await commandJson(out, environment)).toEqual({ email: "BEA@people.example", ended: 0 });

  const analyst = await commandJson<{ login: string; url: string }>(
    ["analyst", "create", "--org", acme.id, "--env", "test"],
    environment,
  );
  expect(analyst.login).toMatch(/^selo_analyst_[0-9a-f]{12}$/);
  await askAsAnalyst(analyst.url);
  expect(await commandJson(["analyst", "list"], environment)).toEqual([
    expect.objectContaining({ login: analyst.login, organization_id: acme.id, environment: "test" }),
  ]);
  expect(await commandJson(["analyst", "revoke", analyst.login], environment)).toMatchObject({ revoked: true });
  expect(await commandJson(["analyst", "list"], environment)).toEqual([]);

  const rotated = await commandJson<Record<string, string>[]>(["keys", "rotate", "--env", "test"], environment);
  expect(rotated).toEqual([
    {
      environment: "test",
      key_id: expect.stringMatching(/^ed25519-/),
      pq_key_id: expect.stringMatching(/^ml-dsa-87-/),
      certificate_id: expect.stringMatching(/^rsa-3072-/),
    },
  ]);
  const keys = await commandJson<Record<string, unknown>[]>(["keys", "list"], environment);
  const active = keys.filter(({ status }) => status === "active");
  expect(active.map(({ key_id }) => key_id)).toEqual(
    expect.arrayContaining([rotated[0]?.["key_id"], rotated[0]?.["pq_key_id"], rotated[0]?.["certificate_id"]]),
  );
  expect(active.map(({ environment, algorithm, status }) => `${environment} ${algorithm} ${status}`).sort()).toEqual([
    "live Ed25519 active",
    "live ML-DSA-87 active",
    "live RSA-3072 active",
    "test Ed25519 active",
    "test ML-DSA-87 active",
    "test RSA-3072 active",
  ]);
  expect(JSON.stringify(keys)).not.toMatch(/seed|secret|private/);
  expect(await commandJson(["keys", "reencrypt"], environment)).toEqual({
    master_key_id: expect.stringMatching(/^[0-9a-f]{8}$/),
    reencrypted: [
      { column: "accounts.passkeys.sealed_secret", count: 0 },
      { column: "accounts.totp_factors.sealed_secret", count: 0 },
      { column: "dns.dnssec_keys.sealed_private_key", count: 0 },
      { column: "invoicing.issuers.sealed_key", count: 0 },
      { column: "platform.platform_keys.sealed_seed", count: 0 },
      { column: "platform.seal_certificates.sealed_key", count: 0 },
      { column: "signature.connectors.sealed_secret", count: 0 },
      { column: "signature.data_keys.sealed_key", count: 0 },
      { column: "webhooks.endpoints.sealed_secret", count: 0 },
      { column: "webhooks.endpoints.sealed_previous_secret", count: 0 },
    ],
    left: [],
  });

  const { migrations } = await commandJson<{ migrations: { name: string; applied_at: string | null }[] }>(
    ["migrate", "--status"],
    environment,
  );
  const names = fs
    .readdirSync(path.resolve(import.meta.dirname, "../../../sql/migrations"))
    .map((name) => name.replace(/\.sql$/, ""));
  expect(migrations.map(({ name }) => name)).toEqual(names.sort());
  for (const { applied_at } of migrations) expect(applied_at).toMatch(/Z$/);
  expect(await commandJson(["migrate"], environment)).toEqual({ applied: [] });
}
