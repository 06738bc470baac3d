import type { Service } from "../../service.ts";
import type { WebhookParts } from "./parts.ts";
import { webhookRoutes } from "./routes.ts";

/** Webhooks, and the events behind them. */
export const webhooks: Service<WebhookParts> = {
  name: "webhooks",
  routes: webhookRoutes,
  ownRoutes: async (app, parts) => (await import("./rest/listen.ts")).listenPlugin(app, parts),
  resolvers: async () => [(await import("./graphql/webhooks.ts")).WebhookResolver],
  openQueries: { free: ["webhookEventKind", "webhookEventKinds"] },
  openapi: async () => (await import("./openapi.ts")).webhookDescription,
  examples: async () => (await import("./examples.ts")).webhookExamples,
  sealedColumns: async () => {
    const { webhookSecretPurpose } = await import("./operations/secret.ts");
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
  beside: async (house) => (await import("../../../workers/webhooks/deliver.ts")).deliverWebhooks(house),
};
