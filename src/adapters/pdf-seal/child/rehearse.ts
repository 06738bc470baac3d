import type { Document } from "../../pdf-check/child/document.ts";
import type { PageSize } from "../../pdf-check/child/page-tree.ts";
import { readForDrawing } from "./draw-overlay.ts";
import { openPdf } from "./open-pdf.ts";
import { prepareOpened } from "./prepare.ts";

/** Of nobody: what a rehearsal makes is thrown away. */
const CERTIFICATE =
  "MIIBfzCCASWgAwIBAgIUL3KY6HCQiQkpbYgrS6BCMb2JQWswCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJUmVoZWFyc2FsMCAXDTI2MTEyNzAzNTczM1oYDzIxMjYxMTAzMDM1NzMzWjAUMRIwEAYDVQQDDAlSZWhlYXJzYWwwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATNGSh3SsGbOaEaz8YWDSa1JlRF/KggBUiFMsfYURkpwVApZcBNKVLTnnian65C/ACdEFiwyYhDQQ7Vc3sft8zZo1MwUTAdBgNVHQ4EFgQUG2r0pycUTDTeRqCNz2gB+R1hVDswHwYDVR0jBBgwFoAUG2r0pycUTDTeRqCNz2gB+R1hVDswDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA6qq7arKL8VOIqZyaDGEG2okSE8jXdt8MFjL9qiU+RbkCIE1ATc/BQ2xx0Nrv7f6xdGKQf3/Wv+vYLDhh1mjCrnks";

/**
 * Does with an upload all that a seal will do with it later, and throws the result away: whoever accepts a document must be able to seal it.
 * @param isSigned it has signatures of its own, so nothing will be drawn on it
 * @throws what a seal of it would
 */
export async function rehearse(document: Document, sizes: readonly PageSize[], isSigned: boolean): Promise<void> {
  const opened = await openPdf(document, sizes);
  if (!isSigned) for (const page of opened.pdf.getPages()) readForDrawing(opened.pdf, page);
  await prepareOpened(opened, document.file, {
    at: "2026-01-01T00:00:00.000Z",
    reason: "Rehearsal",
    certificate: CERTIFICATE,
    room: 1024,
    overlay: null,
  });
}
