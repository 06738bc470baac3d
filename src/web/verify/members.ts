import type { Member, VerifyWords } from "./words.ts";

const KNOWN: Readonly<Record<string, Member>> = {
  registered_at: "registered_at",
  organization: "organization",
  label: "label",
  file_name: "file_name",
  file_size: "file_size",
  sha256: "sha256",
  verification_code: "verification_code",
  key_id: "keys",
  pq_key_id: "keys",
  signatures: "signatures",
};

/** Members of evidence, each as one that the page has words for. A forger's evidence may have members of any name. */
export function knownMembers(names: readonly string[]): Member[] {
  return [...new Set(names.map((name) => (Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined) ?? "other"))];
}

/** "date and time, description": without "and", because some of the names have one. */
export function listed(members: readonly Member[], words: VerifyWords): string {
  return members.map((member) => words.members[member]).join(", ");
}
