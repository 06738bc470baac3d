import type { Field } from "./fields.ts";
import { fillIn } from "./fill-in.ts";
import type { ReaderWords } from "./words.ts";

/** What a field is called: by the sender, else by what it is and where it lies. */
export const fieldName = (
  { label, type, page }: Pick<Field, "label" | "type" | "page">,
  { panel }: ReaderWords,
): string => label ?? fillIn(panel.types[type], { page });
