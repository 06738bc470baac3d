import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { asciiName } from "./ascii-name.ts";

/** Lists records. SQL does not know A-labels. */
export const listDnsRecords = operation({
  name: "listDnsRecords",
  command: "list_dns_records",
  answers: { schema: "DnsRecordList" },
  errors: ["not_found"],
  rest: {
    surface: dnsSurface,
    method: "GET",
    path: "/orgs/{org_id}/zones/{zone_id}/records",
    status: 200,
    tag: "Records",
    summary: "List the records of a zone by name and type",
    description:
      "All records, including disabled ones. The SOA and NS records at the apex are served but not stored, so they are not in the list.",
  },
  run: ({ call }, { name, ...others }) =>
    call("list_dns_records", { ...others, ...(typeof name === "string" ? { name: asciiName(name) } : {}) }),
});
