import type { CommonParts } from "../../../src/service.ts";
import type { NoteMetrics } from "./metrics.ts";

/** What this service's handlers and resolvers work with. */
export interface NoteParts extends CommonParts {
  readonly noteMetrics: NoteMetrics;
  /** NOTES_MAX_FILE_BYTES. */
  readonly noteMaxFileBytes: number;
}
