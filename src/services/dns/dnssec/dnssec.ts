import { z } from "zod";
import type { Work } from "../../../surfaces/operation.ts";
import { instruction, setupLanguage } from "../delegation/setup-words.ts";
import { forCaller, served } from "../nameserver/served.ts";
import { type DnsParts, operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { makeKeyForZone } from "./dnssec-keys.ts";
import { dnssecFacts, dnssecInstructions } from "./dnssec-steps.ts";

const DNSSEC = "/orgs/{org_id}/zones/{zone_id}/dnssec";

const key = z
  .object({
    key_id: z.int32().meta({ description: "Id of the key." }),
    active: z.boolean().meta({ description: "Whether the key signs. Every key of a zone does." }),
    dnskey: z.string().meta({ description: "The DNSKEY record of the key, which the zone serves: `257 3 13 …`." }),
    ds_records: z.array(z.string()).meta({
      description: "The DS records of the key, with SHA-256 and SHA-384. Publish one or both of them at the registrar.",
    }),
    algorithm: z.string().meta({ description: "ECDSAP256SHA256." }),
    created_at: z.iso.datetime().meta({ description: "When the key was created (UTC)." }),
  })
  .meta({ title: "DnssecStatusKey", description: "A key that signs a zone." });

const warning = z
  .object({
    code: z.string().meta({
      description:
        "The warning for programs: ds_still_published, ds_without_key, new_ds_not_seen or lower_zone_undelegated.",
    }),
    message: z.string().meta({ description: "The warning in a sentence." }),
  })
  .meta({ title: "DnssecWarning", description: "Something that the owner of the zone should know." });

/** What every DNSSEC endpoint answers. */
export const dnssecStatus = z.object({
  enabled: z.boolean().meta({ description: "Whether the zone is signed." }),
  keys: z.array(key).meta({
    description: "The keys of the zone, oldest first: one, two during a rotation, or none if DNSSEC is disabled.",
  }),
  chain: z.string().meta({
    description:
      "The state of the DS records that the parent published at the last check: `unsigned` (the zone has no keys), `no_ds` (none), `ds_published` (one of them belongs to a key of the zone), " +
      "`broken` (some, but none belongs to a key of the zone: validating resolvers refuse the answers of an active zone), `unknown` (no check has found out yet). The service itself validates no signatures.",
  }),
  warnings: z
    .array(warning)
    .meta({ description: "What the owner of the zone should know. A warning never causes an error." }),
});

const shown = (name: string) => ({ name, description: "Keys of a zone, and their DS records.", members: dnssecStatus });
const answers = { schema: "DnssecStatus" } as const;
const path = { surface: dnsSurface, tag: "DNSSEC" } as const;

export const readDnssec = operation({
  name: "readDnssec",
  command: "read_dnssec",
  answers,
  errors: ["not_found"],
  rest: { ...path, method: "GET", path: DNSSEC, status: 200, summary: "Read the keys of a zone" },
  run: ({ call }, input) => call("read_dnssec", input),
});

/** What GraphQL shows beside the status: the steps in words, for pages. */
interface StepsFacts {
  readonly dnssec: z.output<typeof dnssecStatus>;
  readonly zone: { readonly id: number; readonly name: string; readonly status: string };
  readonly parent_ds: readonly string[] | null;
  readonly language: string;
}

/** The same with the remaining steps, as of the last check: it does not ask the public DNS. */
export const dnssecSteps = operation({
  name: "dnssecSteps",
  command: "read_dnssec_steps",
  errors: ["not_found"],
  rest: null,
  graphql: {
    field: "dnssec",
    description:
      "Keys of a zone, which of their DS records the parent publishes, and the remaining steps, all as of the last check. The steps are in English or Brazilian Portuguese, as `Accept-Language` asks. Without that header, they are in the language of the organization.",
    example: { document: '{ dnssec(zoneId: "1") { enabled chain instructions { step title text done } } }' },
    payload: {
      ...shown("DnssecStatus"),
      members: dnssecStatus.extend({
        instructions: z.array(instruction).meta({
          description:
            "What is left to do until the zone is signed and everybody can validate its answers, in order; in a rotation, until the new key has taken over.",
        }),
      }),
    },
  },
  run: async ({ call, requester }, input) => {
    const { body, ...answer } = await call("read_dnssec_steps", input);
    const { dnssec, zone, parent_ds, language: ofOrganization } = JSON.parse(body ?? "") as StepsFacts;
    const language = setupLanguage(requester.ofHeaders?.["accept_language"] ?? null, ofOrganization);
    const delegated = zone.status === "active";
    const facts = dnssecFacts(zone, dnssec, { delegated, elsewhere: !delegated, parent_ds });
    return {
      ...answer,
      body: JSON.stringify({ ...dnssec, instructions: dnssecInstructions(facts, language, "page") }),
      headers: { "Content-Language": language },
    };
  },
});

/** Prepare, make a key, record. */
const withNewKey = async (
  work: Work<DnsParts>,
  zone_id: string,
  command: "enable_dnssec" | "rotate_dnssec",
  status: number,
) =>
  forCaller(
    work,
    await work.prepared<Parameters<typeof makeKeyForZone>[1]>(
      "prepare_dnssec_key",
      { zone_id, is_rotation: command === "rotate_dnssec" },
      (zone) => work.call(command, { zone_id, ...makeKeyForZone(work.parts.masterKeys, zone) }, status),
    ),
  );

export const enableDnssec = operation({
  name: "enableDnssec",
  command: "prepare_dnssec_key",
  records: "enable_dnssec",
  made: ["if_match", "is_rotation"],
  answers,
  errors: ["not_found", "dnssec_enabled", "precondition_failed"],
  rest: {
    ...path,
    method: "POST",
    path: DNSSEC,
    status: 201,
    summary: "Enable DNSSEC",
    description:
      "The zone gets a key and is signed from the first query after this answer. Then publish one of `ds_records` at the registrar. Never publish it earlier: without the key, the domain fails for validating resolvers.",
  },
  graphql: { description: "Signs a zone with a new key.", payload: shown("EnableDnssecPayload") },
  run: (work, { zone_id }) => withNewKey(work, zone_id, "enable_dnssec", 201),
});

export const rotateDnssec = operation({
  name: "rotateDnssec",
  command: "prepare_dnssec_key",
  records: "rotate_dnssec",
  made: ["if_match", "is_rotation"],
  answers,
  errors: ["not_found", "dnssec_disabled", "rotation_in_progress", "precondition_failed"],
  rest: {
    ...path,
    method: "POST",
    path: `${DNSSEC}/rotate`,
    status: 200,
    summary: "Begin to rotate the key of a zone",
    description:
      "The zone gets a second key, and both keys sign. Publish the new DS record beside the old one. Remove the old DS record once the parent and the caches have the new one. Then remove the old key.",
  },
  graphql: { description: "Gives a signed zone a second key. Both keys sign.", payload: shown("RotateDnssecPayload") },
  run: (work, { zone_id }) => withNewKey(work, zone_id, "rotate_dnssec", 200),
});

export const deleteDnssecKey = operation({
  name: "deleteDnssecKey",
  command: "delete_dnssec_key",
  made: ["if_match"],
  answers,
  errors: ["not_found", "last_key", "precondition_failed"],
  rest: {
    ...path,
    method: "DELETE",
    path: `${DNSSEC}/keys/{key_id}`,
    status: 200,
    summary: "Remove a key of a zone",
    description: "The removed key no longer signs. First remove its DS record at the registrar.",
  },
  graphql: {
    description: "Removes one of two keys of a zone.",
    gone: "key_id",
    payload: {
      ...shown("DeleteDnssecKeyPayload"),
      members: dnssecStatus.extend({ key_id: z.string().meta({ description: "The id that went. Id of the key." }) }),
    },
  },
  run: (work, input) => served(work, "delete_dnssec_key", input),
});

export const disableDnssec = operation({
  name: "disableDnssec",
  command: "disable_dnssec",
  made: ["if_match"],
  answers,
  errors: ["not_found", "confirm_required", "dnssec_disabled", "precondition_failed"],
  rest: {
    ...path,
    method: "DELETE",
    path: DNSSEC,
    status: 200,
    summary: "Disable DNSSEC",
    description:
      "The zone is no longer signed, and its keys are deleted. First remove its DS records at the registrar, and wait until they have expired from the caches of resolvers.",
  },
  graphql: {
    description: "Removes the keys of a zone, which is then no longer signed.",
    payload: shown("DisableDnssecPayload"),
  },
  run: (work, input) => served(work, "disable_dnssec", input),
});
