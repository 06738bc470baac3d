import { UNKNOWN_ID } from "../../../src/surfaces/openapi/examples/files.ts";
import type { Operation } from "../../../src/surfaces/operation.ts";
import { commands } from "./generated.ts";
import { archiveNote } from "./operations/archive-note.ts";
import { attachFile } from "./operations/attach-file.ts";
import { getFile } from "./operations/get-file.ts";
import { keepRecording } from "./operations/keep-recording.ts";
import { noteLimit } from "./operations/note-limit.ts";
import { noteWords } from "./operations/note-words.ts";
import { putWords } from "./operations/put-words.ts";
import type { NoteParts } from "./parts.ts";
import { keySurface } from "./surface.ts";

const aNote = { name: "note", summary: "A note", caller: "live" } as const;

/** The operations of notes. An operation that SQL alone answers is a row of data; every other operation has a file. */
export const noteOperations: readonly Operation<NoteParts>[] = [
  {
    name: "createNote",
    command: commands.create_note,
    answers: { schema: "Note", row: "notes" },
    errors: ["conflict"],
    rest: {
      method: "POST",
      path: "/notes",
      status: 201,
      tag: "Notes",
      summary: "Make a note",
    },
    examples: [{ ...aNote, body: { text: "Call Acme", remind_at: "2030-01-01T09:00:00Z" } }],
  },
  {
    name: "listNotes",
    command: commands.list_notes,
    answers: { schema: "NotePage", row: "notes" },
    rest: {
      method: "GET",
      path: "/notes",
      status: 200,
      tag: "Notes",
      summary: "List notes, newest first",
    },
    examples: [{ ...aNote, name: "page", summary: "All of them" }],
  },
  {
    name: "getNote",
    command: commands.get_note,
    answers: { schema: "Note", row: "notes" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/notes/{id}",
      status: 200,
      tag: "Notes",
      summary: "Read a note",
    },
    examples: [{ ...aNote, path: "/notes/{createNote.note.id}" }],
  },
  {
    name: "changeNote",
    command: commands.change_note,
    answers: { schema: "Note", row: "notes" },
    errors: ["not_found"],
    rest: {
      method: "PATCH",
      path: "/notes/{id}",
      status: 200,
      tag: "Notes",
      summary: "Change the words of a note",
    },
    examples: [{ ...aNote, path: "/notes/{createNote.note.id}", body: { text: "Write to Acme" } }],
  },
  {
    name: "clearReminder",
    command: commands.clear_reminder,
    answers: { schema: "Note", row: "notes" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/notes/{id}/clear-reminder",
      status: 200,
      tag: "Notes",
      summary: "Remind nobody of a note",
    },
    examples: [{ ...aNote, path: "/notes/{createNote.note.id}/clear-reminder" }],
  },
  attachFile,
  keepRecording,
  archiveNote,
  getFile,
  putWords,
  {
    name: "listReminders",
    command: commands.list_reminders,
    answers: { schema: "ReminderPage", row: "reminders" },
    rest: {
      method: "GET",
      path: "/reminders",
      status: 200,
      tag: "Notes",
      summary: "List reminders that were sent, newest first",
    },
    examples: [{ name: "none", summary: "There is none yet", caller: "live" }],
  },
  {
    name: "getReminder",
    command: commands.get_reminder,
    answers: { schema: "Reminder", row: "reminders" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/reminders/{id}",
      status: 200,
      tag: "Notes",
      summary: "Read a reminder that was sent",
    },
    examples: [
      { name: "unknown", summary: "There is no such reminder", caller: "live", path: `/reminders/${UNKNOWN_ID}` },
    ],
  },
  {
    name: "listNotesByKey",
    command: commands.list_notes,
    answers: { schema: "NotePage", row: "notes" },
    rest: {
      surface: keySurface,
      method: "GET",
      path: "/notes",
      status: 200,
      tag: "Notes",
      summary: "List notes, newest first",
    },
    examples: [{ ...aNote, name: "list", summary: "All of them" }],
  },
  {
    name: "getNoteByKey",
    command: commands.get_note,
    answers: { schema: "Note", row: "notes" },
    errors: ["not_found"],
    rest: {
      surface: keySurface,
      method: "GET",
      path: "/notes/{id}",
      status: 200,
      tag: "Notes",
      summary: "Read a note",
    },
    examples: [{ ...aNote, path: "/notes/{createNote.note.id}" }],
  },
  noteWords,
  noteLimit,
];
