import { AppError, invalidRequest, unavailable } from "../../../errors/app-error.ts";
import { ofTheFile } from "../../../surfaces/file-members.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import { readContent, storesDocuments } from "../documents/document-content.ts";
import { firstCheck } from "../documents/first-check.ts";
import { unprocessable } from "../documents/upload-document.ts";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import { operation, type SignatureParts } from "../parts.ts";
import { type CountedLink, countAttempt } from "./count-attempt.ts";
import { signingSurface as surface } from "./signing-surface.ts";

/** In bytes: 10 MB, as people count them in either way. */
const MOST_BYTES = 10 * 1_048_576;

/** The name of a file that has none. */
const NAMELESS = "file";

/** What each kind begins with. */
const BEGINNINGS = {
  "application/pdf": "25504446",
  "image/png": "89504e470d0a1a0a",
  "image/jpeg": "ffd8ff",
} as const;
type AttachmentType = keyof typeof BEGINNINGS;

interface Prepared extends CountedLink {
  readonly organization_id: string;
}

/**
 * Takes a file of a participant. Its content was encrypted into the storage as it arrived, as that of a document. It is read back from there for its
 * check. SQL records it, and removes the file whose place it takes.
 */
export const deliverAttachment = operation({
  name: "deliverAttachment",
  command: "prepare_attachment",
  records: "record_attachment",
  made: ["file_name", "session_sha256"],
  file: { most: () => MOST_BYTES, kept: "stored", store: storesDocuments },
  answers: { schema: "DeliveredFile" },
  errors: ["not_found", "session_expired", "factor_required", "not_your_turn", "conflict", "unprocessable_pdf"],
  rest: {
    surface,
    method: "PUT",
    path: "/{participant_id}/attachments/{field_id}",
    takes: "file",
    status: 200,
    tag: "Signing",
    summary: "Deliver the file of a field",
    description:
      "Needs a session. Takes a PDF, PNG or JPEG of at most 10 MiB for a field of type anexo. The first bytes say which it is. A later file replaces the one before, at most 20 times; then, and once the participant has finished, it returns 409 `conflict`.\n\n" +
      "A PDF that is damaged, encrypted or has active content returns 422 `unprocessable_pdf`, whose `reason` says which. A PDF that could not be checked in time returns 503 `unavailable`: send it again.",
  },
  run: async (work, { participant_id, field_id }) => {
    const { call, file, parts, requester } = work;
    const stored = file?.stored;
    if (stored == null) throw new Error("the form has a file");
    const file_name = nameOf(file?.fileName ?? "");
    const given = { participant_id, field_id, file_name };
    const prepared = await endingOverdue(work, { command: "end_overdue_signing", participant_id }, () =>
      call("prepare_attachment", given).catch((error: unknown) => {
        throw ofTheFile(error);
      }),
    );
    if (prepared.replayed) {
      await stored.discard();
      return prepared;
    }
    const { organization_id, ...link } = JSON.parse(prepared.body ?? "null") as Prepared;
    await countAttempt(parts.database, "attachment", link);
    const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
    const content = () => readContent(parts.objects, dataKey, stored.id);
    const type = await typeOf(content).catch((error: unknown) => {
      throw storageRefusal(error);
    });
    if (type === null) throw invalidRequest([{ field: "file", message: "must be a PDF, PNG or JPEG" }]);
    if (type === "application/pdf" && !(await passesCheck(parts, organization_id, content))) {
      // Nothing names the file yet, so that it need not wait for the sweep as after other failures.
      await stored.discard().catch(() => {});
      throw unavailable(new Error("the PDF was not checked in time"));
    }
    const { id: object_id, bytes: size } = stored;
    const facts = { ...given, object_id, size, sha256: stored.sha256.toString("hex"), type };
    const answer = await call("record_attachment", facts);
    if (answer.replayed) await stored.discard();
    return answer;
  },
});

/** The name as it is recorded. Phones and programs put marks into names that nobody sees, such as those of screenshots, and spaces of other widths. */
function nameOf(name: string): string {
  const seen = name.replaceAll(/[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g, "").replaceAll(/\p{Zs}/gu, " ");
  return seen.trim() === "" ? NAMELESS : seen.replaceAll("\0", "\u0001");
}

/** What the first bytes say; null for another kind. */
async function typeOf(content: () => AsyncIterable<Buffer>): Promise<AttachmentType | null> {
  let start = "";
  for await (const piece of content()) {
    start += piece.subarray(0, 8).toString("hex");
    if (start.length >= 16) break;
  }
  const types = Object.keys(BEGINNINGS) as AttachmentType[];
  return types.find((type) => start.startsWith(BEGINNINGS[type])) ?? null;
}

/** Whether the check ended in time. @throws AppError 422 unprocessable_pdf for a PDF that documents may not be either */
async function passesCheck(
  { documentSlots, documentCheckWaitMs }: Pick<SignatureParts, "documentSlots" | "documentCheckWaitMs">,
  organizationId: string,
  content: () => AsyncIterable<Buffer>,
): Promise<boolean> {
  const verdict = await firstCheck(documentSlots, organizationId, content, documentCheckWaitMs).catch(
    (error: unknown) => {
      throw storageRefusal(error);
    },
  );
  switch (verdict.verdict) {
    case "ready":
      return true;
    case "unprocessable":
      throw unprocessable(verdict.reason);
    case "quarantined": {
      const message = `The PDF has active content or is harmful: ${verdict.reason}.`;
      const facts = { reason: verdict.reason };
      throw new AppError(422, "unprocessable_pdf", message, [{ field: "file", message }], { facts });
    }
    default:
      return false;
  }
}
