import type pg from "pg";
import type { TestGateway, TestOrganization } from "./gateway.ts";

/** What `test/services/<service>/rows.ts` gives tests that look at every table or view of all services. */
export interface ServiceRows {
  /** A row in every table of the service that holds rows of organizations; absent where each new organization has them. */
  readonly writeOne?: (selo: TestGateway, organization: TestOrganization) => Promise<void>;
  /** Many rows of an organization in every table that a view reads, all with the same values but for keys. */
  readonly writeMany: (admin: pg.Pool, tenantId: string, count: number, text: "own" | "other") => Promise<void>;
}

export const rowsOf = (service: string): Promise<ServiceRows> => import(`../services/${service}/rows.ts`);
