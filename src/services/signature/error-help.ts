/** What a caller can do about the errors of proofs, documents and envelopes, for /guides/errors, as CommonMark. */
export const proofErrorHelp: Readonly<Record<string, string>> = {
  proof_not_found:
    "Check the code or the file: one changed byte gives another digest. Test proofs can only be found by their code, never by a digest.",
  envelope_not_found:
    "Check the code. A digest finds only the sealed PDF of a completed live envelope, byte for byte. It does not find the document before the seal, or a copy that a program saved again.",
  unprocessable_pdf:
    "The message names the reason. A file that is validated keeps its signatures only as it is: ask who signed it for another copy. Otherwise, save the document as a new PDF, without a password, with 1 to 2,000 pages, and upload the whole file. Selo does not repair files, because a file that one reader repairs may look different in another reader.",
  auth_method_not_allowed:
    "Leave `auth_method` out, or choose another one: every participant gets a one-time code. `email` is the default.",
  fields_not_allowed_in_report_placement:
    "Change `field_placement` of the draft to `fields` first, or send the envelope without fields: the evidence report then records each signature.",
  envelope_not_sendable:
    "`fields` names each lack: add a document that is `ready`, a participant with the role `signatario`, and anything else that is named. The envelope is `ready` when nothing is missing.",
  auth_method_unavailable:
    "Choose `email`, `otp_email` or `cpf` where the deployment has no service for another method. Choose a modality other than `qualificada` where the deployment trusts no authorities of ICP-Brasil.",
  certificate_refused:
    "The message in `fields` begins with the reason. `chain`: choose a certificate that an authority of ICP-Brasil issued. `expired`: choose one that is valid. `usage`: choose the one for signatures. `key`: RSA of 2,048 bits or more, ECDSA P-256 or P-384. `cpf`: choose your own. `revoked`: ask its issuer for another one.",
  revocation_unknown: "The issuer of the certificate did not answer. Try again in some minutes.",
  insufficient_icp_credits:
    "Buy ICP-Brasil credits, or choose a modality other than `qualificada`. `POST /envelopes/{id}/calculate-cost` shows in advance what sending costs.",
  wrong_code:
    "Type the six digits of the newest mail or SMS. After five tries the code is used up, and a new one is needed.",
  factor_required:
    "`next` of `POST /signing/{participant_id}/session` says which factor the session asks for. `POST …/factor` takes it.",
  wrong_answer:
    "Check the number with the sender before the tries are used up: it may be wrong in the envelope. After the last try the link is locked until the sender reminds the participant.",
  session_expired:
    "A participant asks for a new code, and opens a new session with it, which lasts an hour. A person signs in again: a session of a person lasts 12 hours.",
  link_locked: "Ask the sender to remind the participant: the new mail has a new link.",
  not_your_turn: "Wait for the e-mail that says that it is the participant's turn.",
  template_participant_missing_recipient:
    "Name a recipient with a name and an e-mail address for each `order_index` in `fields`.",
  "plan_feature_required:bulk_send":
    "Apply the template to one recipient after the other, or change to plan Growth or a higher one.",
};
