import type { CommonParts } from "../../../src/services/started-service.ts";
import { operationsOf } from "../../../src/surfaces/operation.ts";
import type { Compress } from "./compress.ts";
import type { NoteMetrics } from "./metrics.ts";

/** The objects that this service's operations work with. */
export interface NoteParts extends CommonParts {
  readonly noteMetrics: NoteMetrics;
  /** NOTES_MAX_FILE_BYTES. */
  readonly noteMaxFileBytes: number;
  /** The step of archiveNote between its two database calls. */
  readonly compress: Compress;
}

export const operation = operationsOf<NoteParts>();
