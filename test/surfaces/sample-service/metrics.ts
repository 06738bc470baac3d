import { Counter, type Registry } from "prom-client";

/** Metrics of notes. */
export function noteMetrics(registers: Registry[]) {
  const files = new Counter({ name: "selo_note_files_total", help: "Files that were kept with notes.", registers });
  return { fileAttached: () => files.inc() };
}

export type NoteMetrics = ReturnType<typeof noteMetrics>;
