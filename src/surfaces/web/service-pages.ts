import type { Database } from "../../postgres/database.ts";
import type { SampleProof } from "./sample-card.ts";

/** What pages know of a service. */
export interface ServicePages {
  /** Pages of the build that are the service's. */
  readonly list: readonly ServedPage[];
  /** What the page /status says of the service: each of its lines, with the checks and parts of /readyz that it needs. Its words stand in src/web/<service>/status-words.ts. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** Reads the proof that the home page shows as a sample. Null if it may not be shown. */
  readonly readSample?: (database: Database, code: string) => Promise<SampleProof | null>;
}

/** A page of a service. */
export interface ServedPage {
  /** As Fastify writes routes. */
  readonly path: string;
  /** Paths that browsers may read while they still load the script that asks for them. Empty if the script will ask for none. */
  readonly preloads?: (params: Readonly<Record<string, string>>) => readonly string[];
  /** Whether the address names a person: no cache keeps the page, and no request that the page makes names where it comes from. */
  readonly isPrivate?: true;
}
