// What a program with the client of @hey-api/openapi-ts sees of DNS hosting.
import { createClient } from "./hey-api/client/index.ts";
import {
  createDnsRecord,
  createDnsZone,
  deleteDnsZone,
  exportDnsZone,
  importDnsZone,
  listDnsChanges,
  listDnsRecords,
  readDnsMe,
  replaceDnsRecords,
  updateDnsRecord,
} from "./hey-api/index.ts";
import { type Dns, refused, work } from "./task.ts";

/** There is no response where the server cannot be reached. */
function statusOf(response: Response | undefined): number {
  if (response === undefined) throw new Error("there was no answer");
  return response.status;
}

await work((baseUrl, token, org_id): Dns => {
  const client = createClient({ baseUrl, auth: token });
  const of = (id: number) => ({ org_id, zone_id: id });
  return {
    async me() {
      const { data, error, response } = await readDnsMe({ client });
      return data === undefined ? refused(statusOf(response), error) : { value: data };
    },
    async createZone(name) {
      const { data, error, response } = await createDnsZone({ client, path: { org_id }, body: { name } });
      return data === undefined ? refused(statusOf(response), error) : { value: data };
    },
    async createRecord(id, name, content) {
      const body = { name, type: "A", content };
      const { data, error, response } = await createDnsRecord({ client, path: of(id), body });
      return data === undefined ? refused(statusOf(response), error) : { value: data };
    },
    async disable(id, recordId) {
      const path = { ...of(id), record_id: recordId };
      const { data, error, response } = await updateDnsRecord({ client, path, body: { disabled: true } });
      return data === undefined ? refused(statusOf(response), error) : { value: data.disabled };
    },
    async replace(id, name, content) {
      const sets = [
        { name, type: "A", records: [] },
        { name, type: "CNAME", ttl: 300, records: [{ content }] },
      ];
      const { data, error, response } = await replaceDnsRecords({ client, path: of(id), body: { sets } });
      return data === undefined ? refused(statusOf(response), error) : { value: data };
    },
    async names(id) {
      const { data, error, response } = await listDnsRecords({ client, path: of(id) });
      return data === undefined ? refused(statusOf(response), error) : { value: data.map(({ name }) => name) };
    },
    async serials(id) {
      const { data, error, response } = await listDnsChanges({ client, path: of(id), query: { limit: 200 } });
      return data === undefined ? refused(statusOf(response), error) : { value: data.map(({ serial }) => serial) };
    },
    async import(id, bind_file) {
      const { data, error, response } = await importDnsZone({ client, path: of(id), body: { bind_file } });
      if (data === undefined) return refused(statusOf(response), error);
      return { value: { imported: data.imported, reasons: data.skipped_records.map(({ reason }) => reason) } };
    },
    async export(id) {
      const { data, error, response } = await exportDnsZone({ client, path: of(id), parseAs: "text" });
      return data === undefined ? refused(statusOf(response), error) : { value: String(data) };
    },
    async deleteZone(id) {
      const { error, response } = await deleteDnsZone({ client, path: of(id) });
      return error === undefined ? { value: null } : refused(statusOf(response), error);
    },
  };
});
