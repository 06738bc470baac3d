/** What a caller can do about the errors of proofs, for /guides/errors, as CommonMark. */
export const proofErrorHelp: Readonly<Record<string, string>> = {
  proof_not_found:
    "Look at the code, or at the file: one changed byte gives another digest. Test proofs are found by their code alone, never by a digest.",
};
