import { INSTANT, SHA256, UUID } from "../../../surfaces/openapi/members.ts";
import { propertiesOf } from "../../../surfaces/openapi/resources.ts";
import { objectOf, orNull, type Schema } from "../../../surfaces/openapi/schema.ts";

export const signingTags: Readonly<Record<string, string>> = {
  Signing:
    "A participant signs in with the link of the invitation and a one-time code, reads the documents, and acts. The limit of requests from an address counts only wrong links.",
};

const text = (description: string, more: Schema = {}): Schema => ({ type: "string", description, ...more });
const nullable = (schema: Schema, description: string): Schema => ({ ...orNull(schema), description });

const ATTACHMENT_TYPES = ["application/pdf", "image/png", "image/jpeg"];

/** What a field of another participant would show stays away: a participant sees its own fields. */
const signingField = (field: Schema): Schema => {
  const { participant_id: _, ...own } = propertiesOf(field) as Record<string, Schema>;
  return objectOf({
    ...own,
    attachment: nullable(
      objectOf({
        filename: text("File name."),
        size: { type: "integer", minimum: 1, description: "Size in bytes." },
        type: text("What the first bytes of the file say.", { enum: ATTACHMENT_TYPES }),
      }),
      "The file that the participant delivered for a field of type anexo. Null without one.",
    ),
    value: {
      type: ["string", "boolean", "null"],
      description: "What the participant filled in. Null before the participant has finished.",
    },
  });
};

/** Schemas of answers to the signing page. @param field the row of a field */
export const signingSchemas = (field: Schema): Readonly<Record<string, Schema>> => ({
  Signing: {
    description: "What a signing link is for.",
    ...objectOf({
      organization: text("Name of the organization that sent the envelope."),
      contact: nullable(
        { type: "string" },
        "The organization's e-mail address, which gets replies to its mails. Null if there is none: nobody reads replies then.",
      ),
      environment: text("live or test. In test, nothing is binding.", { enum: ["live", "test"] }),
      title: text("Title of the envelope."),
      message: nullable({ type: "string" }, "Message from the sender."),
      status: text("Status of the envelope."),
      language: text("Language in which the participant reads.", { enum: ["en", "pt-BR"] }),
      turn: text(
        "`yes`: the participant may act. `not_yet`: others act first. `done`: the participant has finished or declined. `over`: the envelope has ended, or its deadline has passed.",
        { enum: ["yes", "not_yet", "done", "over"] },
      ),
      single_signer: { type: "boolean", description: "Whether only one participant acts, apart from observers." },
      participant: {
        description: "The participant.",
        ...objectOf({
          name: text("Name."),
          role: text("signatario, aprovador, observador or testemunha."),
          modality: text("simples, avancada or qualificada."),
          status: text("Status of the participant."),
          cpf: nullable({ type: "string" }, "The CPF, masked. Null if it is unknown, and without a session."),
        }),
      },
      sent_to: text("Where codes go, masked: the e-mail address, or with `auth_method` otp_sms the telephone number."),
      mails_to: text("The masked e-mail address, to which the copy goes."),
      steps: {
        type: "array",
        description:
          "The steps of signing in, in order. `code`: a one-time code opens a session. `cpf`, `kba`, `identity_match`: the second factor of the session. `certificate`: the link alone opens a session, and the participant signs with a certificate.",
        items: { type: "string", enum: ["code", "cpf", "kba", "identity_match", "certificate"] },
      },
      delegation: nullable(
        objectOf({
          needs: {
            type: "array",
            description: "The numbers of the other person that are needed: `cpf`, `phone`.",
            items: { type: "string", enum: ["cpf", "phone"] },
          },
        }),
        "What handing the turn to somebody else takes. Null where it cannot be passed on.",
      ),
      verification_code: nullable(
        { type: "string" },
        "The public code under which anyone verifies the envelope. Null without a session.",
      ),
      consent: {
        description: "What the participant agrees to by acting.",
        ...objectOf({
          version: text("Version of the text."),
          text: text("The text."),
          sha256: { ...SHA256, description: "SHA-256 of the text as UTF-8." },
        }),
      },
      documents: nullable(
        {
          type: "array",
          items: objectOf({
            id: { ...UUID, description: "The document." },
            filename: text("File name."),
            pages: { type: "integer", minimum: 1, description: "Number of pages." },
            page_sizes: {
              type: "array",
              description: "Size of each page as it is displayed, in points of 1/72 inch.",
              items: objectOf({ width: { type: "number" }, height: { type: "number" } }),
            },
            sha256: { ...SHA256, description: "SHA-256 of the document as it was sent." },
            final_sha256: nullable(SHA256, "SHA-256 of the sealed document. Null before completion."),
          }),
        },
        "The documents, in order. Null without a session.",
      ),
      fields: nullable(
        { type: "array", items: signingField(field) },
        "The fields of the participant. Null without a session.",
      ),
    }),
  },
  DeliveredFile: {
    description: "A file that the participant delivered.",
    ...objectOf({
      field_id: { ...UUID, description: "The field." },
      filename: text("File name."),
      size: { type: "integer", minimum: 1, description: "Size in bytes." },
      sha256: { ...SHA256, description: "SHA-256 of the file." },
      type: text("What the first bytes of the file say.", { enum: ATTACHMENT_TYPES }),
    }),
  },
  SigningCode: {
    description: "The one-time code that was sent.",
    ...objectOf({
      sent_to: text("Where the code goes, masked: an e-mail address, or a telephone number."),
      expires_at: { ...INSTANT, description: "When the code expires (UTC)." },
      tries_left: { type: "integer", minimum: 0, maximum: 5, description: "Tries that this code has left." },
      sends_left: {
        type: "integer",
        minimum: 0,
        maximum: 4,
        description: "Codes that can still be sent within the hour.",
      },
    }),
  },
  SigningSession: {
    description: "A session of a participant.",
    ...objectOf(
      {
        token: text(
          "Token of the session, a secret. It is shown only once: an answer that an Idempotency-Key repeats does not contain it.",
          { pattern: "^[A-Za-z0-9_-]{43}$" },
        ),
        expires_at: { ...INSTANT, description: "When the session ends (UTC)." },
        next: {
          enum: ["cpf", "kba", "identity_match", "certificate", null],
          description:
            "What comes next: the second factor of the session, which `/factor` takes, or `certificate` before a participant has signed with one. Null when signing in is complete.",
        },
      },
      ["token"],
    ),
  },
  SigningQuestions: {
    description: "What the second factor of a session asks.",
    ...objectOf({
      next: {
        enum: ["cpf", "kba", "identity_match", null],
        description: "The second factor. Null once the session has passed it.",
      },
      tries_left: { type: "integer", minimum: 0, maximum: 5, description: "Tries that the link has left." },
      questions: nullable(
        {
          type: "array",
          items: objectOf({
            id: text("The question."),
            text: text("What is asked."),
            choices: { type: "array", description: "One of them is the answer.", items: { type: "string" } },
          }),
        },
        "Questions about the participant, in order. Null unless the factor is `kba`.",
      ),
    }),
  },
  SigningFactor: {
    description: "The second factor was passed.",
    ...objectOf({ next: { enum: [null], description: "What comes next: nothing, signing in is complete." } }),
  },
  SigningCertificate: {
    description: "What a participant signs with the private key of a certificate.",
    ...objectOf({
      to_sign: {
        type: "array",
        description: "One for each document, in order.",
        items: objectOf({
          document_id: { ...UUID, description: "The document." },
          digest: text("SHA-256 of `signed_attributes`.", { contentEncoding: "base64" }),
          signed_attributes: text("What is signed: DER.", { contentEncoding: "base64" }),
          algorithm: text("How it is signed.", { enum: ["RSASSA-PKCS1-v1_5-SHA256", "ECDSA-SHA256"] }),
        }),
      },
      certificate: {
        description: "What the certificate says.",
        ...objectOf({
          name: text("Name of its owner; in the certificate of a legal entity, of who answers for it."),
          cpf: nullable({ type: "string" }, "The CPF, masked. Null if there is none."),
          issuer: text("Name of its issuer."),
          not_after: { ...INSTANT, description: "When it expires (UTC)." },
        }),
      },
      expires_at: { ...INSTANT, description: "Until when the signatures are accepted (UTC): ten minutes." },
    }),
  },
  SigningDelegated: {
    description: "The turn is that of somebody else now.",
    ...objectOf({
      status: text("Status of the participant, who is the other person now.", { enum: ["invited"] }),
      completed_at: { type: "null", description: "Null: the other person has not acted." },
    }),
  },
  SigningDone: {
    description: "What the participant did.",
    ...objectOf({
      status: text("Status of the participant: completed or declined.", { enum: ["completed", "declined"] }),
      completed_at: nullable(INSTANT, "When the participant finished (UTC). Null for a participant who declined."),
      consent_version: nullable(
        { type: "string" },
        "Version of the text that the participant agreed to. Null for a participant who declined.",
      ),
    }),
  },
});
