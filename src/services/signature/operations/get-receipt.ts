import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { operation } from "../parts.ts";
import { makeReceipt, type PreparedReceipt } from "./make-receipt.ts";

/** The receipt of a proof: a PDF to hand on, with everything that checking it offline needs attached as evidence.json. */
export const getReceipt = operation({
  name: "getReceipt",
  command: "prepare_receipt",
  answers: { file: "application/pdf", description: "The receipt." },
  errors: ["not_found"],
  rest: {
    method: "GET",
    path: "/proofs/{id}/receipt",
    status: 200,
    tag: "Proofs of existence",
    summary: "Download the receipt of a proof",
    description:
      "A PDF to hand on, made anew each time: digest, instant (in the organization's time zone and in UTC), verification " +
      "code, QR code, key ids, the canonical payload, and how to check it. Its attachment `evidence.json` holds all that " +
      "checking it offline needs.\n\nThe same proof gives the same bytes while the organization's language and time zone, and the " +
      "version of Selo, stay the same; `ETag` says which bytes. A `Range` of one range of bytes answers 206 with these bytes, or 416 " +
      "`range_not_satisfiable` with the length in `Content-Range`. `If-Range` and `If-None-Match`, which answers 304, are evaluated.",
  },
  run: async ({ call, parts: { receipts } }, { id }) => {
    const { body } = await call("prepare_receipt", { id });
    const { pdf, fileName } = await makeReceipt(JSON.parse(body ?? "") as PreparedReceipt, receipts);
    return { file: bytesInMemory(pdf), contentType: "application/pdf", fileName };
  },
});
