import { z } from "zod";
import { invalidRequest } from "../../../errors/app-error.ts";
import type { Answer } from "../../../postgres/call.ts";
import { rowOf, type Work } from "../../../surfaces/operation.ts";
import { forCaller, served } from "../nameserver/served.ts";
import { type DnsParts, operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { asciiName, hasBrokenLabel, zoneName } from "./ascii-name.ts";
import { unlessQueued } from "./busy.ts";
import { isReservedName } from "./reserved-names.ts";

interface Prepared {
  readonly name: string;
  readonly organization: string;
  readonly needs_proof: boolean;
}

/**
 * Makes a zone in two calls of the database, with questions to the public DNS between them.
 * @param command the command that makes the zone
 * @param more its parameters beyond those about the name
 * @param moreOf those that need the name as zones have it
 */
export async function makeZone(
  work: Work<DnsParts>,
  command: "create_dns_zone" | "create_rrset_zone",
  givenName: string,
  more: Readonly<Record<string, unknown>>,
  moreOf: (name: string) => Promise<Readonly<Record<string, unknown>>> = async () => ({}),
): Promise<Answer> {
  const { nameserverNames, ownHosts, delegations } = work.parts;
  const name = asciiName(givenName);
  const is_reserved = isReservedName(zoneName(name), ownHosts);
  const done = await work.prepared<Prepared>("prepare_dns_zone", { name, is_reserved }, async (prepared) => {
    if (hasBrokenLabel(prepared.name))
      throw invalidRequest([
        { field: "name", message: "must have no label that begins with xn-- and cannot be decoded" },
      ]);
    const { organization } = prepared;
    const [public_ns, proofs] = await unlessQueued(
      Promise.all([
        // Where the service names no nameservers, no delegation leads to them.
        nameserverNames === null ? null : delegations.observe(prepared.name, organization),
        prepared.needs_proof ? delegations.proofs(prepared.name, organization) : null,
      ]),
    );
    return work.call(
      command,
      {
        ...more,
        ...(await moreOf(prepared.name)),
        name,
        is_reserved,
        public_ns: public_ns && JSON.stringify(public_ns),
        proofs,
      },
      201,
    );
  });
  return forCaller(work, done);
}

/** Makes a zone. TypeScript knows the public suffixes and which names are the service's own, and asks the public DNS. */
export const createDnsZone = operation({
  name: "createDnsZone",
  command: "prepare_dns_zone",
  records: "create_dns_zone",
  made: ["is_reserved"],
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
      "The zone is served immediately. It stays `pending` until the registrar points the domain at its `nameservers`. Only one organization can register a domain. If another organization has the domain, or has a zone above or below it, the error names a TXT record. Publish that record in the public DNS and repeat the request: it then takes the name, and the names below it, from organizations whose zones are not `active`.",
  },
  graphql: {
    description: "Creates a zone, which is served immediately.",
    payload: {
      name: "CreateDnsZonePayload",
      description: "The zone.",
      members: z.object({ zone: rowOf("dns_zones").meta({ description: "The zone." }) }),
    },
  },
  run: (work, input) => makeZone(work, "create_dns_zone", input.name, { nameservers: work.parts.nameserverNames }),
});

export const deleteDnsZone = operation({
  name: "deleteDnsZone",
  command: "delete_dns_zone",
  made: ["if_match"],
  answers: { nothing: "Deleted, with its records." },
  errors: ["not_found", "precondition_failed"],
  rest: {
    surface: dnsSurface,
    method: "DELETE",
    path: "/orgs/{org_id}/zones/{zone_id}",
    status: 204,
    tag: "Zones",
    summary: "Delete a zone with its records",
    description:
      "The nameservers stop answering for the zone, and its name becomes available. The operator of the service can restore the zone for seven days with `selo zone restore`.",
  },
  graphql: {
    description: "Deletes a zone with its records.",
    payload: {
      name: "DeleteDnsZonePayload",
      description: "The zone has been deleted.",
      members: z.object({ zone_id: z.string().meta({ description: "The zone." }) }),
    },
  },
  run: (work, input) => served(work, "delete_dns_zone", input, 204),
});
