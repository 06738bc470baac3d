// What the service lets whom do. A right that is not here is refused.
import { expect, test } from "vitest";
import { accounts } from "../../../src/services/accounts/service.ts";
import { createTestDatabase } from "../../support/database.ts";
import { testRights } from "../../support/service-rights.ts";
import { ROLES } from "./accounts-stage.ts";

testRights(accounts, {
  commands: {
    anyone: [
      "accept_invitation",
      "confirm_password_reset",
      "prepare_invitation",
      "prepare_password_reset",
      "prepare_sign_in",
      "read_invitation",
      "renew_password_hash",
      "request_password_reset",
      "sign_in",
    ],
    "*": [
      "begin_totp",
      "change_password",
      "confirm_totp",
      "end_other_sessions",
      "end_session",
      "leave_organization",
      "prepare_password_change",
      "prepare_proof",
      "prepare_totp",
      "read_account",
      "read_factors",
      "read_session",
      "remove_totp",
      "renew_recovery_codes",
      "sign_out",
      "switch_session",
      "update_account",
    ],
    "members:manage": [
      "change_member_role",
      "create_invitation",
      "remove_member",
      "remove_member_factors",
      "resend_invitation",
      "withdraw_invitation",
    ],
    "members:read": ["list_invitations", "list_members", "read_sign_in_rules"],
    "organization:manage": ["update_sign_in_rules"],
  },
  views: { "members:read": ["api.invitations", "api.members"] },
  logins: { selo_worker: ["jobs.mail_password_link", "jobs.sweep_sessions"] },
  loginsOnTables: ["selo_app select accounts.roles"],
  systemOnTables: [
    "delete accounts.password_links",
    "delete accounts.recovery_codes",
    "delete accounts.sessions",
    "delete accounts.totp_factors",
    "insert accounts.password_links",
    "insert accounts.people",
    "insert accounts.recovery_codes",
    "insert accounts.sessions",
    "insert accounts.totp_factors",
    "select accounts.invitations",
    "select accounts.memberships",
    "select accounts.password_links",
    "select accounts.people",
    "select accounts.recovery_codes",
    "select accounts.role_scopes",
    "select accounts.sessions",
    "select accounts.sign_in_rules",
    "select accounts.totp_factors",
    "update accounts.password_links",
    "update accounts.people",
    "update accounts.sessions",
    "update accounts.totp_factors",
  ],
  tables: {
    ofEnvironments: [],
    // A member is one of the organization, in both environments.
    ofOrganizations: ["accounts.invitations", "accounts.memberships", "accounts.sign_in_rules"],
    ofSystem: [
      "accounts.password_links",
      "accounts.people",
      "accounts.recovery_codes",
      "accounts.sessions",
      "accounts.totp_factors",
    ],
    lookUps: [],
    ofNobody: ["accounts.role_scopes", "accounts.roles"],
    refuse: {},
  },
  unrecorded: {
    "accounts.add_link": "the function that calls it has the event recorded",
    "accounts.add_person": "accounts.create_user has the event recorded",
    "accounts.add_session": "accounts.open_session has the event recorded",
    "accounts.close_sessions": "accounts.end_sessions has the event recorded",
    "accounts.count_attempt": "counts; gateway.sign_in has the event recorded",
    "accounts.delete_factors": "accounts.remove_factors has the event recorded",
    "accounts.delete_links": "the use of a link has an event, and its end has none",
    "accounts.delete_sessions": "accounts.forget_sessions has the event recorded",
    "accounts.end_membership": "the function that it calls records",
    "accounts.end_sessions": "the function that it calls records",
    "accounts.forget_sessions": "the function that it calls records",
    "accounts.join_organization": "the function that it calls records",
    "accounts.open_link": "the request for the link has the event",
    "accounts.open_session": "the function that it calls records",
    "accounts.put_password": "accounts.keep_password has the event recorded",
    "accounts.put_profile": "the function that calls it has the event recorded",
    "accounts.put_recovery_codes": "the command that calls it has the event recorded",
    "accounts.put_step": "the event of the sign-in, or of the confirmation, is recorded",
    "accounts.put_totp": "a set-up that is not confirmed has no event",
    "accounts.uncount_attempt": "counts",
    "accounts.use_recovery_code": "accounts.is_factor_proven has the event recorded",
    "api.change_member_role": "the function that it calls records",
    "gateway.create_invitation": "the function that it calls records",
    "gateway.resend_invitation": "the function that it calls records",
    "jobs.open_invitation": "the request for the link has the event",
  },
  refusedToGateway: [
    "select * from accounts.people",
    "select * from accounts.memberships",
    "select * from accounts.sessions",
    "select * from accounts.password_links",
    "select * from api.members",
    "select api.list_members()",
    "select * from accounts.invitations",
    "select accounts.find_invitation('')",
    "select gateway.accept_invitation('', '')",
    "select jobs.open_invitation('{}')",
    "select gateway.sign_in('a@b.example', '', '', '', '')",
    "select gateway.prepare_sign_in('a@b.example', '')",
    "select gateway.request_password_reset('a@b.example', '', null, '')",
    "select jobs.mail_password_link(null)",
    "select accounts.open_link(null, '')",
    "select accounts.open_session(null, null, 'password', '', '', '')",
    "select accounts.set_password(null, '', '')",
    "select accounts.keyed_digest('address', '')",
    "select accounts.organizations_of(null)",
    "select accounts.tenants_of(null)",
    "select accounts.find_person('a@b.example')",
    "select accounts.person_of_link('')",
    "select accounts.find_session('')",
    "select accounts.list_users(null)",
    "select accounts.put_profile(null, '', '')",
    "select accounts.account_json(null)",
    "select * from accounts.totp_factors",
    "select * from accounts.recovery_codes",
    "select accounts.find_totp(null)",
    "select accounts.put_step(null, 0)",
    "select accounts.delete_factors(null)",
    "select accounts.remove_user_factors('a@b.example')",
    "select accounts.prove_person('a@b.example', '', '', '', 0)",
    "select accounts.put_password(null, '', '', 0, 0, 0)",
    "select accounts.session_json(null, 'live')",
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
