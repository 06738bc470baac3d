import type { Document } from "../../pdf-check/child/document.ts";
import type { PageSize } from "../../pdf-check/child/page-tree.ts";
import { readForDrawing } from "./draw-overlay.ts";
import { openPdf } from "./open-pdf.ts";
import { prepareOpened } from "./prepare.ts";
import { addStampField } from "./stamp-field.ts";

/** A self-signed certificate that belongs to nobody. A rehearsal throws its result away. */
const CERTIFICATE =
  "MIIBfzCCASWgAwIBAgIUL3KY6HCQiQkpbYgrS6BCMb2JQWswCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJUmVoZWFyc2FsMCAXDTI2MTEyNzAzNTczM1oYDzIxMjYxMTAzMDM1NzMzWjAUMRIwEAYDVQQDDAlSZWhlYXJzYWwwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATNGSh3SsGbOaEaz8YWDSa1JlRF/KggBUiFMsfYURkpwVApZcBNKVLTnnian65C/ACdEFiwyYhDQQ7Vc3sft8zZo1MwUTAdBgNVHQ4EFgQUG2r0pycUTDTeRqCNz2gB+R1hVDswHwYDVR0jBBgwFoAUG2r0pycUTDTeRqCNz2gB+R1hVDswDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA6qq7arKL8VOIqZyaDGEG2okSE8jXdt8MFjL9qiU+RbkCIE1ATc/BQ2xx0Nrv7f6xdGKQf3/Wv+vYLDhh1mjCrnks";

/**
 * Does everything to an upload that a seal will do to it later, and throws the result away. Selo accepts only documents that it can seal.
 * @param isSigned whether somebody signed the document before. A seal draws nothing on such a document
 * @throws whatever that seal would throw
 */
export async function rehearse(document: Document, sizes: readonly PageSize[], isSigned: boolean): Promise<void> {
  const opened = await openPdf(document, sizes);
  if (!isSigned) {
    for (const page of opened.pdf.getPages()) readForDrawing(opened.pdf, document, page);
    addStampField(opened.pdf, []);
  }
  await prepareOpened(opened, document, {
    overlay: null,
    signature: { at: "2026-01-01T00:00:00.000Z", reason: "Rehearsal", certificate: CERTIFICATE, room: 1024 },
  });
}
