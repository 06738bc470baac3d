import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { expect } from "vitest";
import { FolderStore } from "../../src/adapters/storage/folder-store.ts";
import { Database } from "../../src/postgres/database.ts";
import { DataKeys } from "../../src/services/signature/documents/data-keys.ts";
import { storesDocuments } from "../../src/services/signature/documents/document-content.ts";
import { ONE_PAGE, onePage, pdf } from "../adapters/pdf-check/pdf-file.ts";
import type { TestGateway } from "./gateway.ts";
import { type Asker, type GraphqlAnswer, post } from "./graphql-client.ts";
import { masterKeys } from "./master-keys.ts";
import { call, type RestRequest, type RestResponse } from "./rest-client.ts";

/** An ordinary PDF of one page, 612 by 792 points. */
export const ORDINARY = pdf(ONE_PAGE);

/** A PDF with JavaScript that starts when it is opened. */
export const WITH_JAVASCRIPT = pdf(onePage({ catalog: "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>" }));

/** What a document answers. */
export interface UploadedDocument {
  readonly id: string;
  readonly filename: string;
  readonly status: "uploaded" | "processing" | "ready" | "quarantined" | "failed";
  readonly created_at: string;
  readonly size: number;
  readonly sha256: string;
  readonly pages: readonly { readonly width: number; readonly height: number }[];
  readonly reason: string | null;
}

export function formOf(file: Uint8Array, name = "contract.pdf"): FormData {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(file)], { type: "application/pdf" }), name);
  return form;
}

/** POST /documents. */
export function upload(
  selo: Pick<TestGateway, "baseUrl">,
  token: string | null,
  file: Uint8Array,
  { name, ...more }: Pick<RestRequest, "key" | "headers"> & { readonly name?: string } = {},
): Promise<RestResponse> {
  return call(selo, "POST", "/documents", { token, body: formOf(file, name), ...more });
}

/** An ordinary document that passed its check. */
export async function readyDocument(
  selo: Pick<TestGateway, "baseUrl">,
  token: string,
  name = "contract.pdf",
  file: Uint8Array = ORDINARY,
): Promise<UploadedDocument> {
  const document = await checkedDocument(selo, token, name, file);
  expect(document.status).toBe("ready");
  return document;
}

/** A document whose check is over, whatever came of it: gateways of tests wait for that ({@link PATIENT}). */
export async function checkedDocument(
  selo: Pick<TestGateway, "baseUrl">,
  token: string,
  name: string,
  file: Uint8Array,
): Promise<UploadedDocument> {
  const { status, body } = await upload(selo, token, file, { name });
  expect(status).toBe(201);
  return body;
}

interface Stored {
  readonly name?: string;
  readonly file?: Uint8Array;
  readonly status?: "uploaded" | "processing" | "ready";
}

const PAGES_OF_ORDINARY = JSON.stringify([{ width: 612, height: 792 }]);

/**
 * A document as the answer of its upload leaves it: ready, or before the end of its check. For tests of what comes after. The product encrypts the content, and
 * records and tells of the document. No program is started to read the PDF: that is most of what an upload costs.
 */
export async function storedDocument(
  selo: Pick<TestGateway, "config" | "database">,
  token: string,
  { name = "contract.pdf", file = ORDINARY, status = "ready" }: Stored = {},
): Promise<UploadedDocument> {
  const database = new Database(selo.database.admin);
  const origin = { requestId: "test", address: "", channel: "rest" } as const;
  const requester = { credentialHash: createHash("sha256").update(token).digest(), origin };
  const store = await storesDocuments(
    { objects: objectsOf(selo), dataKeys: new DataKeys(masterKeys), database },
    requester,
  );
  const { id, sha256, bytes } = await store(Readable.from([file]), file.length, new AbortController().signal);
  const facts = { object_id: id, sha256: sha256.toString("hex"), size: bytes };
  const { body } = await database.call({
    ...requester,
    command: "record_document",
    arguments: { file_name: name, status, ...(status === "ready" ? { pages: PAGES_OF_ORDINARY } : {}), ...facts },
  });
  return JSON.parse(body ?? "null");
}

/** The mutation that uploads. */
export function uploadInGraphql(
  selo: TestGateway,
  token: Asker,
  file: Uint8Array,
  { name = "contract.pdf", headers = {} }: { readonly name?: string; readonly headers?: Record<string, string> } = {},
): Promise<GraphqlAnswer> {
  const query =
    "mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) { document { id filename status createdAt size sha256 pages { width height } reason } } }";
  const parts = new FormData();
  parts.set("operations", JSON.stringify({ query, variables: { input: { file: null } } }));
  parts.set("map", JSON.stringify({ 0: ["variables.input.file"] }));
  parts.set("0", new Blob([new Uint8Array(file)]), name);
  return post(selo, token, parts, headers);
}

/** The storage of a gateway, which has made its folders. */
export const objectsOf = ({ config }: Pick<TestGateway, "config">): FolderStore =>
  FolderStore.existing(config.storageFolder);
