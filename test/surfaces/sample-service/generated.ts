// GENERATED from the database's catalog by this service's test: run it with -u. Do not edit.
export const commands = {
  attach_file: {
    name: "attach_file",
    schema: "gateway",
    scope: "notes:write",
    writes: true,
    arguments: { id: { type: "uuid", optional: false }, sha256: { type: "text", optional: false } },
  },
  create_note: {
    name: "create_note",
    schema: "api",
    scope: "notes:write",
    writes: true,
    arguments: { text: { type: "text", optional: false }, remind_at: { type: "timestamp with time zone", optional: true } },
  },
  get_note: {
    name: "get_note",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: { id: { type: "uuid", optional: false } },
  },
  get_reminder: {
    name: "get_reminder",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: { id: { type: "uuid", optional: false } },
  },
  list_notes: {
    name: "list_notes",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: { limit: { type: "integer", optional: true }, offset: { type: "integer", optional: true } },
  },
  list_reminders: {
    name: "list_reminders",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: { limit: { type: "integer", optional: true }, offset: { type: "integer", optional: true } },
  },
  read_words: {
    name: "read_words",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: { id: { type: "uuid", optional: false } },
  },
  seal_words: {
    name: "seal_words",
    schema: "gateway",
    scope: "notes:write",
    writes: true,
    arguments: { id: { type: "uuid", optional: false }, sealed_words: { type: "text", optional: false } },
  },
} as const;
