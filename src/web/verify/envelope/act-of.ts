/** What a participant did, in the word of the role where it has one of its own. Null for a status without words. */
export function actOf(
  acts: Readonly<Record<string, string>>,
  { status, role }: { readonly status: string; readonly role: string },
): string | null {
  return acts[`${status} ${role}`] ?? acts[status] ?? null;
}
