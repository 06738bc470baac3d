import type { Parameter } from "../../../postgres/command.ts";

/** The description of a parameter with its limits, which GraphQL types cannot express. JSON Schema has keywords for them. */
export function wordsOf(parameter: Omit<Parameter, "type" | "optional">): string {
  const { description, minLength, maxLength, minItems = 0, maxItems, minimum, maximum, default: preset } = parameter;
  const limits = [
    ...(parameter.enum === undefined ? [] : [`One of ${parameter.enum.join(", ")}.`]),
    // The words of a pattern state the length of the text.
    ...(maxLength === undefined || parameter.pattern !== undefined
      ? []
      : [`${minLength === undefined ? "Up to" : `${minLength} to`} ${maxLength} characters.`]),
    ...(maxItems === undefined ? [] : [`${minItems} to ${maxItems} entries.`]),
    ...(maximum === undefined
      ? []
      : [`${minimum ?? "Up"} to ${maximum}${preset === undefined ? "" : `, ${preset} by default`}.`]),
  ];
  return [...(description === undefined ? [] : [description]), ...limits].join(" ");
}
