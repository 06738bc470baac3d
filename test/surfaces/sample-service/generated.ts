// GENERATED from the database's catalog by this service's test: run it with -u. Do not edit.
export const commands = {
  attach_file: {
    name: "attach_file",
    schema: "gateway",
    scope: "notes:write",
    writes: true,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The note."},
      file: {"type":"text","optional":false},
    },
  },
  change_note: {
    name: "change_note",
    schema: "api",
    scope: "notes:write",
    writes: true,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The note."},
      text: {"type":"text","optional":false,"maxLength":200,"minLength":1,"description":"Its new words."},
    },
  },
  clear_reminder: {
    name: "clear_reminder",
    schema: "api",
    scope: "notes:write",
    writes: true,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The note."},
    },
  },
  create_note: {
    name: "create_note",
    schema: "api",
    scope: "notes:write",
    writes: true,
    arguments: {
      text: {"type":"text","optional":false,"maxLength":200,"minLength":1,"description":"Its words."},
      remind_at: {"type":"timestamp with time zone","optional":true,"description":"When the organization's contact is reminded of it; never unless given."},
    },
  },
  get_note: {
    name: "get_note",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The note."},
      fields: {"type":"text[]","optional":true,"items":{"enum":["id","text","file_sha256","has_words","remind_at","reminded_at","created_at"]},"maxItems":7,"minItems":1,"description":"Only these members of it."},
    },
  },
  get_reminder: {
    name: "get_reminder",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The reminder."},
      fields: {"type":"text[]","optional":true,"items":{"enum":["id","note_id","sent_at"]},"maxItems":3,"minItems":1,"description":"Only these members of it."},
    },
  },
  list_notes: {
    name: "list_notes",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: {
      fields: {"type":"text[]","optional":true,"items":{"enum":["id","text","file_sha256","has_words","remind_at","reminded_at","created_at"]},"maxItems":7,"minItems":1,"description":"Only these members of each item."},
      cursor: {"type":"text","optional":true,"format":"cursor","maxLength":200,"description":"Only what follows a page: the `next_cursor` of that page, or the address in its `Link`. The answer has no `total` and no `offset`. Every page costs the same, and rows that are added meanwhile move nothing."},
      limit: {"type":"integer","optional":true,"default":50,"maximum":200,"minimum":1,"nullable":false,"description":"How many at most."},
      offset: {"type":"integer","optional":true,"default":0,"maximum":2147483647,"minimum":0,"nullable":false,"description":"How many to skip."},
    },
  },
  list_reminders: {
    name: "list_reminders",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: {
      from: {"type":"timestamp with time zone","optional":true,"description":"Only what came at or after this instant."},
      to: {"type":"timestamp with time zone","optional":true,"description":"Only what came before this instant."},
      fields: {"type":"text[]","optional":true,"items":{"enum":["id","note_id","sent_at"]},"maxItems":3,"minItems":1,"description":"Only these members of each item."},
      cursor: {"type":"text","optional":true,"format":"cursor","maxLength":200,"description":"Only what follows a page: the `next_cursor` of that page, or the address in its `Link`. The answer has no `total` and no `offset`. Every page costs the same, and rows that are added meanwhile move nothing."},
      limit: {"type":"integer","optional":true,"default":50,"maximum":200,"minimum":1,"nullable":false,"description":"How many at most."},
      offset: {"type":"integer","optional":true,"default":0,"maximum":2147483647,"minimum":0,"nullable":false,"description":"How many to skip."},
    },
  },
  note_limit: {
    name: "note_limit",
    schema: "gateway",
    scope: null,
    writes: false,
    arguments: {},
  },
  prepare_archive: {
    name: "prepare_archive",
    schema: "gateway",
    scope: "notes:write",
    writes: false,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The note."},
    },
  },
  read_note_file: {
    name: "read_note_file",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The note."},
      start: {"type":"integer","optional":true,"default":0},
      length: {"type":"integer","optional":true,"default":0},
    },
  },
  read_words: {
    name: "read_words",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The note."},
    },
  },
  seal_words: {
    name: "seal_words",
    schema: "gateway",
    scope: "notes:write",
    writes: true,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The note."},
      sealed_words: {"type":"text","optional":false},
    },
  },
} as const;
