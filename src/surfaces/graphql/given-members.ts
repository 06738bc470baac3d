/**
 * The members that were given. Null for a member that cannot be null counts as absent: GraphQL knows no other way to leave out a variable.
 * @param takesNull whether null is a value of the member, so that it says something else than nothing
 */
export function givenMembers(
  members: readonly (readonly [name: string, value: unknown])[],
  takesNull: (name: string) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(
    members.filter(([name, value]) => value !== undefined && (value !== null || takesNull(name))),
  );
}
