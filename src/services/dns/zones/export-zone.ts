import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { groupOf, unlessBusy } from "./busy.ts";

/** Exports a zone as a file that BIND reads, and that an import reads without loss. */
export const exportDnsZone = operation({
  name: "exportDnsZone",
  command: "read_dns_export",
  answers: { file: "text/dns", description: "The zone file." },
  errors: ["not_found"],
  rest: {
    surface: dnsSurface,
    method: "GET",
    path: "/orgs/{org_id}/zones/{zone_id}/export",
    status: 200,
    tag: "Zones",
    summary: "Export a zone as a zone file",
    description:
      "An RFC 1035 file with the SOA and NS records and all records of the zone. Lines that begin with `;selo` hold disabled records, ALIAS records and comments. Other programs read these lines as comments. The import reads the file without loss.",
  },
  run: async (work, input) => {
    const { body } = await work.call("read_dns_export", input);
    const file = await unlessBusy(work.parts.zoneFiles.write(body ?? "", groupOf(work)));
    return {
      file: bytesInMemory(Buffer.from(file)),
      contentType: "text/dns; charset=utf-8",
      // A reverse zone may have a slash.
      fileName: `${nameIn(body ?? "").replaceAll("/", "_")}.zone`,
    };
  },
});

/** The name of the zone, the first member: the text of 50,000 records is not parsed here. */
const nameIn = (body: string): string => /^\{"name" : "([^"]+)"/.exec(body)?.[1] ?? "export";
