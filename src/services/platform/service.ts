import type { CommonParts, Service } from "../../surfaces/service.ts";
import { billingRoutes } from "./billing-routes.ts";
import { platformRoutes } from "./routes.ts";

/** Organizations, tokens, credits, keys and the audit trail. */
export const platform: Service<CommonParts> = {
  name: "platform",
  routes: [...billingRoutes, ...platformRoutes],
  examples: async () => {
    const { auditExamples, billingExamples, publicExamples } = await import("./examples.ts");
    return [...billingExamples, ...publicExamples, ...auditExamples];
  },
};
