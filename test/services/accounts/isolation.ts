import { randomUUID } from "node:crypto";
import { graphql } from "../../support/graphql-client.ts";
import type { RootField, ServiceIsolation } from "../../support/isolation/isolation.ts";
import { PASSWORD, ROLES, signedIn, trySignIn } from "./accounts-stage.ts";

const ofPeople = (scope: string, document: () => string, more: Partial<RootField> = {}): RootField => ({
  scope,
  ask: ({ selo }, asker) => graphql(selo, asker, document()),
  shows: () => [],
  isOfPeople: true,
  isShared: true,
  ...more,
});

/** The person who is asked as the owner, and another session of the same person. */
let owner: { readonly email: string } | null = null;
let session: string = randomUUID();

export const isolation: ServiceIsolation = {
  prepare: async () => [],
  async renew({ selo }) {
    if (owner !== null) session = await openAnother(selo, owner.email);
  },
  rest: {},
  graphql: {
    account: ofPeople("*", () => "{ account { organizations { id number name role } } }", {
      shows: ({ owner: { id } }) => [id],
    }),
    updateAccount: ofPeople("*", () => `mutation { updateAccount(input: {language: "en"}) { language } }`),
    endSession: ofPeople("*", () => `mutation { endSession(input: {id: "${session}"}) { done } }`, { isOfOne: true }),
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
      owner = { email };
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
async function openAnother(selo: Parameters<typeof signedIn>[0], email: string): Promise<string> {
  await trySignIn(selo, email);
  const { rows } = await selo.database.admin.query<{ id: string }>(
    "select id from accounts.sessions where person_id = (select id from accounts.people where email = $1) order by id desc limit 1",
    [email],
  );
  return rows[0]?.id ?? "";
}
