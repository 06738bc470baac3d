// The queue of deliveries, which a test works off itself in place of a worker.
import { randomUUID } from "node:crypto";
import { Jobs } from "../../../src/postgres/jobs.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import {
  type AttemptResult,
  type DeliveryClaim,
  DeliveryStore,
  type LeasedDelivery,
} from "../../../src/services/webhooks/store.ts";
import { WebhookStage } from "../../support/webhook-stage.ts";

export class QueueStage {
  readonly webhooks: WebhookStage;
  readonly store: DeliveryStore;
  readonly #pool: ReturnType<typeof createPool>;

  private constructor(webhooks: WebhookStage) {
    const { workerUrl: url } = webhooks.selo.database;
    this.webhooks = webhooks;
    this.#pool = createPool({ url, role: "selo_worker", applicationName: "test worker" }, 8, () => {});
    this.store = new DeliveryStore(new Jobs(this.#pool));
  }

  static async open(): Promise<QueueStage> {
    const webhooks = await WebhookStage.open();
    await webhooks.stopWorker();
    return new QueueStage(webhooks);
  }

  async close(): Promise<void> {
    await this.#pool.end();
    await this.webhooks.close();
  }

  /** What a dispatcher is leased that has nothing to do yet. */
  claim(options: Partial<DeliveryClaim> = {}): Promise<readonly LeasedDelivery[]> {
    return this.store.claimDeliveries({
      dispatcherId: randomUUID(),
      wasIdle: false,
      after: "00000000-0000-0000-0000-000000000000",
      room: new Map(),
      limit: 1_000,
      fullTenants: [],
      ...options,
    });
  }
}

/** The result of an attempt: a success unless options say otherwise. */
export function outcome(leased: LeasedDelivery, options: Partial<AttemptResult> = {}): AttemptResult {
  return {
    tenant_id: leased.tenantId,
    delivery_id: leased.deliveryId,
    attempt_id: leased.attemptId,
    url: leased.url,
    requested_at_ms: leased.nowMs,
    duration_ms: 1,
    response_status: 200,
    response_body: "",
    ...options,
  };
}
