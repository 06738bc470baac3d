/**
 * Merges several objects into one.
 * @param what the kind of the members, for the error message
 * @throws Error when two objects have a member of the same name
 */
export function joined<Value>(parts: readonly Readonly<Record<string, Value>>[], what: string): Record<string, Value> {
  const all: Record<string, Value> = {};
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (Object.hasOwn(all, name)) throw new Error(`two services have ${what} ${name}`);
    all[name] = value;
  }
  return all;
}
