import { z } from "zod";
import { wholeNumber } from "../../config/config-values.ts";
import { setting } from "../../config/setting.ts";

export const proofSettings = z.object({
  PROOF_MAX_FILE_BYTES: setting(wholeNumber(1, Number.MAX_SAFE_INTEGER).default(2 * 1024 ** 3), {
    meaning:
      "largest file hashed for a proof, in bytes; GraphQL uploads pass through the system's temporary folder, REST uploads do not",
  }),
  DOCUMENT_CHECK_WAIT_SECONDS: setting(wholeNumber(1, 60).default(3), {
    meaning:
      "seconds that the answer to an upload waits for the check of its document. A document that takes longer is returned as `processing`",
    // However busy the machine is: the example of an upload is ready.
    inExamples: "60",
  }),
  DOCUMENT_MAX_BYTES: setting(wholeNumber(1, 50 * 1024 ** 2).default(50 * 1024 ** 2), {
    meaning: "largest document to be signed, in bytes; the check of PDFs takes no larger ones than the default",
  }),
});
