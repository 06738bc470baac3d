import { DeliveryStore } from "../../src/services/webhooks/store.ts";
import type { WorkerTask } from "../task.ts";

/** Partitions are there so long before their day: a worker may stand still for two weeks. */
const DAYS_AHEAD = 14;
const AT_ONCE = 10_000;
const MOST_ROUNDS = 10_000;

/** Makes the days to come, and drops those older than WEBHOOK_RETENTION_DAYS. */
export const keepWebhookDays: WorkerTask = async (_payload, { jobs }) => {
  const store = new DeliveryStore(jobs);
  await addWebhookDays(store);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if ((await store.dropWebhookDay()) === null) break;
  }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if ((await store.deleteOldDeliveries(AT_ONCE)) === 0) break;
  }
};

/** Makes the partitions of today and the days to come that there are not yet. */
export async function addWebhookDays(store: Pick<DeliveryStore, "addWebhookDay">): Promise<void> {
  for (let day = 0; day <= DAYS_AHEAD; day++) await store.addWebhookDay(day);
}
