import { commands } from "../postgres/generated/commands.ts";

const { limit } = commands.list_audit_events.arguments;

/** The most rows of a page, as `platform.page` says, and the default, as every list declares it. */
export const PAGE_SIZE = { most: limit.maximum, preset: limit.default } as const;
