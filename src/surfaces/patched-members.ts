/** The names of the members that a PATCH gives: null removes a value, and an absent member leaves it as it is. */
export const patchedMembers = (input: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(input).flatMap(([name, value]) => (name === "id" || value === undefined ? [] : [name]));
