// What the service lets whom do. A right that is not here is refused.
import { expect, test } from "vitest";
import { accounts } from "../../../src/services/accounts/service.ts";
import { createTestDatabase } from "../../support/database.ts";
import { testRights } from "../../support/service-rights.ts";
import { ROLES } from "./accounts-stage.ts";

testRights(accounts, {
  commands: {
    anyone: ["confirm_password_reset", "prepare_password_reset", "prepare_sign_in", "sign_in"],
    "*": ["read_session", "sign_out", "switch_session"],
  },
  views: {},
  logins: { selo_worker: ["jobs.sweep_sessions"] },
  loginsOnTables: [],
  systemOnTables: ["select accounts.memberships", "select accounts.people", "select accounts.role_scopes"],
  tables: {
    ofEnvironments: [],
    // A member is one of the organization, in both environments.
    ofOrganizations: ["accounts.memberships"],
    lookUps: ["accounts.sessions"],
    ofNobody: ["accounts.password_links", "accounts.people", "accounts.role_scopes", "accounts.roles"],
    refuse: {},
  },
  unrecorded: {
    "accounts.count_attempt": "counts; the function that it is called by records",
    "accounts.create_user": "the function that it calls records",
    "accounts.end_all_sessions": "the function that it calls records each person's",
    "accounts.end_sessions": "the function that it calls records",
    "accounts.open_session": "the function that it calls records",
    "accounts.set_password": "the function that it calls records",
    "accounts.uncount_attempt": "counts",
    "jobs.sweep_sessions": "the function that it calls records",
  },
  refusedToGateway: [
    "select * from accounts.people",
    "select * from accounts.memberships",
    "select * from accounts.sessions",
    "select * from accounts.password_links",
    "select gateway.sign_in('a@b.example', '', '', '', '')",
    "select gateway.prepare_sign_in('a@b.example', '')",
    "select accounts.open_session(null, null, 'password', '', '', '')",
    "select accounts.set_password(null, '', '')",
    "select accounts.keyed_digest('address', '')",
    "select accounts.organizations_of(null)",
    "select accounts.tenants_of(null)",
  ],
});

test("every scope that people may hold is a role's, by the rule of its name, and no other scope is", async () => {
  const database = await createTestDatabase();
  const { rows } = await database.admin.query<{ scope: string; roles: string[] }>(`
    select scope.name as scope, array(select role from accounts.role_scopes where role_scopes.scope = scope.name order by role) as roles
    from platform.scopes as scope where 'user' = any (scope.kinds) order by 1`);
  const { rows: others } = await database.admin.query(
    "select scope from accounts.role_scopes join platform.scopes on name = scope where 'user' <> all (kinds)",
  );
  await database.drop();
  expect(others).toEqual([]);
  expect(rows.length).toBeGreaterThan(20);
  const least = (scope: string) => {
    if (scope.endsWith(":read")) return 0;
    if (/:write$|^envelopes:(send|cancel)$|^signatures:validate$/.test(scope)) return 1;
    return scope === "organization:manage" ? 3 : 2;
  };
  for (const { scope, roles } of rows)
    expect({ scope, roles }).toEqual({ scope, roles: [...ROLES.slice(least(scope))].sort() });
});
