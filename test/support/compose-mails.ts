// A worker's half of the test inbox: what composes the mails that wait there.
import { createPool } from "../../src/postgres/pool.ts";
import { composeTestMail } from "../../workers/platform/compose-mail.ts";
import { mailKindsOf } from "../../workers/platform/send-mail.ts";
import type { TestGateway } from "./gateway.ts";
import { masterKeys } from "./master-keys.ts";
import { taskContext } from "./worker.ts";

/** What a worker works with, beside a gateway. */
export function workerOf({ selo }: { readonly selo: TestGateway }) {
  const pool = createPool(
    { url: selo.database.workerUrl, role: "selo_worker", applicationName: "test worker" },
    3,
    () => {},
  );
  return { context: taskContext(pool, masterKeys), end: () => pool.end() };
}
export type Worker = ReturnType<typeof workerOf>;

/** Composes each test mail that waits, as a worker does. */
export async function composeAll(
  { selo, tenantId }: { readonly selo: TestGateway; readonly tenantId: string },
  { context }: Worker,
): Promise<void> {
  const task = composeTestMail({ site: selo.config, kinds: await mailKindsOf(selo.services), show: null });
  const { rows } = await selo.database.admin.query<{ id: string }>(
    "select id from platform.mails where tenant_id = $1 and is_withheld and composed_at is null and failed_at is null order by id",
    [tenantId],
  );
  for (const { id } of rows) await task({ tenant_id: tenantId, environment: "test", id }, context);
}
