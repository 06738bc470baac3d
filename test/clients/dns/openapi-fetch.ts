// What a program with openapi-fetch, over the types of openapi-typescript, sees of DNS hosting.
import createClient from "openapi-fetch";
import type { paths } from "./openapi-fetch/selo.ts";
import { type Dns, refused, work } from "./task.ts";

const ZONES = "/orgs/{org_id}/zones";
const ZONE = "/orgs/{org_id}/zones/{zone_id}";

await work((baseUrl, token, org_id): Dns => {
  const selo = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const of = (id: number) => ({ path: { org_id, zone_id: id } });
  return {
    async me() {
      const { data, error, response } = await selo.GET("/me");
      return data === undefined ? refused(response.status, error) : { value: data };
    },
    async createZone(name) {
      const { data, error, response } = await selo.POST(ZONES, { params: { path: { org_id } }, body: { name } });
      return data === undefined ? refused(response.status, error) : { value: data };
    },
    async createRecord(id, name, content) {
      const body = { name, type: "A", content, ttl: 300, disabled: false };
      const { data, error, response } = await selo.POST(`${ZONE}/records`, { params: of(id), body });
      return data === undefined ? refused(response.status, error) : { value: data };
    },
    async disable(id, recordId) {
      const params = { path: { ...of(id).path, record_id: recordId } };
      const { data, error, response } = await selo.PUT(`${ZONE}/records/{record_id}`, {
        params,
        body: { disabled: true },
      });
      return data === undefined ? refused(response.status, error) : { value: data.disabled };
    },
    async replace(id, name, content) {
      const sets = [
        { name, type: "A", records: [] },
        { name, type: "CNAME", ttl: 300, records: [{ content }] },
      ];
      const { data, error, response } = await selo.PUT(`${ZONE}/records`, {
        params: of(id),
        body: { sets, dry_run: false },
      });
      return data === undefined ? refused(response.status, error) : { value: data };
    },
    async names(id) {
      const { data, error, response } = await selo.GET(`${ZONE}/records`, { params: of(id) });
      return data === undefined ? refused(response.status, error) : { value: data.map(({ name }) => name) };
    },
    async serials(id) {
      const { data, error, response } = await selo.GET(`${ZONE}/changes`, {
        params: { ...of(id), query: { limit: 200 } },
      });
      return data === undefined ? refused(response.status, error) : { value: data.map(({ serial }) => serial) };
    },
    async import(id, bind_file) {
      const body = { bind_file, dry_run: false, replace: false, clamp_ttl: false };
      const { data, error, response } = await selo.POST(`${ZONE}/import`, { params: of(id), body });
      if (data === undefined) return refused(response.status, error);
      return { value: { imported: data.imported, reasons: data.skipped_records.map(({ reason }) => reason) } };
    },
    async export(id) {
      const { data, error, response } = await selo.GET(`${ZONE}/export`, { params: of(id), parseAs: "text" });
      return data === undefined ? refused(response.status, error) : { value: data };
    },
    async deleteZone(id) {
      const { error, response } = await selo.DELETE(ZONE, { params: of(id) });
      return error === undefined ? { value: null } : refused(response.status, error);
    },
  };
});
