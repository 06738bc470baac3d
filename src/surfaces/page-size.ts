import { commands } from "../postgres/generated/commands.ts";

const { limit } = commands.list_audit_events.arguments;

/** The most rows of a page, as `platform.page` says, and the default, `platform.page_size`. */
export const PAGE_SIZE = { most: limit.maximum, preset: limit.default } as const;
