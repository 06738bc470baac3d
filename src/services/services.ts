import type { Service } from "../service.ts";
import { platform } from "./platform/service.ts";
import type { SignatureParts } from "./signature/parts.ts";
import { signature } from "./signature/service.ts";
import type { WebhookParts } from "./webhooks/parts.ts";
import { webhooks } from "./webhooks/service.ts";

/** What the handlers and resolvers of all services work with. */
export type Parts = SignatureParts & WebhookParts;

/** All of them, in the order of `/docs`: the only list there is. */
export const services: readonly Service<Parts>[] = [signature, webhooks, platform];
