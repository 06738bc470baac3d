import { randomUUID } from "node:crypto";
import type { Operator } from "../../postgres/operator/operator.ts";
import { csrfToken, newSession } from "../../surfaces/http/session.ts";
import type { CredentialHolder } from "../../surfaces/rest/surface.ts";
import { linkSha256 } from "./sign-in/password-link.ts";
import { createUser, setPassword } from "./store.ts";

/** The people of the examples in the API description. They exist in its database alone. */
export const EXAMPLE_PERSON = { email: "ana@acme.example", password: "correct-horse-battery" } as const;

/** A person with an authenticator app, of another organization. */
export const EXAMPLE_PERSON_WITH_APP = { ...EXAMPLE_PERSON, email: "carla@gama.example" } as const;

/** Links of invitations to the organization of the examples, as they stand in the mails. */
export const EXAMPLE_LINKS = {
  bruno: "m1w0Zr7cXq4vT9kYb2uHs5dLf8gJn3pEaQeVtRyUiOc",
  carla: "S6hNf0aKx2Wd8ZqLr4uYb7tGc1vMj5pEo9iQeRyTgHk",
} as const;

/** Opens a session of the person of the examples. */
export async function issueSession(
  operator: Operator,
  { tenantId, environment }: CredentialHolder,
): Promise<Readonly<Record<string, string>>> {
  const { email, password } = EXAMPLE_PERSON;
  const [known] = await operator.query<{ id: string; is_member: boolean }>(
    `select person.id, $2::uuid in (select accounts.tenants_of(person.id)) as is_member
     from accounts.find_person($1) as person where person.id is not null`,
    [email, tenantId],
  );
  const id = known?.is_member
    ? known.id
    : (await createUser(operator, { tenantId, email, role: "owner", name: "Ana" })).id;
  if (known === undefined) await setPassword(operator, id, password);
  const { secret, digests } = newSession();
  await operator.query("select accounts.open_session($1, $2, 'password', $3, $4, '203.0.113.1')", [
    id,
    tenantId,
    digests.live_sha256,
    digests.test_sha256,
  ]);
  if (known === undefined) {
    const carla = await addPersonWithApp(operator);
    await invite(operator, tenantId, digests.live_sha256, "bruno@accounting.example", EXAMPLE_LINKS.bruno);
    await invite(operator, tenantId, digests.live_sha256, carla, EXAMPLE_LINKS.carla);
  }
  const csrf = csrfToken(secret);
  return {
    Cookie: `inv_session=${secret}; inv_csrf=${csrf}`,
    "X-CSRF-Token": csrf,
    ...(environment === "test" ? { "X-Environment": "test" } : {}),
  };
}

/** Nobody knows a code of the app: its encrypted secret is none. */
async function addPersonWithApp(operator: Operator): Promise<string> {
  const { email, password } = EXAMPLE_PERSON_WITH_APP;
  const { id: tenantId } = await operator.createOrganization({ name: "Gama Ltda." });
  const { id } = await createUser(operator, { tenantId, email, role: "owner", name: "Carla" });
  await setPassword(operator, id, password);
  const factor = randomUUID();
  await operator.query("select accounts.put_totp($1, $2, ''::bytea, sha256(''))", [id, factor]);
  await operator.query("select accounts.put_step($1, 0)", [factor]);
  return email;
}

/** Invites somebody, by the session with this credential, and opens the link as the worker does that composes the mail. */
async function invite(
  operator: Operator,
  tenantId: string,
  liveSha256: string,
  email: string,
  link: string,
): Promise<void> {
  const given = { email, role: "accountant", link_id: randomUUID(), link_sha256: linkSha256(link) };
  await operator.query(
    `select jobs.call($1, 'live', 'open_invitation', $3::jsonb || jsonb_build_object('invitation_id', called.body::jsonb ->> 'id'))
     from gateway.call(decode($2, 'hex'), 'create_invitation', $3) as called`,
    [tenantId, liveSha256, given],
  );
}
