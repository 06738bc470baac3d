import type { Queries } from "../../../src/postgres/jobs.ts";
import type { CredentialHolder } from "../../../src/surfaces/rest/surface.ts";

interface NoteCount {
  readonly environment: string;
  readonly notes: number;
}

/** Counts the notes of all organizations. */
export const countNotes = (database: Queries): Promise<NoteCount[]> =>
  database.query("select environment, notes from notes.count_notes()");

/** @param hash SHA-256 of the whole key; answers the key's id */
export async function createKey(
  database: Queries,
  { tenantId, environment, scopes }: CredentialHolder,
  hash: Buffer,
): Promise<string> {
  const [row] = await database.query<{ id: string }>("select notes.create_key($1, $2, 'key', $3, $4) as id", [
    tenantId,
    environment,
    scopes,
    hash,
  ]);
  if (row === undefined) throw new Error("notes.create_key answered no row");
  return row.id;
}
