import { unauthenticated } from "../../../app-error.ts";
import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import type { RouteHandler } from "../../../surfaces/rest/handler.ts";
import { makeReceipt } from "../operations/make-receipt.ts";
import type { SignatureParts } from "../parts.ts";

/** GET /proofs/{id}/receipt */
export const getReceipt: RouteHandler<SignatureParts> = async (
  services,
  { credentialHash, origin, arguments: { id } },
) => {
  if (credentialHash === null) throw unauthenticated();
  const { pdf, fileName } = await makeReceipt(services, { credentialHash, origin }, id as string);
  return { file: bytesInMemory(pdf), contentType: "application/pdf", fileName };
};
