import { expect } from "vitest";
import { FolderStore } from "../../src/adapters/storage/folder-store.ts";
import { ONE_PAGE, onePage, pdf } from "../adapters/pdf-check/pdf-file.ts";
import type { TestGateway } from "./gateway.ts";
import { type GraphqlAnswer, post } from "./graphql-client.ts";
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
  const { status, body } = await upload(selo, token, file, { name });
  expect({ status, document: body?.status }).toEqual({ status: 201, document: "ready" });
  return body;
}

/** The mutation that uploads. */
export function uploadInGraphql(
  selo: TestGateway,
  token: string | null,
  file: Uint8Array,
  { name = "contract.pdf", headers = {} }: { readonly name?: string; readonly headers?: Record<string, string> } = {},
): Promise<GraphqlAnswer> {
  const query =
    "mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) { document { id filename status createdAt size sha256 pages reason } } }";
  const parts = new FormData();
  parts.set("operations", JSON.stringify({ query, variables: { input: { file: null } } }));
  parts.set("map", JSON.stringify({ 0: ["variables.input.file"] }));
  parts.set("0", new Blob([new Uint8Array(file)]), name);
  return post(selo, token, parts, headers);
}

/** The storage of a gateway. */
export const objectsOf = ({ config }: Pick<TestGateway, "config">) =>
  FolderStore.prepare(String(config.environment["STORAGE_FOLDER"]));
