/** The word for what a participant did, which depends on the role. Null for a status without such a word. */
export function actOf(
  acts: Readonly<Record<string, string>>,
  { status, role }: { readonly status: string; readonly role: string },
): string | null {
  return acts[`${status} ${role}`] ?? acts[status] ?? null;
}
