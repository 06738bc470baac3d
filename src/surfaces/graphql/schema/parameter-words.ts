import type { Parameter } from "../../../postgres/command.ts";

/** What a parameter of a command is, with its limits, which types of GraphQL do not say. */
export function wordsOf(parameter: Parameter): string {
  const { description, minLength, maxLength, minItems = 0, maxItems, minimum, maximum, default: preset } = parameter;
  const limits = [
    ...(parameter.enum === undefined ? [] : [`One of ${parameter.enum.join(", ")}.`]),
    ...(maxLength === undefined
      ? []
      : [`${minLength === undefined ? "Up to" : `${minLength} to`} ${maxLength} characters.`]),
    ...(maxItems === undefined ? [] : [`${minItems} to ${maxItems} entries.`]),
    ...(maximum === undefined
      ? []
      : [`${minimum ?? "Up"} to ${maximum}${preset === undefined ? "" : `, ${preset} by default`}.`]),
  ];
  return [...(description === undefined ? [] : [description]), ...limits].join(" ");
}
