import type { Requester } from "../../../surfaces/operation.ts";

/** What commands take to find the session of a request. That of a token finds none: SQL answers 403 forbidden. */
export const sessionOfRequest = ({ credentialHash }: Pick<Requester, "credentialHash">) => ({
  session_sha256: credentialHash?.toString("hex") ?? "",
});
