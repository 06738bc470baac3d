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
      id: {"type":"uuid","optional":false,"description":"The id of the note."},
      fields: {"type":"text[]","optional":true,"items":{"enum":["id","text","file_sha256","has_words","remind_at","reminded_at","created_at"]},"maxItems":7,"minItems":1,"description":"Only these members of the answer."},
    },
  },
  get_reminder: {
    name: "get_reminder",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The id of the reminder."},
      fields: {"type":"text[]","optional":true,"items":{"enum":["id","note_id","sent_at"]},"maxItems":3,"minItems":1,"description":"Only these members of the answer."},
    },
  },
  keep_recording: {
    name: "keep_recording",
    schema: "gateway",
    scope: "notes:write",
    writes: true,
    arguments: {
      id: {"type":"uuid","optional":false,"description":"The note."},
      object_id: {"type":"uuid","optional":false},
      sha256: {"type":"text","optional":false},
      title: {"type":"text","optional":true,"maxLength":200,"minLength":1,"description":"Words in place of those of the note."},
    },
  },
  list_notes: {
    name: "list_notes",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: {
      fields: {"type":"text[]","optional":true,"items":{"enum":["id","text","file_sha256","has_words","remind_at","reminded_at","created_at"]},"maxItems":7,"minItems":1,"description":"Only these members of each item."},
      cursor: {"type":"text","optional":true,"format":"cursor","maxLength":200,"description":"The `next_cursor` of a page. The answer is the page after that page, without `total` and `offset`. The address in the header `Link` already has this value. Every page costs the same. Items that are added meanwhile do not shift the pages."},
      limit: {"type":"integer","optional":true,"default":50,"maximum":200,"minimum":1,"nullable":false,"description":"Maximum number of items in the page."},
      offset: {"type":"integer","optional":true,"default":0,"maximum":2147483647,"minimum":0,"nullable":false,"description":"Number of items to skip."},
    },
  },
  list_reminders: {
    name: "list_reminders",
    schema: "gateway",
    scope: "notes:read",
    writes: false,
    arguments: {
      from: {"type":"timestamp with time zone","optional":true,"description":"Only items at or after this instant."},
      to: {"type":"timestamp with time zone","optional":true,"description":"Only items before this instant."},
      fields: {"type":"text[]","optional":true,"items":{"enum":["id","note_id","sent_at"]},"maxItems":3,"minItems":1,"description":"Only these members of each item."},
      cursor: {"type":"text","optional":true,"format":"cursor","maxLength":200,"description":"The `next_cursor` of a page. The answer is the page after that page, without `total` and `offset`. The address in the header `Link` already has this value. Every page costs the same. Items that are added meanwhile do not shift the pages."},
      limit: {"type":"integer","optional":true,"default":50,"maximum":200,"minimum":1,"nullable":false,"description":"Maximum number of items in the page."},
      offset: {"type":"integer","optional":true,"default":0,"maximum":2147483647,"minimum":0,"nullable":false,"description":"Number of items to skip."},
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
