import type { TestGateway } from "../../support/gateway.ts";

/** The windows in which a gateway has counted requests do not end while a test runs, however long that takes. */
export async function keepWindows({ database }: Pick<TestGateway, "database">): Promise<void> {
  await database.admin.query("update platform.request_counts set resets_at = clock_timestamp() + interval '1 day'");
}
