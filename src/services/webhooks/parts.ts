import type { CommonParts } from "../../service.ts";
import type { WebhookServices } from "./operations/manage-endpoints.ts";

/** What this service's handlers and resolvers work with. */
export interface WebhookParts extends CommonParts, WebhookServices {
  /** The gateway's server closes a connection that is silent for so long. */
  readonly silenceMs: number;
}
