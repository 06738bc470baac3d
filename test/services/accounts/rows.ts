// Rows of the service, for tests that look at every table or view of all services.
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { addPerson } from "./accounts-stage.ts";

/** A row in every table of the service that holds rows of organizations: somebody joins. */
export async function writeOne(selo: TestGateway, organization: TestOrganization): Promise<void> {
  await addPerson(selo, organization, "member");
}

/** No view reads its tables. */
export async function writeMany(): Promise<void> {}
