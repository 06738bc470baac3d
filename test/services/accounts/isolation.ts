import type { ServiceIsolation } from "../../support/isolation/isolation.ts";
import { ROLES, signedIn } from "./accounts-stage.ts";

export const isolation: ServiceIsolation = {
  prepare: async () => [],
  rest: {},
  graphql: {},
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
