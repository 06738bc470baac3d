import { DnsResolver } from "../../src/adapters/outgoing-http/resolver.ts";
import { WebhookSender } from "../../src/adapters/outgoing-http/webhook-sender.ts";
import { listen } from "../../src/postgres/notifications.ts";
import { platformSettings } from "../../src/services/platform/settings.ts";
import { deliveryMetrics } from "../../src/services/webhooks/metrics.ts";
import { DeliveryStore } from "../../src/services/webhooks/store.ts";
import type { Beside, WorkerContext } from "../worked-service.ts";
import { Dispatcher } from "./dispatcher/dispatcher.ts";
import { addWebhookDays } from "./keep-days.ts";

/** Delivers webhooks as long as the worker runs. Postgres wakes it when a delivery is due. */
export async function deliverWebhooks(context: WorkerContext): Promise<Beside> {
  const { config, connection, jobs, masterKeys, metrics, log } = context;
  const { WEBHOOK_ALLOW_LOOPBACK } = config.of(platformSettings);
  const store = new DeliveryStore(jobs);
  const sender = new WebhookSender({ resolver: new DnsResolver(config.dnsResolvers ?? []) });
  const allowLoopback = WEBHOOK_ALLOW_LOOPBACK === "1";
  const dispatcher = new Dispatcher({
    jobs: store,
    sender,
    masterKeys,
    metrics: metrics.of(deliveryMetrics),
    log,
    allowLoopback,
  });
  await addWebhookDays(store);
  dispatcher.start();
  const listening = listen(connection, "webhook_deliveries", () => dispatcher.wake());
  return {
    stop: async () => {
      await listening.close();
      await dispatcher.stop();
      await sender.close();
    },
  };
}
