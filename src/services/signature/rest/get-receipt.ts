import { unauthenticated } from "../../app-error.ts";
import { makeReceipt } from "../../operations/signature/make-receipt.ts";
import type { RouteHandler } from "../handler.ts";

/** GET /proofs/{id}/receipt */
export const getReceipt: RouteHandler = async (services, { credentialHash, origin, arguments: { id } }) => {
  if (credentialHash === null) throw unauthenticated();
  const { pdf, fileName } = await makeReceipt(services, { credentialHash, origin }, id as string);
  return { status: 200, file: pdf, contentType: "application/pdf", fileName };
};
