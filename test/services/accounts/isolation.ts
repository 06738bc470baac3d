import { createUser } from "../../../src/services/accounts/store.ts";
import { graphql } from "../../support/graphql-client.ts";
import type { RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { ROLES, signedIn } from "./accounts-stage.ts";

const ofPeople = (scope: string, document: (stage: Stage) => string, more: Partial<RootField> = {}): RootField => ({
  scope,
  ask: (stage, asker) => graphql(stage.selo, asker, document(stage)),
  shows: () => [],
  isOfPeople: true,
  isShared: true,
  ...more,
});
const ofOne = { isOfOne: true } as const;
const ofSelf = { isOfSelf: true } as const;

/** A member of the owner's at a question of GraphQL. */
let colleague: { readonly id: string; readonly email: string };
const ofColleague = { ...ofOne, shows: () => [colleague.email] };
let colleagues = 0;

export const isolation: ServiceIsolation = {
  prepare: async () => [],
  rest: {},
  async renew({ selo, owner: { id: tenantId } }) {
    colleague = await createUser(selo.operator, {
      tenantId,
      email: `colleague-${++colleagues}@people.example`,
      role: "member",
    });
  },
  secretsNow: () => [colleague.email],
  graphql: {
    members: ofPeople("members:read", () => "{ members(limit: 200) { id email name role } }", {
      shows: () => [colleague.email],
    }),
    changeMemberRole: ofPeople(
      "members:manage",
      () => `mutation { changeMemberRole(input: {id: "${colleague.id}", role: ADMIN}) { member { email role } } }`,
      ofColleague,
    ),
    removeMember: ofPeople(
      "members:manage",
      () => `mutation { removeMember(input: {id: "${colleague.id}"}) { done } }`,
      ofOne,
    ),
    removeMemberFactors: ofPeople(
      "members:manage",
      () => `mutation { removeMemberFactors(input: {id: "${colleague.id}"}) { member { email } } }`,
      // The colleague has none.
      { ...ofOne, refused: [409, "conflict"] },
    ),
    secondFactor: ofPeople("*", () => "{ secondFactor { secondFactor recoveryCodesLeft } }"),
    confirmTotp: ofPeople("*", () => `mutation { confirmTotp(input: {code: "none"}) { recoveryCodes } }`, {
      ...ofSelf,
      // No set-up is under way yet.
      refused: [409, "conflict"],
    }),
    beginTotp: ofPeople("*", () => "mutation { beginTotp { uri } }"),
    renewRecoveryCodes: ofPeople(
      "*",
      () => `mutation { renewRecoveryCodes(input: {password: "wrong", code: ""}) { recoveryCodes } }`,
      { ...ofSelf, refused: [422, "invalid_request"] },
    ),
    removeTotp: ofPeople("*", () => `mutation { removeTotp(input: {password: "wrong", code: ""}) { secondFactor } }`, {
      ...ofSelf,
      refused: [422, "invalid_request"],
    }),
    signInRules: ofPeople("members:read", () => "{ signInRules { demandsSecondFactor } }"),
    updateSignInRules: ofPeople(
      "organization:manage",
      () => "mutation { updateSignInRules(input: {demandsSecondFactor: false}) { demandsSecondFactor } }",
    ),
    leaveOrganization: ofPeople(
      "*",
      ({ owner }) => `mutation { leaveOrganization(input: {organizationId: "${owner.id}"}) { done } }`,
      // The matrix has one owner.
      { ...ofOne, refused: [409, "last_owner"] },
    ),
  },
  async people({ selo }, organization) {
    const members = [];
    for (const role of ROLES) {
      const { headers, session } = await signedIn(selo, organization, role);
      members.push({ role, scopes: session.scopes, headers });
    }
    const left = await signedIn(selo, organization, "owner");
    await selo.database.admin.query("update accounts.memberships set removed_at = now() where person_id = $1", [
      left.id,
    ]);
    return [...members, { role: null, scopes: [], headers: left.headers }];
  },
};
