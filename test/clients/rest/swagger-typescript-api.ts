// What a program with the client of swagger-typescript-api sees of Selo.
import { Api, type HttpResponse } from "./swagger-typescript-api/selo.ts";
import { type ErrorBody, refused, registered, type Selo, verified, work } from "./task.ts";

/** Its answers are either; what is refused has no `data`. Its errors have 304, which has no body. */
// biome-ignore lint/suspicious/noConfusingVoidType: the types that it writes have it
function errorOf<Body extends ErrorBody>({ ok, status, error }: HttpResponse<unknown, Body | void>) {
  if (ok) return null;
  if (typeof error !== "object") throw new Error(`answered ${status}`);
  return refused(status, error);
}

await work((baseUrl, token): Selo => {
  const api = new Api<string>({
    baseUrl,
    securityWorker: (given) => ({ headers: { authorization: `Bearer ${given}` } }),
  });
  api.setSecurityData(token);
  const { proofs, public: open } = api;
  return {
    async register(sha256, label, key) {
      const answer = await proofs.registerProof(
        { sha256, label },
        key === null ? {} : { headers: { "Idempotency-Key": key } },
      );
      return errorOf(answer) ?? registered(answer.status, answer.data);
    },
    async upload(file, label, key) {
      const answer = await proofs.uploadProof(
        { file, label },
        key === null ? {} : { headers: { "Idempotency-Key": key } },
      );
      return errorOf(answer) ?? registered(answer.status, answer.data);
    },
    async verify(file) {
      const answer = await open.verifyPublicFile({ file });
      return errorOf(answer) ?? verified(answer.data);
    },
    async receipt(id) {
      const answer = await proofs.getReceipt(id, { format: "blob" });
      return errorOf(answer) ?? { value: answer.data };
    },
    async list(limit, cursor) {
      const answer = await proofs.listProofs(cursor === null ? { limit } : { limit, cursor });
      const refusal = errorOf(answer);
      if (refusal !== null) return refusal;
      const { items, next_cursor: next } = answer.data;
      return { value: { ids: items.map(({ id }) => id), next, link: answer.headers.get("link") } };
    },
    async read(id) {
      const answer = await proofs.getProof(id);
      return errorOf(answer) ?? { value: answer.data.id };
    },
  };
});
