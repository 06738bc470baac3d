import type { CommonParts } from "../../../src/service.ts";
import { operationsOf } from "../../../src/surfaces/operation.ts";
import type { Compress } from "./compress.ts";
import type { NoteMetrics } from "./metrics.ts";

/** What this service's operations work with. */
export interface NoteParts extends CommonParts {
  readonly noteMetrics: NoteMetrics;
  /** NOTES_MAX_FILE_BYTES. */
  readonly noteMaxFileBytes: number;
  /** What archiveNote does between its two calls of the database. */
  readonly compress: Compress;
}

export const operation = operationsOf<NoteParts>();
