import type { Operator } from "../../postgres/operator/operator.ts";
import { csrfToken, newSession } from "../../surfaces/http/session.ts";
import type { CredentialHolder } from "../../surfaces/rest/surface.ts";
import { createUser, setPassword } from "./store.ts";

/** The people of the examples in the API description. They exist in its database alone. */
export const EXAMPLE_PERSON = { email: "ana@acme.example", password: "correct-horse-battery" } as const;

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
  const csrf = csrfToken(secret);
  return {
    Cookie: `inv_session=${secret}; inv_csrf=${csrf}`,
    "X-CSRF-Token": csrf,
    ...(environment === "test" ? { "X-Environment": "test" } : {}),
  };
}
