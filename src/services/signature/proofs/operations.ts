import type { Operation } from "../../../surfaces/operation.ts";
import { downloadDocument } from "../documents/download-document.ts";
import { uploadDocument } from "../documents/upload-document.ts";
import type { SignatureParts } from "../parts.ts";
import { getReceipt } from "./get-receipt.ts";
import { getPublicProof, verifyPublicProof } from "./public-proofs.ts";
import { registerProof } from "./register-proof.ts";

/** Proofs of existence, of the organization and for the public: signature-service §4. */
export const proofOperations: readonly Operation<SignatureParts>[] = [
  registerProof,
  {
    name: "listProofs",
    command: "list_proofs",
    answers: { schema: "ProofPage" },
    rest: {
      method: "GET",
      path: "/proofs",
      status: 200,
      tag: "Proofs of existence",
      summary: "List or search proofs, newest first",
    },
  },
  {
    name: "getProof",
    command: "get_proof",
    answers: { schema: "Proof" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/proofs/{id}",
      status: 200,
      tag: "Proofs of existence",
      summary: "Read a proof",
    },
  },
  getReceipt,
  getPublicProof,
  verifyPublicProof,
];

/** Documents of the organization: signature-service §4. */
export const documentOperations: readonly Operation<SignatureParts>[] = [
  uploadDocument,
  {
    name: "listDocuments",
    command: "list_documents",
    answers: { schema: "DocumentPage" },
    rest: {
      method: "GET",
      path: "/documents",
      status: 200,
      tag: "Documents",
      summary: "List documents, newest first",
    },
  },
  {
    name: "getDocument",
    command: "get_document",
    answers: { schema: "Document" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/documents/{id}",
      status: 200,
      tag: "Documents",
      summary: "Read a document with its current status",
    },
  },
  downloadDocument,
  {
    name: "deleteDocument",
    command: "delete_document",
    answers: { nothing: "Removed." },
    errors: ["not_found"],
    rest: {
      method: "DELETE",
      path: "/documents/{id}",
      status: 204,
      tag: "Documents",
      summary: "Remove a document",
      description: "Removes the document and its content. Returns 409 `conflict` while an envelope uses the document.",
    },
  },
];
