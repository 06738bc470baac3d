import { randomBytes } from "node:crypto";
import type { Queries } from "../../postgres/jobs.ts";
import { createUser, listUsers, setPassword } from "./store.ts";

/** Nobody can own this domain (RFC 2606). */
export const DEMO_EMAIL = "owner@demo.example";

/** Makes the owner of the demo organization, or finds it again, with a new password. */
export async function makeDemoOwner(database: Queries, tenantId: string): Promise<string> {
  const known = (await listUsers(database, tenantId)).find(({ email }) => email === DEMO_EMAIL);
  const { id } =
    known ?? (await createUser(database, { tenantId, email: DEMO_EMAIL, role: "owner", name: "Demo Owner" }));
  const password = randomBytes(15).toString("base64url");
  await setPassword(database, id, password);
  return password;
}
