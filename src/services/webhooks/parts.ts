import type { MasterKeyring } from "../../adapters/crypto/master-keyring.ts";
import { operationsOf } from "../../surfaces/operation.ts";
import type { CommonParts } from "../started-service.ts";

/** The objects that this service's operations work with. */
export interface WebhookParts extends CommonParts {
  readonly masterKeys: MasterKeyring;
  /** WEBHOOK_ALLOW_LOOPBACK. */
  readonly webhookAllowLoopback: boolean;
  /** The gateway's server closes a connection after this many milliseconds of silence. */
  readonly silenceMs: number;
}

export const operation = operationsOf<WebhookParts>();
