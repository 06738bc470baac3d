// What a program with the client of @hey-api/openapi-ts sees of Selo.
import { createClient } from "./hey-api/client/index.ts";
import { getProof, getReceipt, listProofs, registerProof, uploadProof, verifyPublicFile } from "./hey-api/index.ts";
import { refused, registered, type Selo, verified, work } from "./task.ts";

/** There is no response where the server cannot be reached. */
function statusOf(response: Response | undefined): number {
  if (response === undefined) throw new Error("there was no answer");
  return response.status;
}

await work((baseUrl, token): Selo => {
  const client = createClient({ baseUrl, auth: token });
  return {
    async register(sha256, label, key) {
      const headers = key === null ? {} : { "Idempotency-Key": key };
      const { data, error, response } = await registerProof({ client, body: { sha256, label }, headers });
      return data === undefined ? refused(statusOf(response), error) : registered(statusOf(response), data);
    },
    async upload(file, label, key) {
      const headers = key === null ? {} : { "Idempotency-Key": key };
      const { data, error, response } = await uploadProof({ client, body: { file, label }, headers });
      return data === undefined ? refused(statusOf(response), error) : registered(statusOf(response), data);
    },
    async verify(file) {
      const { data, error, response } = await verifyPublicFile({ client, body: { file } });
      return data === undefined ? refused(statusOf(response), error) : verified(data);
    },
    async receipt(id) {
      const { data, error, response } = await getReceipt({ client, path: { id } });
      return data === undefined ? refused(statusOf(response), error) : { value: data };
    },
    async list(limit, cursor) {
      const query = cursor === null ? { limit } : { limit, cursor };
      const { data, error, response } = await listProofs({ client, query });
      if (data === undefined) return refused(statusOf(response), error);
      const ids = data.items.map(({ id }) => id);
      return { value: { ids, next: data.next_cursor, link: response?.headers.get("link") ?? null } };
    },
    async read(id) {
      const { data, error, response } = await getProof({ client, path: { id } });
      return data === undefined ? refused(statusOf(response), error) : { value: data.id };
    },
  };
});
