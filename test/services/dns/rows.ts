// Rows of the service, for tests that look at every table or view of all services.
import { issueKey } from "../../../src/services/dns/store.ts";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";

/** A key. */
export async function writeOne({ operator }: TestGateway, { id }: TestOrganization): Promise<void> {
  await issueKey(operator, id, "rows");
}

/** No view reads the service's tables. */
export const writeMany = async (): Promise<void> => {};
