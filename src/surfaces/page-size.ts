import { commands } from "../postgres/generated/commands.ts";

const { limit } = commands.list_audit_events.arguments;

/** Of every list: the most rows of a page, and how many it has unless asked otherwise; `platform.page` says both. */
export const PAGE_SIZE = { most: limit.maximum, preset: limit.default } as const;
