import { commands } from "../postgres/generated/commands.ts";

const { limit } = commands.list_audit_events.arguments;

/** The largest page, from `platform.page`, and the default page, from `platform.page_size`, in rows. */
export const PAGE_SIZE = { most: limit.maximum, preset: limit.default } as const;

/** The default page, in rows, of a list within an object that may hold any number of them: many such lists stand in one answer. */
export const PRESET_WITHIN = 20;
