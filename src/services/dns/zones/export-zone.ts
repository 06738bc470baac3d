import { z } from "zod";
import type { Work } from "../../../surfaces/operation.ts";
import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { type DnsParts, operation } from "../parts.ts";
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
    const { name, file } = await exported(work, input);
    return {
      file: bytesInMemory(Buffer.from(file)),
      contentType: "text/dns; charset=utf-8",
      // A reverse zone may have a slash.
      fileName: `${name.replaceAll("/", "_")}.zone`,
    };
  },
});

/** The same file in GraphQL, as a text. */
export const dnsZoneExport = operation({
  name: "dnsZoneExport",
  command: "read_dns_export",
  errors: ["not_found"],
  rest: null,
  graphql: {
    description:
      "A zone as a zone file (RFC 1035), as `GET …/export` of REST answers it. A file may have megabytes, so a document asks for one.",
    example: { document: '{ dnsZoneExport(zoneId: "1") }' },
    isOncePerDocument: true,
    payload: { value: z.string() },
  },
  run: async (work, input) => {
    const { answer, file } = await exported(work, input);
    return { ...answer, body: JSON.stringify(file) };
  },
});

async function exported(work: Work<DnsParts>, input: { readonly zone_id: string }) {
  const answer = await work.call("read_dns_export", input);
  const file = await unlessBusy(work.parts.zoneFiles.write(answer.body ?? "", groupOf(work)));
  return { answer, name: nameIn(answer.body ?? ""), file };
}

/** The name of the zone, the first member: the text of 50,000 records is not parsed here. */
const nameIn = (body: string): string => /^\{"name" : "([^"]+)"/.exec(body)?.[1] ?? "export";
