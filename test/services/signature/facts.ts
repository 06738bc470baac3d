import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { signingSurface } from "../../../src/services/signature/signing/signing-surface.ts";
import { UNKNOWN_ID } from "../../../src/surfaces/openapi/examples/files.ts";
import { call } from "../../support/rest-client.ts";
import type { ServiceFacts } from "../../support/service-facts.ts";
import { sampleMails } from "./sample-mails.ts";

const LIST_OF_50 = { at: [[], Array(50).fill({})], beyond: [Array(51).fill({}), ["x"], "x", {}] };
/** A digest as people paste it. */
const PASTED = {
  at: ["AB ".repeat(32), "ab".repeat(32).padEnd(500)],
  beyond: ["ab".repeat(32).padEnd(501), "ab", "", null],
};
const COLOR = { at: ["#00ffAA", null], beyond: ["#00ffaa0", "#00ff0", "00ffaa", "red", ""] };
const labelIds = (count: number) => Array.from({ length: count }, () => randomUUID());

const providerFacts = {
  taken: [
    ["https://provider.example/ask?x=1", "https://provider.example/ask?x=1"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080/ask", "http://[::1]:8080/ask"],
  ],
  refused: [
    ["http://provider.example"],
    ["https://name:secret@provider.example"],
    ["ftp://127.0.0.1"],
    ["http://127.0.0.1.example"],
    ["provider.example"],
  ],
} as const;

const tokenFacts = { taken: [["a.b-c=", "a.b-c="]], refused: [["a b"], ["ä"]] } as const;

export const facts: ServiceFacts = {
  rows: () => import("./rows.ts"),
  isolation: async () => (await import("./isolation.ts")).isolation,
  surfaces: [
    {
      surface: signingSurface,
      credentials: async (selo, { id: tenantId, live: token }) => {
        const { aSession, sentWith } = await import("./completion-stage.ts");
        const stage = { selo, tenantId, token, environment: "live" } as const;
        const { links } = await sentWith(stage);
        return { "x-signing-link": links[0].secret, "x-signing-session": await aSession(stage, links[0]) };
      },
    },
  ],
  operations: {
    // What cannot be a code is the code of no proof and of no envelope.
    getPublicProof: { wrongValue: "proof_not_found" },
    getPublicEnvelope: { wrongValue: "envelope_not_found" },
    mailSigningLink: { answersAlways: true },
    verifyPublicProof: { rules: { sha256: PASTED } },
    verifyPublicEnvelope: { rules: { sha256: PASTED } },
    createTemplate: { rules: { participants: LIST_OF_50 } },
    updateTemplate: { rules: { participants: LIST_OF_50 } },
    applyTemplate: { rules: { recipients: { ...LIST_OF_50, at: [[], null] } } },
    applyTemplateInBulk: {
      body: { rows: [{}] },
      rules: {
        rows: { at: [[{}], Array(100).fill({}), ["x"]], beyond: [[], Array(101).fill({}), "x", null] },
        document_ids: { at: [[]], beyond: [Array(11).fill(UNKNOWN_ID), ["x"], "x", null] },
      },
    },
    createLabel: { rules: { color: COLOR } },
    updateLabel: { rules: { color: COLOR } },
    setEnvelopeLabels: {
      body: { label_ids: [] },
      rules: { label_ids: { at: [labelIds(20), []], beyond: [labelIds(21), "x", null] } },
    },
  },
  refusals: async (selo, { live: token }, ask) => {
    const unauthenticated = { participants: [{ auth_method: "none" }] };
    expect((await ask("createTemplate", "/templates", { name: "a", ...unauthenticated })).status).toBe(422);
    const { body } = await call(selo, "POST", "/templates", { token, body: { name: "a" } });
    expect((await ask("updateTemplate", `/templates/${body.id}`, unauthenticated)).status).toBe(422);
  },
  // The example of the signing surface: the participant whose invitation the test inbox shows signs.
  beforeExamples: {
    listSignatures: async (selo, token) => {
      const { rows } = await selo.database.admin.query(
        "select tenant_id, envelope_id, id from signature.participants where environment = 'test' and status = 'invited'",
      );
      expect(rows).toHaveLength(1);
      const [{ tenant_id: tenantId, envelope_id: envelopeId, id }] = rows;
      const { aSession, complete } = await import("./completion-stage.ts");
      const { act, aLink } = await import("./signing-stage.ts");
      const stage = { selo, tenantId, token, environment: "test" } as const;
      const link = await aLink(stage, envelopeId, id);
      const session = await aSession(stage, link);
      expect((await act(stage, link, "POST", "/view", { session })).status).toBe(204);
      // What deliverAttachment's example delivers, whose answers another surface has.
      const { CONTRACT } = await import("../../../src/services/signature/documents/examples.ts");
      const { formOf } = await import("../../support/uploads.ts");
      const fields = await selo.database.admin.query("select id from signature.fields where type = 'anexo'");
      expect(fields.rows).toHaveLength(1);
      const body = formOf(Buffer.from(CONTRACT.text), "income.pdf");
      const delivered = await act(stage, link, "PUT", `/attachments/${fields.rows[0].id}`, { session, body });
      expect(delivered.status).toBe(200);
      expect((await complete(stage, link, { session })).status).toBe(200);
    },
  },
  withoutPath: ["record_completion.consent_version", "record_connector_test.code", "record_connector_test.status"],
  writeFirst: async (selo, { live: token }) => {
    const { upload } = await import("../../support/uploads.ts");
    await call(selo, "POST", "/proofs", { token, body: { sha256: "0".repeat(64) } });
    // The first content that an organization sends makes its data key, whatever becomes of the content.
    await upload(selo, token, Buffer.from("no PDF"));
  },
  settings: {
    PROOF_MAX_FILE_BYTES: {
      taken: [
        ["", 2 * 1024 ** 3],
        ["5", 5],
      ],
      refused: [["9007199254740992"]],
    },
    DOCUMENT_CHECK_WAIT_SECONDS: {},
    ICP_BRASIL_ROOTS: {},
    ICP_BRASIL_TEST_ROOTS: {},
    DOCUMENT_MAX_BYTES: {},
    SEAL_CERTIFICATE_FILE: { otherwise: "Selo's own", taken: [["seal.pem", "seal.pem"]] },
    SEAL_KEY_FILE: { taken: [["seal-key.pem", "seal-key.pem"]] },
    KBA_URL: providerFacts,
    KBA_TOKEN: tokenFacts,
    IDENTITY_URL: providerFacts,
    IDENTITY_TOKEN: tokenFacts,
    TSA_URL: {
      taken: [["https://selo:secret@tsa.example/tsa?x=1", "https://selo:secret@tsa.example/tsa?x=1"]],
      refused: [["ftp://tsa.example"], ["tsa.example"]],
    },
    TSA_CA_FILE: { taken: [["roots.pem", "roots.pem"]] },
    TSA_REQUIRED: { refused: [["yes"]] },
  },
  events: {
    sent: [
      "document.quarantined",
      "document.ready",
      "envelope.cancelled",
      "envelope.completed",
      "envelope.declined",
      "envelope.expired",
      "envelope.failed",
      "envelope.participant_declined",
      "envelope.participant_delegated",
      "envelope.participant_invited",
      "envelope.participant_signed",
      "envelope.sent",
      "envelope.viewed",
      "proof.registered",
    ],
    data: { document: { document_id: randomUUID(), status: "ready" } },
  },
  mails: sampleMails,
  papers: async () => (await import("./papers.ts")).papers,
  siteStates: {
    docs_signing: { path: () => "/docs/openapi-signing", shown: "h1", languages: ["en"] },
  },
  audit: {
    write: async (selo, { id: tenantId, live: token }) => {
      const { writeOneEnvelope } = await import("./envelope-isolation.ts");
      const { checkedDocument, WITH_JAVASCRIPT } = await import("../../support/uploads.ts");
      await writeOneEnvelope({ selo, tenantId, token, environment: "live" });
      await checkedDocument(selo, token, "quarantined.pdf", WITH_JAVASCRIPT);
    },
    erased: ["signature.signature_records.openings"],
    rows: {
      "signature.envelope_documents": ["final_size is not null"],
      // JSON is edited by adding to it.
      "signature.fields": ["value is not null"],
      "signature.documents": ["status = 'ready'", "status = 'quarantined'"],
      "signature.participants": ["cpf_mask is not null"],
      "signature.signature_records": [
        "envelope_id in (select id from signature.envelopes where status = 'partially_signed')",
        "participant_id is null",
      ],
      "signature.proofs": ["environment = 'live'", "environment = 'test'"],
    },
    edits: {
      // Null where nobody signed with a certificate.
      "signature.envelope_documents.signed_sha256": "sha256('x'::bytea)",
      // The record of the end has none.
      "signature.signature_records.openings": `'[]'::jsonb`,
      // Of a field that is not calculated.
      "signature.fields.formula_steps": `'[]'::jsonb`,
    },
  },
  graphql: {
    queries: [
      "attachmentDownload",
      "connector",
      "connectors",
      "digestValidation",
      "document",
      "documentDownload",
      "documents",
      "envelope",
      "envelopeCost",
      "envelopeEvidence",
      "envelopes",
      "finalDocumentDownload",
      "label",
      "labels",
      "packageDeliveries",
      "packageDelivery",
      "proof",
      "proofs",
      "publicEnvelope",
      "publicProof",
      "signature",
      "signatures",
      "template",
      "templates",
      "verifiedEnvelope",
      "verifiedProof",
    ],
    mutations: [
      "addEnvelopeDocument",
      "addField",
      "addParticipant",
      "applyTemplate",
      "applyTemplateInBulk",
      "cancelEnvelope",
      "createConnector",
      "createEnvelope",
      "createLabel",
      "createTemplate",
      "deleteConnector",
      "deleteDocument",
      "deleteEnvelope",
      "deleteLabel",
      "deleteTemplate",
      "disableConnector",
      "enableConnector",
      "moveEnvelopeDocument",
      "registerProof",
      "remindParticipants",
      "removeEnvelopeDocument",
      "removeField",
      "removeParticipant",
      "replayConnector",
      "sendEnvelope",
      "setEnvelopeLabels",
      "testConnector",
      "updateConnector",
      "updateEnvelope",
      "updateField",
      "updateLabel",
      "updateParticipant",
      "updateTemplate",
      "uploadDocument",
      "uploadProof",
    ],
    lists: { listConnectorDeliveries: "packageDeliveries" },
    json: [
      "DigestValidation.known",
      "EnvelopeField.value",
      "Proof.evidence",
      "PublicProof.evidence",
      "Signature.evidence",
      "SignedRecord.evidence",
    ],
    types: {
      connectors: "Connector",
      documents: "Document",
      envelope_documents: "EnvelopeDocument",
      envelope_fields: "EnvelopeField",
      envelope_labels: "EnvelopeLabel",
      envelope_participants: "EnvelopeParticipant",
      envelopes: "Envelope",
      labels: "Label",
      package_deliveries: "PackageDelivery",
      proofs: "Proof",
      public_proofs: "PublicProof",
      signatures: "Signature",
      templates: "Template",
    },
    // A row that is wrong as a whole names none of its members.
    nullLists: ["TemplateRowError.fields"],
    enumInputs: {
      // Whether SQL alone runs a command or an operation: both have the same enums.
      CreateEnvelopeInput: { signingOrder: "SigningOrder" },
      UpdateEnvelopeInput: { signingOrder: "SigningOrder" },
    },
  },
};
