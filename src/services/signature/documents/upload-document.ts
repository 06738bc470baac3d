import { z } from "zod";
import type { Refusal } from "../../../adapters/pdf-check/verdict.ts";
import { AppError } from "../../../errors/app-error.ts";
import { ofTheFile } from "../../../surfaces/file-members.ts";
import { rowOf } from "../../../surfaces/operation.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import { operation } from "../parts.ts";
import { readContent, storesDocuments } from "./document-content.ts";
import { type FirstVerdict, firstCheck } from "./first-check.ts";

/** The name of an upload that has none. */
const NAMELESS = "document.pdf";

/** What prepare_document answers. */
interface Prepared {
  readonly organization_id: string;
  readonly environment: "live" | "test";
}

/** Why nothing is kept, in words for the sender. */
const REFUSED: Readonly<Record<Refusal, string>> = {
  not_pdf: "The file is not a PDF.",
  truncated: "The PDF is damaged or incomplete, and is not repaired.",
  encrypted: "The PDF is encrypted. Save it without a password or restrictions, and upload it again.",
  no_pages: "The PDF has no pages.",
  too_many_pages: "The PDF has more than 2,000 pages.",
};

/**
 * Takes a PDF. The content was encrypted into the storage as it arrived. It is read back from there for its check, so what is checked is what
 * is kept. SQL records the document, and the job that goes on with an unfinished check, in one transaction.
 */
export const uploadDocument = operation({
  name: "uploadDocument",
  command: "prepare_document",
  records: "record_document",
  made: ["file_name"],
  file: { most: ({ documentMaxBytes }) => documentMaxBytes, kept: "stored", store: storesDocuments },
  answers: { schema: "Document" },
  errors: ["unprocessable_pdf"],
  rest: {
    method: "POST",
    path: "/documents",
    takes: "file",
    status: 201,
    tag: "Documents",
    summary: "Upload a PDF",
    description:
      "The file is stored encrypted and is checked before it can be used. The answer waits up to 3 seconds for the check, so an ordinary PDF comes back `ready`. Otherwise, the status is `uploaded` or `processing`, and the event `document.ready` or `document.quarantined` reports the result.\n\n" +
      "A file that is not a PDF, is damaged or encrypted, or has no page or more than 2,000 pages returns 422 `unprocessable_pdf`, and nothing is stored. " +
      "A PDF with active content (JavaScript, embedded files and the other reasons of `reason`) is `quarantined`: its content is removed.",
  },
  graphql: {
    description: "Uploads a PDF, as a GraphQL multipart request. The check of the PDF may continue after the answer.",
    payload: {
      name: "UploadDocumentPayload",
      description: "The uploaded document.",
      members: z.object({ document: rowOf("documents").meta({ description: "The document." }) }),
    },
  },
  run: async ({ call, file, parts, requester }) => {
    const stored = file?.stored;
    if (stored == null) throw new Error("the form has a file");
    const file_name = nameOf(file?.fileName ?? "");
    const prepared = await call("prepare_document", { file_name }).catch((error: unknown) => {
      throw ofTheFile(error);
    });
    if (prepared.replayed) {
      await stored.discard();
      return prepared;
    }
    const { organization_id, environment } = JSON.parse(prepared.body ?? "null") as Prepared;
    const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
    const content = () => readContent(parts.objects, dataKey, stored.id);
    const { documentSlots, documentCheckWaitMs } = parts;
    const check = firstCheck(documentSlots, organization_id, content, documentCheckWaitMs);
    const verdict = await check.catch((error: unknown) => {
      throw storageRefusal(error);
    });
    if (verdict.verdict === "unprocessable") {
      parts.signatureMetrics.checked(environment, "refused");
      throw unprocessable(verdict.reason);
    }
    const { id: object_id, bytes: size } = stored;
    const sha256 = stored.sha256.toString("hex");
    const facts = { file_name, object_id, size, sha256, ...stateAfter(verdict) };
    const answer = await call("record_document", facts, 201);
    if (answer.replayed) await stored.discard();
    else if (verdict.verdict === "ready" || verdict.verdict === "quarantined")
      parts.signatureMetrics.checked(environment, verdict.verdict);
    return answer;
  },
});

/** The name that SQL checks. Postgres cannot hold the character 0: another control character stands for it, which the rule of names refuses. */
function nameOf(given: string): string {
  return given.trim() === "" ? NAMELESS : given.replaceAll("\0", "\u0001");
}

/** The refusal of a file that is no PDF, or of a PDF that cannot be processed. */
export function unprocessable(reason: Refusal): AppError {
  const message = REFUSED[reason];
  return new AppError(422, "unprocessable_pdf", message, [{ field: "file", message }], { facts: { reason } });
}

/** The members of record_document that say how far the check is. */
function stateAfter(verdict: Exclude<FirstVerdict, { readonly verdict: "unprocessable" }>) {
  switch (verdict.verdict) {
    case "ready":
      return {
        status: "ready",
        pages: JSON.stringify(verdict.pages),
        is_signed: verdict.signed === true,
        is_certified: verdict.certified === true,
      };
    case "quarantined":
      return { status: "quarantined", reason: verdict.reason };
    case "failed":
      return { status: "processing", attempts: 1 };
    case "late":
      return { status: verdict.began ? "processing" : "uploaded" };
  }
}
