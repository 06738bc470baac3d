import type { Service } from "../service.ts";
import { platform } from "./platform/service.ts";
import { signature } from "./signature/service.ts";
import { webhooks } from "./webhooks/service.ts";

/** All of them, in the order of `/docs`: the only list there is. */
export const services: readonly Service[] = [signature, webhooks, platform];
