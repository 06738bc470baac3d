// What a program with the fetch client of orval sees of Selo.
import { getProof, getReceipt, listProofs, registerProof, uploadProof, verifyPublicFile } from "./orval/selo.ts";
import { refused, registered, type Selo, verified, work } from "./task.ts";

/** Its addresses begin with a slash: those of a page that comes from Selo. */
function comesFrom(origin: string): void {
  const direct = globalThis.fetch;
  globalThis.fetch = (input, init) => direct(typeof input === "string" ? new URL(input, origin) : input, init);
}

await work((baseUrl, token): Selo => {
  comesFrom(baseUrl);
  const headers = { authorization: `Bearer ${token}` };
  return {
    async register(sha256, label, key) {
      const own = key === null ? headers : { ...headers, "idempotency-key": key };
      const { status, data } = await registerProof({ sha256, label }, { headers: own });
      return status === 200 || status === 201 ? registered(status, data) : refused(status, data);
    },
    async upload(file, label, key) {
      const own = key === null ? headers : { ...headers, "idempotency-key": key };
      const { status, data } = await uploadProof({ file, label }, { headers: own });
      return status === 200 || status === 201 ? registered(status, data) : refused(status, data);
    },
    async verify(file) {
      const { status, data } = await verifyPublicFile({ file });
      return status === 200 ? verified(data) : refused(status, data);
    },
    async receipt(id) {
      const { status, data } = await getReceipt(id, { headers });
      // It asks for no part, and names no ETag.
      if (status === 206 || status === 304) throw new Error(`answered ${status}`);
      return status === 200 ? { value: data } : refused(status, data);
    },
    async list(limit, cursor) {
      const answer = await listProofs(cursor === null ? { limit } : { limit, cursor }, { headers });
      if (answer.status !== 200) return refused(answer.status, answer.data);
      const { items, next_cursor: next } = answer.data;
      return { value: { ids: items.map(({ id }) => id), next, link: answer.headers.get("link") } };
    },
    async read(id) {
      const { status, data } = await getProof(id, {}, { headers });
      return status === 200 ? { value: data.id } : refused(status, data);
    },
  };
});
