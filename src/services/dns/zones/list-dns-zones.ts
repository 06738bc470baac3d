import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { asciiName } from "./ascii-name.ts";

/** Lists zones. SQL does not know A-labels. */
export const listDnsZones = operation({
  name: "listDnsZones",
  command: "list_dns_zones",
  answers: { schema: "DnsZoneList" },
  rest: {
    surface: dnsSurface,
    method: "GET",
    path: "/orgs/{org_id}/zones",
    status: 200,
    tag: "Zones",
    summary: "List all zones by name",
    description: "All zones of the key's organization, or with `limit` a page of them.",
  },
  run: ({ call }, { name, search, ...page }) =>
    call("list_dns_zones", {
      ...page,
      ...(typeof name === "string" ? { name: asciiName(name) } : {}),
      ...(typeof search === "string" ? { search: asciiName(search) } : {}),
    }),
});
