import type { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import type { CommonParts } from "../../../src/service.ts";
import type { NoteMetrics } from "./metrics.ts";

/** What this service's handlers and resolvers work with. */
export interface NoteParts extends CommonParts {
  readonly masterKeys: MasterKeyring;
  readonly noteMetrics: NoteMetrics;
  /** NOTES_MAX_FILE_BYTES. */
  readonly noteMaxFileBytes: number;
}
