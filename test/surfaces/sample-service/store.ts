import type { Environment, Queries } from "../../../src/postgres/jobs.ts";
import type { CredentialHolder } from "../../../src/surfaces/rest/surface.ts";

interface NoteCount {
  readonly environment: string;
  readonly notes: number;
}

/** Counts the notes of all organizations. */
export const countNotes = (database: Queries): Promise<NoteCount[]> =>
  database.query("select environment, notes from notes.count_notes()");

/** @param hash SHA-256 of the whole key. Returns the key's id */
export async function createKey(
  database: Queries,
  { tenantId, environment, scopes }: CredentialHolder,
  name: string,
  hash: Buffer,
): Promise<string> {
  const [row] = await database.query<{ id: string }>("select notes.create_key($1, $2, $3, $4, $5) as id", [
    tenantId,
    environment,
    name,
    scopes,
    hash,
  ]);
  if (row === undefined) throw new Error("notes.create_key answered no row");
  return row.id;
}

/** @throws AppError 404 not_found */
export async function revokeKey(database: Queries, { tenantId, environment }: Environment, id: string): Promise<void> {
  await database.query("select notes.revoke_key($1, $2, $3)", [tenantId, environment, id]);
}
