import { createHash, randomBytes } from "node:crypto";
import { graphql, post } from "../../support/graphql-client.ts";
import type { RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { call } from "../../support/rest-client.ts";
import { formOf, ORDINARY, storedDocument, type UploadedDocument, uploadInGraphql } from "../../support/uploads.ts";
import { connectorIsolation } from "./connector-isolation.ts";
import { envelopeIsolation } from "./envelope-isolation.ts";
import { templatesIsolation } from "./templates-isolation.ts";

const file = new Uint8Array(randomBytes(1_000));
const sha256 = createHash("sha256").update(file).digest("hex");
const PROOF = "id sha256 label fileName verificationCode evidence";
/** What anyone may see of a proof. */
const PUBLIC_PROOF =
  "proof { organization label sha256 verificationCode evidence redacted } platformKeys { keyId } verification { valid fault signatures { keyId valid } }";

const formOfFile = () => {
  const form = new FormData();
  form.set("file", new Blob([file]), "contract.pdf");
  return form;
};

/** What the owner has in live. Its label is public, the file's name is not. */
let proof: { readonly id: string; readonly verification_code: string };
const fileName = ({ marker }: Stage) => `${marker}.pdf`;

const inGraphql = (stage: Stage) => [fileName(stage), proof.id];
const publicly = ({ marker }: Stage) => [marker, proof.id, proof.verification_code];
const asks =
  (document: (stage: Stage) => string): RootField["ask"] =>
  (stage, token) =>
    graphql(stage.selo, token, document(stage));

/** The owner's document for one question: one of them takes it away. */
let document: UploadedDocument;
const DOCUMENT = "id filename status sha256";
const documentName = ({ marker }: Stage) => `${marker} document.pdf`;
const aDocument = async (stage: Stage) => {
  document = await storedDocument(stage.selo, stage.owner.live, { name: documentName(stage) });
  return document;
};
const ofDocument = (stage: Stage) => [documentName(stage), document.id];

export const isolation: ServiceIsolation = {
  async prepare(stage) {
    const made = await call(stage.selo, "POST", "/proofs", {
      token: stage.owner.live,
      body: { sha256, label: stage.marker, file_name: fileName(stage) },
    });
    proof = made.body;
    await aDocument(stage);
    return [proof.id, proof.verification_code, fileName(stage), documentName(stage)];
  },
  async renew(stage) {
    for (const table of ["signature_records", "envelopes", "templates", "documents", "labels"])
      await stage.selo.database.admin.query(`delete from signature.${table} where tenant_id = $1`, [stage.owner.id]);
    await aDocument(stage);
    await envelopeIsolation.renew(stage);
    await templatesIsolation.renew(stage);
    await connectorIsolation.renew(stage);
  },
  secretsNow: () => [
    document.id,
    ...envelopeIsolation.secretsNow(),
    ...templatesIsolation.secretsNow(),
    ...connectorIsolation.secretsNow(),
  ],
  rest: {
    ...envelopeIsolation.rest,
    ...templatesIsolation.rest,
    ...connectorIsolation.rest,
    "POST /documents": () => ({
      path: "/documents",
      form: formOf(ORDINARY),
      shows: [createHash("sha256").update(ORDINARY).digest("hex")],
    }),
    "GET /documents": async (stage) => {
      await aDocument(stage);
      return { path: "/documents", shows: ofDocument(stage) };
    },
    "GET /documents/{id}": async (stage) => {
      await aDocument(stage);
      return { path: `/documents/${document.id}`, shows: ofDocument(stage) };
    },
    "GET /documents/{id}/download": async (stage) => {
      await aDocument(stage);
      return { path: `/documents/${document.id}/download`, shows: ["/api/v1/"] };
    },
    "DELETE /documents/{id}": async (stage) => {
      await aDocument(stage);
      return { path: `/documents/${document.id}`, shows: [] };
    },
    "POST /proofs": (stage) => ({ path: "/proofs", body: { sha256 }, shows: inGraphql(stage), status: 200 }),
    "POST /proofs/files": (stage) => ({
      path: "/proofs/files",
      form: formOfFile(),
      shows: inGraphql(stage),
      status: 200,
    }),
    "GET /proofs": (stage) => ({
      path: `/proofs?search=${encodeURIComponent(stage.marker)}`,
      shows: inGraphql(stage),
    }),
    "GET /proofs/{id}": (stage) => ({ path: `/proofs/${proof.id}`, shows: inGraphql(stage) }),
    "GET /proofs/{id}/receipt": (stage) => ({ path: `/proofs/${proof.id}/receipt`, shows: inGraphql(stage) }),
    "GET /public/proofs/{code}": (stage) => ({
      path: `/public/proofs/${proof.verification_code}`,
      shows: publicly(stage),
    }),
    "POST /public/proofs/verify": (stage) => ({
      path: "/public/proofs/verify",
      body: { sha256 },
      shows: publicly(stage),
    }),
    "POST /public/proofs/verify-file": (stage) => ({
      path: "/public/proofs/verify-file",
      form: formOfFile(),
      shows: publicly(stage),
    }),
  },
  graphql: {
    document: {
      scope: "documents:read",
      ask: asks(() => `{ document(id: "${document.id}") { ${DOCUMENT} } }`),
      shows: ofDocument,
    },
    documents: {
      scope: "documents:read",
      ask: asks(() => `{ documents(first: 200) { nodes { ${DOCUMENT} } edges { cursor } totalCount } }`),
      shows: ofDocument,
    },
    documentDownload: {
      scope: "documents:read",
      ask: asks(() => `{ documentDownload(id: "${document.id}") { url expiresAt } }`),
      shows: () => ["/api/v1/"],
      isOfOne: true,
    },
    uploadDocument: {
      scope: "documents:write",
      ask: (stage, token) => uploadInGraphql(stage.selo, token, ORDINARY),
      shows: () => [createHash("sha256").update(ORDINARY).digest("hex")],
    },
    deleteDocument: {
      scope: "documents:write",
      ask: asks(() => `mutation { deleteDocument(input: {id: "${document.id}"}) { done } }`),
      shows: () => ['"done":true'],
      isOfOne: true,
    },
    ...envelopeIsolation.graphql,
    ...templatesIsolation.graphql,
    ...connectorIsolation.graphql,
    proof: { scope: "proofs:read", ask: asks(() => `{ proof(id: "${proof.id}") { ${PROOF} } }`), shows: inGraphql },
    proofs: {
      scope: "proofs:read",
      ask: asks(
        ({ marker }) => `{
          proofs(first: 200) { nodes { ${PROOF} } edges { cursor } totalCount totalCountCapped }
          found: proofs(search: "${marker}") { nodes { ${PROOF} } edges { cursor } totalCount }
        }`,
      ),
      shows: inGraphql,
    },
    publicProof: {
      scope: null,
      ask: asks(() => `{ publicProof(code: "${proof.verification_code}") { ${PUBLIC_PROOF} } }`),
      shows: publicly,
    },
    verifiedProof: {
      scope: null,
      ask: asks(() => `{ verifiedProof(sha256: "${sha256}") { ${PUBLIC_PROOF} } }`),
      shows: publicly,
    },
    registerProof: {
      scope: "proofs:write",
      ask: asks(() => `mutation { registerProof(input: {sha256: "${sha256}"}) { created proof { ${PROOF} } } }`),
      shows: inGraphql,
    },
    uploadProof: {
      scope: "proofs:write",
      ask: ({ selo }, token) => {
        const query = `mutation($input: UploadProofInput!) { uploadProof(input: $input) { created proof { ${PROOF} } } }`;
        const parts = new FormData();
        parts.set("operations", JSON.stringify({ query, variables: { input: { file: null } } }));
        parts.set("map", JSON.stringify({ 0: ["variables.input.file"] }));
        parts.set("0", new Blob([file]), "contract.pdf");
        return post(selo, token, parts);
      },
      shows: inGraphql,
    },
  },
};
