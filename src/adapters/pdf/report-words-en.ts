/** What a step names. */
export interface Named {
  /** The participant whom it is about. */
  readonly name: string;
  /** The document that it is about. */
  readonly file: string;
  /** Whether a reminder replaced the link. Those whose events do not say so did. */
  readonly isLinkNew: boolean;
  /** Who was in the place of the participant, and who came, with their addresses. */
  readonly before: string;
  readonly after: string;
}

/** A sentence for each of some names; `other` for a name that is not among them. */
type Sentences<Argument extends unknown[] = []> = Readonly<Record<string, (...given: Argument) => string>>;

export interface ReportWords {
  readonly title: string;
  readonly testNotice: string;
  readonly attachment: string;
  readonly page: (page: number, pages: number) => string;
  readonly organization: string;
  readonly envelope: string;
  readonly status: string;
  readonly sent: string;
  readonly deadline: string;
  readonly completed: string;
  /** The state of the envelope, plainly. */
  readonly states: Readonly<Record<string, string>>;
  readonly documents: string;
  readonly pages: (count: number) => string;
  readonly before: string;
  readonly after: string;
  readonly noFinal: string;
  readonly participants: string;
  readonly email: string;
  readonly role: string;
  readonly roles: Readonly<Record<string, string>>;
  readonly modality: string;
  /** What each modality binds. */
  readonly modalities: Readonly<Record<string, string>>;
  readonly participantStates: Readonly<Record<string, string>>;
  readonly reason: string;
  readonly identified: string;
  readonly methods: Sentences<[at: string, reference: string]>;
  readonly certificate: string;
  readonly issuedBy: (issuer: string) => string;
  readonly otherName: string;
  readonly notRevoked: string;
  readonly notChecked: string;
  readonly consent: string;
  readonly consentOf: (version: string, language: string) => string;
  readonly actions: Readonly<Record<string, string>>;
  readonly signature: string;
  readonly drawn: (name: string) => string;
  readonly values: string;
  readonly fieldTypes: Readonly<Record<string, string>>;
  readonly fileSize: (bytes: number) => string;
  readonly place: (file: string, page: number) => string;
  readonly ticked: string;
  readonly notTicked: string;
  readonly record: string;
  readonly consents: string;
  readonly aboutConsents: string;
  readonly history: string;
  readonly aboutHistory: string;
  readonly by: string;
  readonly actors: Readonly<Record<string, string>>;
  readonly steps: Sentences<[Named]>;
  readonly removed: string;
  /** Instead of a name, an address or a value. */
  readonly erased: string;
  readonly personalData: string;
  readonly erasedOn: (at: string) => string;
  readonly head: (length: number) => string;
  readonly signatures: string;
  readonly aboutSignatures: string;
  readonly notSigned: string;
  readonly completionDigest: string;
  readonly key: (algorithm: string) => string;
  readonly digestOf: (algorithm: string) => string;
  readonly timeStamps: string;
  readonly stamped: string;
  readonly howToVerify: string;
  readonly instructions: readonly string[];
}

export const reportWordsInEnglish: ReportWords = {
  title: "Evidence report",
  testNotice: "Made in the test environment: it proves nothing.",
  attachment: "Signed evidence, signatures, keys and events of this envelope",
  page: (page, pages) => `Page ${page} of ${pages}`,
  organization: "Sent by",
  envelope: "Envelope",
  status: "State",
  sent: "Sent",
  deadline: "Deadline",
  completed: "Completed",
  states: {
    sent: "Not completed: nobody has opened the documents yet.",
    in_progress: "Not completed: participants still have to act.",
    partially_signed: "Not completed: some participants have finished, and not all.",
    completed: "Completed: all participants have finished.",
    declined: "Not completed: a participant declined.",
    expired: "Not completed: the deadline passed first.",
    cancelled: "Not completed: the sender cancelled the envelope.",
    failed:
      "Not completed: all participants have finished, and the final documents could not be made. They still can be.",
  },
  documents: "Documents",
  pages: (count) => (count === 1 ? "1 page" : `${count} pages`),
  before: "Fingerprint (SHA-256) as sent",
  after: "Fingerprint (SHA-256) of the final document",
  noFinal: "there is no final document yet",
  participants: "Participants",
  email: "E-mail",
  role: "Role",
  roles: { signatario: "Signer", aprovador: "Approver", observador: "Observer", testemunha: "Witness" },
  modality: "Kind of signature",
  modalities: {
    simples:
      "Simple electronic signature. It binds the participant's identity, as given by the sender and confirmed below, to the documents with these fingerprints.",
    avancada:
      "Advanced electronic signature. It binds the act to the participant alone, by means that the parties accept, and any later change of the documents shows.",
    qualificada:
      "Qualified electronic signature. It binds the act to the holder of a qualified certificate, and any later change of the documents shows.",
  },
  participantStates: {
    pending: "Not invited",
    invited: "Invited; has not opened the documents",
    viewed: "Has opened the documents; has not finished",
    completed: "Has finished",
    declined: "Declined",
  },
  reason: "Reason given",
  identified: "Authenticated by",
  methods: {
    otp_email: (at) => `One-time code sent to the e-mail address above, given on ${at}`,
    otp_sms: (at) => `One-time code sent by SMS to the telephone number that the sender gave, typed on ${at}`,
    cpf: (at) => `The CPF that the sender gave, typed on ${at}`,
    kba: (at, reference) => `Questions about the person, answered on ${at}; the provider calls this ${reference}`,
    identity_match: (at, reference) =>
      `Name and number compared with an identity provider on ${at}; the provider calls this ${reference}`,
    icp_brasil: (at) =>
      `The participant's own ICP-Brasil certificate, with which the documents were signed, sent on ${at}`,
  },
  certificate: "Certificate",
  issuedBy: (issuer) => `Issued by ${issuer}`,
  otherName: "The certificate has another name than the one that the sender gave.",
  notRevoked: "When it signed, its issuer said that it was not revoked.",
  notChecked: "Whether it was revoked was not checked (not_checked).",
  consent: "Agreed to",
  consentOf: (version, language) => `Text ${version} (${language}); its words are below. SHA-256:`,
  actions: { signed: "Signed", approved: "Approved", witnessed: "Witnessed" },
  signature: "Signature",
  drawn: (name) => `Signature that ${name} drew`,
  values: "Values given",
  fieldTypes: {
    nome: "Name",
    cpf: "CPF",
    cargo: "Position",
    empresa: "Company",
    data: "Date",
    texto: "Text",
    checkbox: "Box",
    numero: "Number",
    calculado: "Calculated",
    anexo: "File",
  },
  fileSize: (bytes) => `${bytes.toLocaleString("en-US")} bytes. SHA-256:`,
  place: (file, page) => `${file}, page ${page}`,
  ticked: "ticked",
  notTicked: "not ticked",
  record: "Signed record",
  consents: "What participants agreed to",
  aboutConsents: "Each participant read this text before acting. The SHA-256 is over its UTF-8 bytes.",
  history: "Every step",
  aboutHistory:
    "Each event contains the fingerprint of the event before it, so none can be changed, left out or added in between unnoticed.",
  by: "by",
  actors: {
    token: "the sender, through the API",
    user: "the sender",
    participant: "a participant",
    system: "the platform",
    operator: "the platform's operator",
  },
  steps: {
    "envelope.created": () => "Envelope created",
    "envelope.changed": () => "Envelope changed",
    "envelope.settled": () => "Checked whether the draft can be sent",
    "envelope.document_added": ({ file }) => `Document added: ${file}`,
    "envelope.document_moved": ({ file }) => `Document moved: ${file}`,
    "envelope.document_removed": ({ file }) => `Document removed: ${file}`,
    "envelope.participant_added": ({ name }) => `Participant added: ${name}`,
    "envelope.participant_changed": ({ name }) => `Participant changed: ${name}`,
    "envelope.participant_removed": ({ name }) => `Participant removed: ${name}`,
    "envelope.field_added": ({ name }) => `Field added for ${name}`,
    "envelope.field_changed": () => "Field changed",
    "envelope.field_removed": () => "Field removed",
    "envelope.sent": () => "Envelope sent",
    "envelope.participant_invited": ({ name }) => `Invitation to ${name}`,
    "envelope.participant_reminded": ({ name, isLinkNew }) =>
      isLinkNew ? `Reminder to ${name}, with a new link; earlier links ended` : `Reminder to ${name}`,
    "envelope.invitation_failed": ({ name }) => `The mail to ${name} could not be delivered`,
    "envelope.invitation_delivered": ({ name }) => `The mail to ${name} was delivered after all`,
    "envelope.link_mailed": ({ name }) => `The link was mailed again to ${name}`,
    "envelope.code_sent": ({ name }) => `One-time code sent to ${name}`,
    "envelope.code_refused": ({ name }) => `A wrong code was given with the link of ${name}`,
    "envelope.link_locked": ({ name }) => `The link of ${name} was locked after too many wrong codes or answers`,
    "envelope.participant_authenticated": ({ name }) => `${name} gave the right code`,
    "envelope.factor_passed": ({ name }) => `${name} passed the second factor`,
    "envelope.factor_refused": ({ name }) => `A wrong answer to the second factor was given with the link of ${name}`,
    "envelope.link_opened": ({ name }) => `The link of ${name} was opened; the certificate authenticates`,
    "envelope.certificate_given": ({ name }) => `A certificate was sent with the link of ${name}`,
    "envelope.viewed": ({ name }) => `${name} opened the documents`,
    "envelope.attachment_delivered": ({ name }) => `${name} delivered a file`,
    "envelope.participant_signed": ({ name }) => `${name} agreed and finished`,
    "envelope.participant_replaced": ({ before, after }) =>
      `Participant ${before} replaced by ${after}, with a new link; earlier links ended`,
    "envelope.participant_delegated": ({ before, after }) =>
      `${before} handed the turn to ${after}, with a new link; earlier links ended`,
    "envelope.participant_erased": () => "The personal data of a participant was erased",
    "envelope.participant_declined": ({ name }) => `${name} declined`,
    "envelope.declined": () => "Envelope ended: declined",
    "envelope.expired": () => "Envelope ended: the deadline passed",
    "envelope.cancelled": () => "Envelope ended: cancelled by the sender",
    "envelope.failed": () => "The final documents could not be made; this can be repeated",
    "envelope.completed": () => "Final documents signed by the platform; envelope completed",
  },
  removed: "(removed before sending)",
  erased: "(erased)",
  personalData: "Personal data",
  erasedOn: (at) =>
    `Name, e-mail, signature and values were erased on ${at}. The signed record still has their fingerprints.`,
  head: (length) => `Head of the chain, after ${length} events (SHA-256)`,
  signatures: "Signatures of the platform",
  aboutSignatures:
    "Two signatures, Ed25519 (RFC 8032) and ML-DSA-87 (FIPS 204), both required, cover the evidence of the completion and of each participant. They stand whole in the attachment evidence.json. This report and the final documents also have a PDF signature.",
  notSigned:
    "The platform signs the completion when all participants have finished. What each of them signed is in the attachment.",
  completionDigest: "SHA-256 of the evidence of the completion",
  key: (algorithm) => `Key, ${algorithm}`,
  digestOf: (algorithm) => `SHA-256 of the signature, ${algorithm}`,
  timeStamps: "Time stamps",
  stamped: "Each final document has one of another party in its PDF signature (RFC 3161); the platform checked it.",
  howToVerify: "How to verify",
  instructions: [
    "Open the address above, or point your phone at the QR code, and compare the fingerprints. Drop a final document there: it never leaves your device.",
    "Without a network: take evidence.json out of this PDF (pdfdetach -saveall FILE.pdf), and check each signature over the UTF-8 bytes of its payload with the keys that you got from the platform before.",
    "Compare the fingerprints of your files with this report: sha256sum FILE.pdf.",
    "The signature of this PDF: pdfsig FILE.pdf, or any reader that shows signatures.",
  ],
};
