import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { asciiName, zoneName } from "./ascii-name.ts";
import { isReservedName } from "./reserved-names.ts";
import { served } from "./served.ts";

/** Makes a zone. TypeScript knows the public suffixes, and which names are the service's own. */
export const createDnsZone = operation({
  name: "createDnsZone",
  command: "create_dns_zone",
  made: ["is_reserved", "nameservers"],
  answers: { schema: "DnsZone" },
  errors: ["zone_exists", "zone_not_allowed", "zone_limit_reached"],
  rest: {
    surface: dnsSurface,
    method: "POST",
    path: "/orgs/{org_id}/zones",
    status: 201,
    tag: "Zones",
    summary: "Create a zone",
    description:
      "The zone is served at once, and stays `pending` until the registrar points the domain at its `nameservers`. " +
      "A domain is registered once in the whole service.",
  },
  graphql: {
    description: "Makes a zone, which is served at once.",
    payload: {
      name: "CreateDnsZonePayload",
      description: "The zone.",
      members: z.object({ zone: rowOf("dns_zones").meta({ description: "The zone." }) }),
    },
  },
  run: (work, input) => {
    const { nameserverNames, ownHosts } = work.parts;
    const name = asciiName(input.name);
    const is_reserved = isReservedName(zoneName(name), ownHosts);
    return served(work, "create_dns_zone", { name, is_reserved, nameservers: nameserverNames }, 201);
  },
});

export const deleteDnsZone = operation({
  name: "deleteDnsZone",
  command: "delete_dns_zone",
  answers: { nothing: "Deleted, with its records." },
  errors: ["not_found"],
  rest: {
    surface: dnsSurface,
    method: "DELETE",
    path: "/orgs/{org_id}/zones/{zone_id}",
    status: 204,
    tag: "Zones",
    summary: "Delete a zone with its records",
    description:
      "The nameservers stop answering for it, and its name is free. For seven days the operator of the service can restore it: `selo zone restore`.",
  },
  graphql: {
    description: "Deletes a zone with its records.",
    payload: {
      name: "DeleteDnsZonePayload",
      description: "The zone is gone.",
      members: z.object({ zone_id: z.string().meta({ description: "The zone." }) }),
    },
  },
  run: (work, input) => served(work, "delete_dns_zone", input, 204),
});
