import { DeliveryStore } from "../../src/services/webhooks/store.ts";
import type { WorkerTask } from "../task.ts";

/** Partitions are made this many days ahead, so workers may stand still for two weeks. */
const DAYS_AHEAD = 14;
const AT_ONCE = 10_000;
const MOST_ROUNDS = 10_000;

/** Makes partitions for the coming days, and drops those older than WEBHOOK_RETENTION_DAYS. */
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

/** Makes the missing partitions of today and the coming days. */
export async function addWebhookDays(store: Pick<DeliveryStore, "addWebhookDay">): Promise<void> {
  for (let day = 0; day <= DAYS_AHEAD; day++) await store.addWebhookDay(day);
}
