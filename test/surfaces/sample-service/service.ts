import type { Service } from "../../../src/services/service.ts";
import type { Own } from "../../../src/services/started-service.ts";
import { commands } from "./generated.ts";
import { noteOperations } from "./operations.ts";
import type { NoteParts } from "./parts.ts";
import { noteSettings } from "./settings.ts";

/** Notes: the smallest service with one file of each kind. */
export const notes: Service<NoteParts> = {
  name: "notes",
  // A service of the product has its SQL in sql/<name>, and needs neither of these two.
  sqlFolder: new URL("sql/", import.meta.url),
  addedCommands: commands,
  settings: noteSettings,
  parts: async ({ metrics }, { config }): Promise<Own<NoteParts>> => ({
    noteMetrics: metrics.of((await import("./metrics.ts")).noteMetrics),
    noteMaxFileBytes: config.of(noteSettings).NOTES_MAX_FILE_BYTES,
    compress: (await import("./compress.ts")).brotli,
  }),
  operations: noteOperations,
  ownRoutes: [async (app, parts) => (await import("./rest/export-notes.ts")).exportPlugin(app, parts)],
  openapi: async () => (await import("./openapi.ts")).noteDescription,
  metrics: async () => (await import("./metrics.ts")).noteMetrics,
  queues: {
    due_notes: {
      name: "selo_due_notes",
      help: "Notes that wait for their reminder.",
      oldestHelp: "For how long the oldest of them has been due.",
    },
  },
  mails: async () => (await import("./mails.ts")).noteMails,
  sealedColumns: async () => {
    const { wordsPurpose } = await import("./words.ts");
    return [{ table: "notes.notes", column: "sealed_words", purpose: ({ id }) => wordsPurpose(String(id)) }];
  },
  commands: [
    { words: { note: "notes" }, load: async () => (await import("./commands/note-commands.ts")).addNoteCommands },
  ],
  tasks: {
    catch_up: {
      load: async () => (await import("./tasks/catch-up.ts")).catchUp,
      schedule: { at: "*/5 * * * *", attempts: 1 },
    },
    remind: { load: async () => (await import("./tasks/remind.ts")).remind },
  },
  beside: [async (context) => (await import("./tasks/watch-reminders.ts")).watchReminders(context)],
};
