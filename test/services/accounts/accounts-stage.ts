// People of an organization, and their sessions, as tests of this service and of isolation make them.
import { randomUUID } from "node:crypto";
import { URI } from "otpauth";
import { createUser, setPassword } from "../../../src/services/accounts/store.ts";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { type Asker, answered, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";
import { call, type RestRequest, type RestResponse } from "../../support/rest-client.ts";

export const PASSWORD = "correct-horse-battery";
export const ROLES = ["accountant", "member", "admin", "owner"] as const;

const prefix = "/api/v1/auth";

/** One request below /api/v1/auth. */
export const auth = (
  selo: Pick<TestGateway, "baseUrl">,
  method: string,
  path: string,
  request: RestRequest = {},
): Promise<RestResponse> => call(selo, method, path, { ...request, prefix });

/** Adds a person with a password to an organization. */
export async function addPerson(
  { operator }: Pick<TestGateway, "operator">,
  { id: tenantId }: Pick<TestOrganization, "id">,
  role: string,
  email = `${randomUUID()}@people.example`,
): Promise<{ readonly id: string; readonly email: string }> {
  const { id, has_password } = await createUser(operator, { tenantId, email, role });
  if (!has_password) await setPassword(operator, id, PASSWORD);
  return { id, email };
}

export const trySignIn = (
  selo: Pick<TestGateway, "baseUrl">,
  email: string,
  password = PASSWORD,
  headers: Readonly<Record<string, string>> = {},
): Promise<RestResponse> => auth(selo, "POST", "/sign-in", { body: { email, password }, headers });

/** What a browser would send after an answer that set cookies. */
export function sessionHeaders({ headers }: Pick<RestResponse, "headers">): {
  readonly cookie: string;
  readonly "x-csrf-token": string;
} {
  const cookies = headers.getSetCookie().map((cookie) => cookie.replace(/;.*$/s, ""));
  const csrf = cookies.find((cookie) => cookie.startsWith("inv_csrf="));
  return { cookie: cookies.join("; "), "x-csrf-token": csrf?.slice("inv_csrf=".length) ?? "" };
}

/** Invites somebody by the session of a person. */
export const invite = (
  selo: Pick<TestGateway, "baseUrl">,
  asker: Asker,
  email: string,
  role = "member",
): Promise<GraphqlAnswer> =>
  graphql(
    selo,
    asker,
    "mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { id email role invitedBy createdAt expiresAt } } }",
    { input: { email, role: role.toUpperCase() } },
  );

/** Sets an authenticator app up, by the session of a person; answers its otpauth address, the code that confirmed it, and the recovery codes. */
export async function addApp(
  selo: Pick<TestGateway, "baseUrl">,
  asker: Asker,
): Promise<{ readonly uri: string; readonly used: string; readonly recovery: readonly string[] }> {
  const { uri } = answered<{ uri: string }>(await graphql(selo, asker, "mutation { beginTotp { uri } }"), "beginTotp");
  const used = URI.parse(uri).generate();
  const confirmed = await graphql(
    selo,
    asker,
    `mutation { confirmTotp(input: {code: "${used}", password: "${PASSWORD}"}) { recoveryCodes } }`,
  );
  return { uri, used, recovery: answered<{ recoveryCodes: string[] }>(confirmed, "confirmTotp").recoveryCodes };
}

/** Signs a new person in; answers the headers of the session, and the session. */
export async function signedIn(selo: TestGateway, organization: Pick<TestOrganization, "id">, role: string) {
  const person = await addPerson(selo, organization, role);
  const answer = await trySignIn(selo, person.email);
  if (answer.status !== 200) throw new Error(`the sign-in was answered ${answer.status}: ${answer.text}`);
  return { ...person, headers: sessionHeaders(answer), session: answer.body };
}

/** Lets the sessions of a person have begun earlier: the clock of the database decides. */
export async function ageSessions(
  { database }: Pick<TestGateway, "database">,
  personId: string,
  interval: string,
): Promise<void> {
  await database.admin.query(
    `with session as (update accounts.sessions set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval where person_id = $1)
     update platform.credentials set expires_at = expires_at - $2::interval where actor_id = $1 and kind = 'user'`,
    [personId, interval],
  );
}

/** The headers of a session that has run out. */
export async function expiredSession(selo: TestGateway, organization: Pick<TestOrganization, "id">) {
  const { id, headers } = await signedIn(selo, organization, "member");
  await ageSessions(selo, id, "12 hours");
  return headers;
}
