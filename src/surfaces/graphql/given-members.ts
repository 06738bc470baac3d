/**
 * The given members. Null for a member that cannot be null counts as absent, because GraphQL has no other way to leave out a variable.
 * @param takesNull whether null is a value of the member, with a meaning other than absence
 */
export function givenMembers(
  members: readonly (readonly [name: string, value: unknown])[],
  takesNull: (name: string) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(
    members.filter(([name, value]) => value !== undefined && (value !== null || takesNull(name))),
  );
}
