import type { CommonParts } from "../started-service.ts";
import type { PlatformSigners } from "./keys/platform-signers.ts";

/** The objects that this service's operations work with. */
export interface PlatformParts extends CommonParts {
  /** The platform's keys, which seal evidence. */
  readonly signers: PlatformSigners;
}
