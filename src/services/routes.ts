import type { Route } from "../surfaces/rest/route.ts";
import { billingRoutes } from "./platform/billing-routes.ts";
import { platformRoutes } from "./platform/routes.ts";
import { proofRoutes } from "./signature/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** Every documented path, a page for each service; this is also the order of `/docs`. */
export const routes: readonly Route[] = [...proofRoutes, ...webhookRoutes, ...billingRoutes, ...platformRoutes];
