import { DnsResolver } from "../../src/adapters/outgoing-http/resolver.ts";
import { WebhookSender } from "../../src/adapters/outgoing-http/webhook-sender.ts";
import { listen } from "../../src/postgres/notifications.ts";
import type { Beside, WorkerHouse } from "../../src/service.ts";
import { Dispatcher } from "./dispatcher/dispatcher.ts";
import { addWebhookDays } from "./keep-days.ts";

/** Delivers webhooks as long as the worker runs, woken by Postgres when there is something to deliver. */
export async function deliverWebhooks(house: WorkerHouse): Promise<Beside> {
  const { config, connection, jobs, masterKeys, metrics, log } = house;
  const sender = new WebhookSender({ resolver: new DnsResolver(config.webhookDnsServers) });
  const allowLoopback = config.webhookAllowLoopback;
  const dispatcher = new Dispatcher({ jobs, sender, masterKeys, metrics, log, allowLoopback });
  await addWebhookDays(jobs);
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
