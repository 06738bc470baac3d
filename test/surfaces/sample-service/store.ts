import type { Queries } from "../../../src/postgres/jobs.ts";

interface NoteCount {
  readonly environment: string;
  readonly notes: number;
}

/** Counts the notes of all organizations. */
export const countNotes = (database: Queries): Promise<NoteCount[]> =>
  database.query("select environment, notes from notes.count_notes()");
