/**
 * The members of several objects in one.
 * @param what the members are, for the message
 * @throws Error when two have a member of one name
 */
export function joined<Value>(parts: readonly Readonly<Record<string, Value>>[], what: string): Record<string, Value> {
  const all: Record<string, Value> = {};
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (Object.hasOwn(all, name)) throw new Error(`two services have ${what} ${name}`);
    all[name] = value;
  }
  return all;
}
