import { platformSettings } from "../platform/settings.ts";
import type { Service } from "../service.ts";
import type { Own } from "../started-service.ts";
import { webhookOperations } from "./operations.ts";
import type { WebhookParts } from "./parts.ts";
import { webhookSettings } from "./settings.ts";

/** Webhooks, and the events behind them. */
export const webhooks: Service<WebhookParts> = {
  name: "webhooks",
  operations: webhookOperations,
  ownRoutes: [async (app, parts) => (await import("./streams/listen.ts")).listenPlugin(app, parts)],
  settings: webhookSettings,
  openapi: async () => (await import("./openapi.ts")).webhookDescription,
  pages: async () => ({ list: [], needs: { webhooks: ["database", "migrations"] } }),
  examples: async () => (await import("./examples.ts")).webhookExamples,
  queues: {
    webhook_deliveries: {
      name: "selo_webhook_deliveries",
      help: "Deliveries of webhooks: waiting (due, and no worker has taken them), leased (a worker has taken them), scheduled (for a retry); the count stops at 10,000 due and 10,000 scheduled.",
      oldestHelp:
        "For how long the oldest waiting delivery has been due, among the first 1,000 endpoints with waiting deliveries.",
    },
  },
  metrics: async () => (await import("./metrics.ts")).deliveryMetrics,
  mails: async () => (await import("./mails.ts")).webhookMails,
  parts: async (_common, { config, timeouts }): Promise<Own<WebhookParts>> => ({
    silenceMs: timeouts.silenceMs,
    webhookAllowLoopback: config.of(platformSettings).WEBHOOK_ALLOW_LOOPBACK === "1",
  }),
  sealedColumns: async () => {
    const { webhookSecretPurpose } = await import("./endpoints/secret.ts");
    const purpose = ({ id }: Readonly<Record<string, unknown>>) => webhookSecretPurpose(String(id));
    return ["sealed_secret", "sealed_previous_secret"].map((column) => ({
      table: "webhooks.endpoints",
      column,
      purpose,
    }));
  },
  commands: [
    {
      words: { listen: "print and forward the events of a test token, signed, without a public address" },
      load: async () => (await import("./commands/listen-command.ts")).addListenCommand,
    },
  ],
  tasks: {
    keep_days: {
      load: async () => (await import("../../../workers/webhooks/keep-days.ts")).keepWebhookDays,
      schedule: { at: "47 * * * *", attempts: 3 },
    },
  },
  beside: [async (context) => (await import("../../../workers/webhooks/deliver.ts")).deliverWebhooks(context)],
};
