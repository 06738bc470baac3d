// Imports through REST.
import { expect } from "vitest";
import type { RestResponse } from "../../support/rest-client.ts";
import type { Zone } from "./dns-stage.ts";

/** The options of an import. */
export interface ImportOptions {
  readonly dry_run?: boolean;
  readonly replace?: boolean;
  readonly clamp_ttl?: boolean;
}

/** Tries to import a file. */
export const tryImport = (zone: Zone, file: string, options: ImportOptions = {}): Promise<RestResponse> =>
  zone.ask("POST", "/import", { bind_file: file, ...options });

/** Imports a file, and answers what the API answered. */
// biome-ignore lint/suspicious/noExplicitAny: the answer; expectations look into it
export async function importFile(zone: Zone, file: string, options: ImportOptions = {}): Promise<any> {
  const { status, body } = await tryImport(zone, file, options);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** The lines of records that were skipped, with the reason. */
export const skippedIn = (body: {
  readonly skipped_records: readonly { readonly line: number; readonly reason: string }[];
}) => body.skipped_records.map(({ line, reason }) => `${line} ${reason}`);

/** The records of a zone in one line each, without what a zone gives them. */
export async function recordsIn(zone: Zone, query = ""): Promise<string[]> {
  return (await zone.records(query)).map(({ name, ttl, type, priority, content, disabled, comment }) =>
    [
      name,
      ttl,
      type,
      priority,
      content,
      ...(disabled ? ["disabled"] : []),
      ...(comment === null ? [] : [`; ${comment}`]),
    ]
      .filter((part) => part !== null)
      .join(" "),
  );
}
