// What a program with the schemas of orval (zod) sees of Selo: it checks what it sends and all that it reads with them.
import type { ZodType } from "zod";
import * as schemas from "./orval/schemas.ts";
import { type ErrorBody, type Read, refused, registered, type Selo, verified, work } from "./task.ts";

type Operation = "RegisterProof" | "UploadProof" | "VerifyPublicFile" | "GetReceipt" | "ListProofs" | "GetProof";

/**
 * What was refused, by the schema that the description has for its status.
 * @throws Error where it has none, or the error is another one
 */
async function refusalOf(operation: Operation, response: Response) {
  const { [`${operation}${response.status}Response`]: schema } = schemas as unknown as Record<
    string,
    ZodType<ErrorBody>
  >;
  if (schema === undefined)
    throw new Error(`${operation} was answered with ${response.status}, which is not described`);
  return refused(response.status, schema.parse(await response.json()));
}

function formOf(members: Readonly<Record<string, string | Blob | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) form.append(name, value);
  return form;
}

await work((baseUrl, token): Selo => {
  const authorization = `Bearer ${token}`;
  const proofOf = async (operation: "RegisterProof" | "UploadProof", response: Response) => {
    if (!response.ok) return refusalOf(operation, response);
    const { [`${operation}201Response` as const]: made, [`${operation}200Response` as const]: known } = schemas;
    const body = await response.json();
    return registered(response.status, response.status === 201 ? made.parse(body) : known.parse(body));
  };
  return {
    async register(sha256, label, key) {
      const body = schemas.RegisterProofBody.parse({ sha256, label });
      const own = schemas.RegisterProofHeader.parse(key === null ? {} : { "Idempotency-Key": key });
      const headers = { authorization, "content-type": "application/json", ...own };
      const response = await fetch(`${baseUrl}/proofs`, { method: "POST", headers, body: JSON.stringify(body) });
      return proofOf("RegisterProof", response);
    },
    async upload(file, label, key) {
      const body = formOf(schemas.UploadProofBody.parse({ file, label }));
      const headers = {
        authorization,
        ...schemas.UploadProofHeader.parse(key === null ? {} : { "Idempotency-Key": key }),
      };
      const response = await fetch(`${baseUrl}/proofs/files`, { method: "POST", headers, body });
      return proofOf("UploadProof", response);
    },
    async verify(file) {
      const body = formOf(schemas.VerifyPublicFileBody.parse({ file }));
      const response = await fetch(`${baseUrl}/public/proofs/verify-file`, { method: "POST", body });
      if (!response.ok) return refusalOf("VerifyPublicFile", response);
      return verified(schemas.VerifyPublicFile200Response.parse(await response.json()));
    },
    async receipt(id) {
      const path = schemas.GetReceiptParams.parse({ id });
      const response = await fetch(`${baseUrl}/proofs/${path.id}/receipt`, { headers: { authorization } });
      if (!response.ok) return refusalOf("GetReceipt", response);
      return { value: await response.blob() };
    },
    async list(limit, cursor) {
      const query = schemas.ListProofsQueryParams.parse(cursor === null ? { limit } : { limit, cursor });
      const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
      const address = `${baseUrl}/proofs?${new URLSearchParams(given)}`;
      const response = await fetch(address, { headers: { authorization } });
      if (!response.ok) return refusalOf("ListProofs", response);
      const { items, next_cursor: next } = schemas.ListProofs200Response.parse(await response.json());
      const value = { ids: items.map(({ id }) => id), next, link: response.headers.get("link") };
      return { value } satisfies Read<object>;
    },
    async read(id) {
      const path = schemas.GetProofParams.parse({ id });
      const response = await fetch(`${baseUrl}/proofs/${path.id}`, { headers: { authorization } });
      if (!response.ok) return refusalOf("GetProof", response);
      return { value: schemas.GetProof200Response.parse(await response.json()).id };
    },
  };
});
