import type { Parameter } from "../../../postgres/command.ts";

/** What a parameter is, with its limits, which types of GraphQL do not say. A JSON Schema has the same keywords. */
export function wordsOf(parameter: Omit<Parameter, "type" | "optional">): string {
  const { description, minLength, maxLength, minItems = 0, maxItems, minimum, maximum, default: preset } = parameter;
  const limits = [
    ...(parameter.enum === undefined ? [] : [`One of ${parameter.enum.join(", ")}.`]),
    // The words of a pattern say how long a text is.
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
