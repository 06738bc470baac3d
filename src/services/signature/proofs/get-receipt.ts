import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { operation } from "../parts.ts";
import { makeReceipt, type PreparedReceipt } from "./make-receipt.ts";

/** The receipt of a proof: a PDF to hand on. Its attachment evidence.json contains everything that an offline check needs. */
export const getReceipt = operation({
  name: "getReceipt",
  command: "prepare_receipt",
  answers: { file: "application/pdf", description: "The receipt." },
  errors: ["not_found"],
  rest: {
    method: "GET",
    path: "/proofs/{id}/receipt",
    status: 200,
    session: true,
    tag: "Proofs of existence",
    summary: "Download the receipt of a proof",
    description:
      "A PDF that you can pass on (PDF/A-3b), created for each request: file name and size, description, digest, instant (in the organization's " +
      "time zone and in UTC), verification code, QR code, key ids, the canonical payload, and how to check it. Its attachment " +
      "`evidence.json` contains everything that an offline check needs.\n\nThe same proof gives the same bytes while the organization's language and time zone, the operator's name, and the version of Selo stay the same. `ETag` identifies the bytes. A `Range` header with one byte range returns 206 with these bytes, or 416 " +
      "`range_not_satisfiable` with the length in `Content-Range`. `If-Range` and `If-None-Match` (which can return 304) are supported.",
  },
  run: async ({ call, parts }, { id }) => {
    const { body } = await call("prepare_receipt", { id });
    const { pdf, fileName } = await makeReceipt(JSON.parse(body ?? "") as PreparedReceipt, parts);
    return { file: bytesInMemory(pdf), contentType: "application/pdf", fileName };
  },
});
