import type { Service } from "../../../src/services/service.ts";
import { services } from "../../../src/services/services.ts";
import type { Compress } from "./compress.ts";
import { notes } from "./service.ts";

/** The product's services and notes, with this function for compressing. */
export const withCompress = (compress: Compress): readonly Service[] => [
  ...services,
  { ...notes, parts: async (common, context) => ({ ...(await notes.parts?.(common, context)), compress }) },
];
