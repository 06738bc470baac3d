import { z } from "zod";
import { wireText } from "../../../src/services/platform/wire-text.ts";
import { UNKNOWN_ID } from "../../../src/surfaces/openapi/examples/files.ts";
import { instant, page, type Route } from "../../../src/surfaces/rest/route.ts";
import { commands } from "./generated.ts";
import type { NoteParts } from "./parts.ts";
import { attachFile, putWords } from "./rest/change-note.ts";

const noteId = z.strictObject({ id: z.uuid("must be a UUID").meta({ description: "The note." }) });
const aNote = { name: "note", summary: "A note", caller: "live" } as const;

export const noteRoutes: readonly Route<NoteParts>[] = [
  {
    method: "POST",
    path: "/notes",
    operation: "createNote",
    tag: "Notes",
    summary: "Make a note",
    command: commands.create_note,
    status: 201,
    answers: { schema: "Note", row: "notes" },
    errors: ["conflict"],
    body: z.strictObject({
      text: wireText(200).min(1, "must not be empty").meta({ description: "Its words." }),
      remind_at: instant.nullish().meta({ description: "When the organization's contact is reminded of it." }),
    }),
    examples: [{ ...aNote, body: { text: "Call Acme", remind_at: "2030-01-01T09:00:00Z" } }],
  },
  {
    method: "GET",
    path: "/notes",
    operation: "listNotes",
    tag: "Notes",
    summary: "List notes, newest first",
    command: commands.list_notes,
    status: 200,
    answers: { schema: "NotePage", row: "notes" },
    query: page,
    examples: [{ ...aNote, name: "page", summary: "All of them" }],
  },
  {
    method: "GET",
    path: "/notes/{id}",
    operation: "getNote",
    tag: "Notes",
    summary: "Read a note",
    command: commands.get_note,
    status: 200,
    answers: { schema: "Note", row: "notes" },
    errors: ["not_found"],
    params: noteId,
    examples: [{ ...aNote, path: "/notes/{createNote.note.id}" }],
  },
  {
    method: "POST",
    path: "/notes/{id}/file",
    operation: "attachFile",
    tag: "Notes",
    summary: "Keep the digest of a file with a note",
    command: commands.attach_file,
    made: ["sha256"],
    status: 200,
    answers: { schema: "Note", row: "notes" },
    errors: ["not_found"],
    params: noteId,
    multipart: { fields: z.strictObject({}), with: "fields beside the file" },
    handle: attachFile,
    examples: [{ ...aNote, path: "/notes/{createNote.note.id}/file", form: { file: { name: "a.txt", text: "A\n" } } }],
  },
  {
    method: "PUT",
    path: "/notes/{id}/words",
    operation: "putWords",
    tag: "Notes",
    summary: "Seal words into a note",
    command: commands.seal_words,
    made: ["sealed_words"],
    status: 200,
    answers: { schema: "Note", row: "notes" },
    errors: ["not_found"],
    params: noteId,
    body: z.strictObject({ words: wireText(1_000).meta({ description: "The words." }) }),
    handle: putWords,
    examples: [{ ...aNote, path: "/notes/{createNote.note.id}/words", body: { words: "between us" } }],
  },
  {
    method: "GET",
    path: "/reminders",
    operation: "listReminders",
    tag: "Notes",
    summary: "List reminders that were sent, newest first",
    command: commands.list_reminders,
    status: 200,
    answers: { schema: "ReminderPage", row: "reminders" },
    query: page,
    examples: [{ name: "none", summary: "There is none yet", caller: "live" }],
  },
  {
    method: "GET",
    path: "/reminders/{id}",
    operation: "getReminder",
    tag: "Notes",
    summary: "Read a reminder that was sent",
    command: commands.get_reminder,
    status: 200,
    answers: { schema: "Reminder", row: "reminders" },
    errors: ["not_found"],
    params: z.strictObject({ id: z.uuid("must be a UUID").meta({ description: "The reminder." }) }),
    examples: [
      { name: "unknown", summary: "There is no such reminder", caller: "live", path: `/reminders/${UNKNOWN_ID}` },
    ],
  },
];
