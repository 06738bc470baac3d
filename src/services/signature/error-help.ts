/** What a caller can do about the errors of proofs and documents, for /guides/errors, as CommonMark. */
export const proofErrorHelp: Readonly<Record<string, string>> = {
  proof_not_found:
    "Look at the code, or at the file: one changed byte gives another digest. Test proofs are found by their code alone, never by a digest.",
  unprocessable_pdf:
    "The message names the reason. Save the document as a new PDF, without a password, with 1 to 2,000 pages, and upload the whole file. Selo repairs nothing: " +
    "a file that one reader repairs shows something else in another reader.",
};
