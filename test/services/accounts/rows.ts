// Rows of the service, for tests that look at every table or view of all services.
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { invite, signedIn } from "./accounts-stage.ts";

/** A row in every table of the service that holds rows of organizations: somebody joins, and invites somebody; its rules demand nothing. */
export async function writeOne(selo: TestGateway, organization: TestOrganization): Promise<void> {
  const { headers } = await signedIn(selo, organization, "owner");
  await invite(selo, headers, `${organization.id}@people.example`);
  await selo.database.admin.query("insert into accounts.sign_in_rules values ($1, false)", [organization.id]);
}

/** No view reads its tables. */
export async function writeMany(): Promise<void> {}
