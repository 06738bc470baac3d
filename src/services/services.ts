import { accounts } from "./accounts/service.ts";
import { dns } from "./dns/service.ts";
import { invoicing } from "./invoicing/service.ts";
import { platform } from "./platform/service.ts";
import type { Service } from "./service.ts";
import { signature } from "./signature/service.ts";
import { webhooks } from "./webhooks/service.ts";

/** All services, in the order of `/docs`. No other list exists. */
export const services: readonly Service[] = [signature, dns, webhooks, invoicing, platform, accounts];
