import { randomUUID } from "node:crypto";
import { createUser } from "../../../src/services/accounts/store.ts";
import { graphql } from "../../support/graphql-client.ts";
import type { RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { PASSWORD, ROLES, signedIn, trySignIn } from "./accounts-stage.ts";

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
/** An invitation of the owner's. */
let invited: { readonly id: string; readonly email: string };
const ofInvited = { ...ofOne, shows: () => [invited.email] };

/** What no browser answers. */
const NO_PASSKEY =
  '{id: "AA", rawId: "AA", type: "public-key", response: {clientDataJSON: "e30", attestationObject: "AA"}}';

/** The person who asks as the owner, and another session of this person. */
let person: { readonly email: string } | null = null;
let session: string = randomUUID();

export const isolation: ServiceIsolation = {
  prepare: async () => [],
  rest: {},
  async renew({ selo, owner: { id: tenantId } }) {
    // Attempts of the fields before would lock everybody out.
    await selo.database.admin.query("delete from platform.request_counts");
    colleague = await createUser(selo.operator, {
      tenantId,
      email: `colleague-${++colleagues}@people.example`,
      role: "member",
    });
    // No session is open yet: as a person of the organization has made it, a minute ago.
    const email = `invited-${colleagues}@people.example`;
    const { rows } = await selo.database.admin.query<{ id: string }>(
      `insert into accounts.invitations (tenant_id, email, role, invited_by, link_id, digest, sent_at, expires_at)
       values ($1, $2, 'member', $3, gen_random_uuid(), sha256(convert_to($2, 'UTF8')), now() - interval '1 minute', now() + interval '7 days') returning id`,
      [tenantId, email, colleague.id],
    );
    invited = { id: rows[0]?.id ?? "", email };
    if (person !== null) session = await openAnother(selo, person.email);
  },
  secretsNow: () => [colleague.email, invited.email],
  graphql: {
    members: ofPeople("members:read", () => "{ members(limit: 200) { id email name role } }", {
      shows: () => [colleague.email],
    }),
    invitations: ofPeople("members:read", () => "{ invitations(limit: 200) { id email role invitedBy } }", {
      shows: () => [invited.email],
    }),
    inviteMember: ofPeople(
      "members:manage",
      () =>
        `mutation { inviteMember(input: {email: "new-${randomUUID()}@people.example", role: MEMBER}) { invitation { role } } }`,
      { shows: () => [] },
    ),
    resendInvitation: ofPeople(
      "members:manage",
      () => `mutation { resendInvitation(input: {id: "${invited.id}"}) { invitation { email } } }`,
      ofInvited,
    ),
    withdrawInvitation: ofPeople(
      "members:manage",
      () => `mutation { withdrawInvitation(input: {id: "${invited.id}"}) { done } }`,
      ofOne,
    ),
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
    confirmTotp: ofPeople(
      "*",
      () => `mutation { confirmTotp(input: {code: "none", password: "${PASSWORD}"}) { recoveryCodes } }`,
      {
        ...ofSelf,
        // No set-up is under way yet.
        refused: [409, "conflict"],
      },
    ),
    beginTotp: ofPeople("*", () => "mutation { beginTotp { uri } }"),
    renewRecoveryCodes: ofPeople(
      "*",
      () => `mutation { renewRecoveryCodes(input: {password: "wrong", code: ""}) { recoveryCodes } }`,
      { ...ofSelf, refused: [422, "invalid_request"] },
    ),
    removeTotp: ofPeople("*", () => `mutation { removeTotp(input: {password: "wrong", code: ""}) { secondFactor } }`, {
      ...ofSelf,
      // Nobody has an app.
      refused: [409, "conflict"],
    }),
    passkeyCreationOptions: ofPeople("*", () => "{ passkeyCreationOptions { __typename } }"),
    addPasskey: ofPeople(
      "*",
      () => `mutation { addPasskey(input: {password: "${PASSWORD}", response: ${NO_PASSKEY}}) { passkey { id } } }`,
      { ...ofSelf, refused: [422, "invalid_request"] },
    ),
    removePasskey: ofPeople(
      "*",
      () => `mutation { removePasskey(input: {id: "${randomUUID()}", password: "${PASSWORD}"}) { secondFactor } }`,
      // Nobody has this one.
      { ...ofOne, refused: [404, "not_found"] },
    ),
    signInRules: ofPeople("members:read", () => "{ signInRules { demandsSecondFactor } }"),
    updateSignInRules: ofPeople(
      "organization:manage",
      () => "mutation { updateSignInRules(input: {demandsSecondFactor: false}) { demandsSecondFactor } }",
    ),
    leaveOrganization: ofPeople(
      "members:read",
      ({ owner }) => `mutation { leaveOrganization(input: {organizationId: "${owner.id}"}) { done } }`,
      // The matrix has one owner.
      { ...ofOne, refused: [409, "last_owner"] },
    ),
    account: ofPeople("*", () => "{ account { organizations { id number name role } } }", {
      shows: ({ owner: { id } }) => [id],
    }),
    updateAccount: ofPeople("*", () => `mutation { updateAccount(input: {language: "en"}) { language } }`),
    endSession: ofPeople("*", () => `mutation { endSession(input: {id: "${session}"}) { done } }`, ofOne),
    endOtherSessions: ofPeople("*", () => "mutation { endOtherSessions { ended } }"),
    changePassword: ofPeople(
      "*",
      () => `mutation { changePassword(input: {presentPassword: "${PASSWORD}", password: "${PASSWORD}"}) { changed } }`,
    ),
  },
  async people({ selo, owner: { id } }, organization) {
    const members = [];
    for (const role of ROLES) {
      const { headers, session: opened, email } = await signedIn(selo, organization, role);
      members.push({ role, scopes: opened.scopes, headers });
      if (role !== "owner" || organization.id !== id) continue;
      person = { email };
      session = await openAnother(selo, email);
    }
    const left = await signedIn(selo, organization, "owner");
    await selo.database.admin.query("update accounts.memberships set removed_at = now() where person_id = $1", [
      left.id,
    ]);
    return [...members, { role: null, scopes: [], headers: left.headers }];
  },
};

/** Signs a person in once more; answers the id of the session. */
async function openAnother(selo: Stage["selo"], email: string): Promise<string> {
  await trySignIn(selo, email);
  const { rows } = await selo.database.admin.query<{ id: string }>(
    "select id from accounts.sessions where person_id = (select id from accounts.people where email = $1) order by id desc limit 1",
    [email],
  );
  return rows[0]?.id ?? "";
}
