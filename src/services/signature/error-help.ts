/** What a caller can do about the errors of proofs, documents and envelopes, for /guides/errors, as CommonMark. */
export const proofErrorHelp: Readonly<Record<string, string>> = {
  proof_not_found:
    "Look at the code, or at the file: one changed byte gives another digest. Test proofs are found by their code alone, never by a digest.",
  unprocessable_pdf:
    "The message names the reason. Save the document as a new PDF, without a password, with 1 to 2,000 pages, and upload the whole file. Selo repairs nothing: " +
    "a file that one reader repairs shows something else in another reader.",
  auth_method_not_allowed:
    "Leave `auth_method` out, or choose another one: every participant gets a one-time code. `email` is the default.",
  fields_not_allowed_in_report_placement:
    "Change `field_placement` of the draft to `fields` first, or send the envelope without fields: the evidence report then records each signature.",
};
