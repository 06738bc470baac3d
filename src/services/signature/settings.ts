import { z } from "zod";
import { wholeNumber } from "../../config-values.ts";
import { setting } from "../../setting.ts";

export const proofSettings = z.object({
  PROOF_MAX_FILE_BYTES: setting(wholeNumber(1, Number.MAX_SAFE_INTEGER).default(2 * 1024 ** 3), {
    meaning:
      "largest file hashed for a proof, in bytes; GraphQL uploads pass through the system's temporary folder, REST uploads do not",
  }),
});
