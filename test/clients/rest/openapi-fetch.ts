// What a program with openapi-fetch, over the types of openapi-typescript, sees of Selo.
import createClient from "openapi-fetch";
import type { paths } from "./openapi-fetch/selo.ts";
import { refused, registered, type Selo, verified, work } from "./task.ts";

/** openapi-fetch writes JSON unless it is told otherwise; this is what its documentation has for files. */
function formOf(members: Readonly<Record<string, string | Blob | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) form.append(name, value);
  return form;
}

await work((baseUrl, token): Selo => {
  const selo = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  return {
    async register(sha256, label, key) {
      const { data, error, response } = await selo.POST("/proofs", {
        params: { header: key === null ? {} : { "Idempotency-Key": key } },
        body: { sha256, label },
      });
      return data === undefined ? refused(response.status, error) : registered(response.status, data);
    },
    async upload(file, label, key) {
      const { data, error, response } = await selo.POST("/proofs/files", {
        params: { header: key === null ? {} : { "Idempotency-Key": key } },
        body: { file, label },
        bodySerializer: formOf,
      });
      return data === undefined ? refused(response.status, error) : registered(response.status, data);
    },
    async verify(file) {
      const { data, error, response } = await selo.POST("/public/proofs/verify-file", {
        body: { file },
        bodySerializer: formOf,
      });
      return data === undefined ? refused(response.status, error) : verified(data);
    },
    async receipt(id) {
      const { data, error, response } = await selo.GET("/proofs/{id}/receipt", {
        params: { path: { id } },
        parseAs: "blob",
      });
      return data === undefined ? refused(response.status, error) : { value: data };
    },
    async list(limit, cursor) {
      const query = cursor === null ? { limit } : { limit, cursor };
      const { data, error, response } = await selo.GET("/proofs", { params: { query } });
      if (data === undefined) return refused(response.status, error);
      const ids = data.items.map(({ id }) => id);
      return { value: { ids, next: data.next_cursor, link: response.headers.get("link") } };
    },
    async read(id) {
      const { data, error, response } = await selo.GET("/proofs/{id}", { params: { path: { id } } });
      return data === undefined ? refused(response.status, error) : { value: data.id };
    },
  };
});
