import type { AnswerPatience } from "../../surfaces/http/stalled-reader.ts";
import type { CommonParts } from "../started-service.ts";
import type { FileLinks } from "./files/file-links.ts";
import type { PlatformSigners } from "./keys/platform-signers.ts";

/** The objects that this service's operations work with. */
export interface PlatformParts extends CommonParts {
  /** The platform's keys, which seal evidence. */
  readonly signers: PlatformSigners;
  /** Makes and reads the links under which files are downloaded without a token. */
  readonly fileLinks: FileLinks;
  /** How long these files wait for their readers and sources. */
  readonly patience: AnswerPatience;
}

/** Parts that this service makes for all. */
export type PlatformsOwn = Exclude<keyof PlatformParts, keyof CommonParts>;
