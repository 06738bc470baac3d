import { z } from "zod";
import { AppError } from "../../../errors/app-error.ts";
import type { Answer } from "../../../postgres/call.ts";
import type { Work } from "../../../surfaces/operation.ts";
import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { makeKeyForZone } from "../dnssec/dnssec-keys.ts";
import { served } from "../nameserver/served.ts";
import { type DnsParts, operation } from "../parts.ts";
import { groupOf, unlessBusy } from "../zones/busy.ts";
import { makeZone } from "../zones/change-zones.ts";
import { MOST_RRSET_BYTES, nameOf, rrsets, zoneOfId } from "./power-dns-input.ts";
import { powerDnsSurface, powerDnsVersions } from "./power-dns-surface.ts";

/** The version whose API this is. Some clients do without requests that older versions lack. */
const VERSION = "4.7.3";
const BASE = "/api/v1/servers/localhost";
const SERVER = {
  type: "Server",
  id: "localhost",
  daemon_type: "authoritative",
  version: VERSION,
  url: BASE,
  config_url: `${BASE}/config{/config_setting}`,
  zones_url: `${BASE}/zones{/zone}`,
};

const ZONES = "/localhost/zones";
const ZONE = `${ZONES}/{zone}`;
/** What the API description of other surfaces shows of a path. */
const as = (summary: string) => ({ surface: powerDnsSurface, tag: "PowerDNS", summary });

/** An answer that says nothing of the organization. The key is asked for all the same. */
const fixed = (name: string, surface: typeof powerDnsSurface, path: string, body: unknown) =>
  operation({
    name,
    command: "read_dns_me",
    answers: { schema: "PowerDns" },
    rest: { ...as("What the server is"), surface, method: "GET", path, status: 200 },
    run: async ({ call }) => ({ ...(await call("read_dns_me", {})), body: JSON.stringify(body) }),
  });

const result = (name: string, what: string, words: string) =>
  operation({
    name,
    command: "find_rrset_zone",
    answers: { schema: "PowerDns" },
    rest: { ...as(`Have a zone ${what}`), method: "PUT", path: `${ZONE}/${what}`, status: 200 },
    run: async ({ call }, { zone }): Promise<Answer> => ({
      ...(await call("find_rrset_zone", { zone: zoneOfId(zone) })),
      body: JSON.stringify({ result: words }),
    }),
  });

/** Makes a key for a zone to come. The id that the zone will have is taken first: the private key is encrypted for it. */
async function keyOf({ parts, requester }: Work<DnsParts>, name: string) {
  const { body } = await parts.database.call({
    credentialHash: requester.credentialHash,
    command: "take_dns_zone_id",
    arguments: {},
    origin: requester.origin,
    // The key of the request belongs to the command that makes the zone.
    idempotency: null,
  });
  const { id } = JSON.parse(body ?? "null") as { readonly id: number };
  return { key: { zone_id: id, ...makeKeyForZone(parts.masterKeys, { id, name, key_tags: [] }) } };
}

/** Kinds whose content would come from other servers. */
const COPIED = /^(slave|secondary|consumer|producer)$/i;

const createRrsetZone = operation({
  name: "createRrsetZone",
  command: "prepare_dns_zone",
  records: "create_rrset_zone",
  input: z.object({
    kind: wireText(20).nullish(),
    dnssec: z.boolean().nullish(),
    zone: z.unknown().optional(),
    rrsets: rrsets.default([]),
    nameservers: z.array(wireText(1000)).max(20).default([]),
  }),
  made: ["is_reserved"],
  mostJsonBytes: MOST_RRSET_BYTES,
  answers: { schema: "PowerDns" },
  errors: ["zone_exists", "zone_not_allowed", "zone_limit_reached", "record_invalid"],
  rest: { ...as("Create a zone"), method: "POST", path: ZONES, status: 201 },
  run: (work, { kind, dnssec, zone, name, ...input }) => {
    if (COPIED.test(kind ?? ""))
      throw new AppError(422, "record_invalid", "kind must be Native: zones are not copied to or from other servers.");
    if (zone !== undefined && zone !== null && zone !== "")
      throw new AppError(422, "record_invalid", "zone is not read: send rrsets, or import the zone file afterwards.");
    if (!name.endsWith("."))
      throw new AppError(422, "record_invalid", `DNS Name '${name}' is not canonical: it has no final dot.`);
    const more = { ...input, known_nameservers: work.parts.nameserverNames };
    const ascii = nameOf(name);
    return makeZone(work, "create_rrset_zone", ascii, more, dnssec ? (zoneName) => keyOf(work, zoneName) : undefined);
  },
});

const changeRrsetZone = operation({
  name: "changeRrsetZone",
  command: "change_rrset_zone",
  input: z.object({ rrsets }),
  mostJsonBytes: MOST_RRSET_BYTES,
  answers: { nothing: "Changed." },
  errors: ["not_found", "record_invalid", "record_exists", "record_conflict", "record_limit_reached"],
  rest: { ...as("Change sets of records"), method: "PATCH", path: ZONE, status: 204 },
  run: (work, { zone, ...input }) => served(work, "change_rrset_zone", { ...input, zone: zoneOfId(zone) }, 204),
});

const deleteRrsetZone = operation({
  name: "deleteRrsetZone",
  command: "delete_rrset_zone",
  answers: { nothing: "Deleted." },
  errors: ["not_found"],
  rest: { ...as("Delete a zone"), method: "DELETE", path: ZONE, status: 204 },
  run: (work, { zone }) => served(work, "delete_rrset_zone", { zone: zoneOfId(zone) }, 204),
});

const listRrsetZones = operation({
  name: "listRrsetZones",
  command: "list_rrset_zones",
  answers: { schema: "PowerDns" },
  rest: { ...as("List zones"), method: "GET", path: ZONES, status: 200 },
  run: ({ call }, { zone, ...input }) =>
    call("list_rrset_zones", { ...input, ...(typeof zone === "string" ? { zone: nameOf(zone) } : {}) }),
});

const getRrsetZone = operation({
  name: "getRrsetZone",
  command: "get_rrset_zone",
  answers: { schema: "PowerDns" },
  errors: ["not_found"],
  rest: { ...as("Read a zone with its records"), method: "GET", path: ZONE, status: 200 },
  run: ({ call }, { zone, rrset_name, ...input }) =>
    call("get_rrset_zone", {
      ...input,
      ...(typeof rrset_name === "string" ? { rrset_name: nameOf(rrset_name) } : {}),
      zone: zoneOfId(zone),
    }),
});

const listRrsetKeys = operation({
  name: "listRrsetKeys",
  command: "list_rrset_keys",
  answers: { schema: "PowerDns" },
  errors: ["not_found"],
  rest: { ...as("List the keys that sign a zone"), method: "GET", path: `${ZONE}/cryptokeys`, status: 200 },
  run: ({ call }, { zone }) => call("list_rrset_keys", { zone: zoneOfId(zone) }),
});

const exportRrsetZone = operation({
  name: "exportRrsetZone",
  command: "read_rrset_export",
  answers: { file: "text/plain", description: "The zone file." },
  errors: ["not_found"],
  rest: { ...as("Export a zone"), method: "GET", path: `${ZONE}/export`, status: 200 },
  run: async (work, { zone }) => {
    const { body } = await work.call("read_rrset_export", { zone: zoneOfId(zone) });
    const file = await unlessBusy(work.parts.zoneFiles.write(body ?? "", groupOf(work)));
    return {
      file: bytesInMemory(Buffer.from(file)),
      contentType: "text/plain; charset=utf-8",
      fileName: "export.zone",
    };
  },
});

/** The API of PowerDNS, for its clients. */
export const powerDnsOperations = [
  fixed("listPowerDnsVersions", powerDnsVersions, "", [{ version: 1, url: "/api/v1" }]),
  fixed("listPowerDnsServers", powerDnsSurface, "", [SERVER]),
  fixed("getPowerDnsServer", powerDnsSurface, "/localhost", SERVER),
  listRrsetZones,
  createRrsetZone,
  getRrsetZone,
  changeRrsetZone,
  deleteRrsetZone,
  result("notifyRrsetZone", "notify", "Notification queued"),
  result("rectifyRrsetZone", "rectify", "Rectified"),
  listRrsetKeys,
  exportRrsetZone,
];
