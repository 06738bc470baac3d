import { z } from "zod";
import { AppError, invalidRequest } from "../../../errors/app-error.ts";
import type { Work } from "../../../surfaces/operation.ts";
import { isWritable, UNWRITABLE } from "../../../surfaces/wire-text.ts";
import { forCaller } from "../nameserver/served.ts";
import { type DnsParts, operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { placed, ZoneFileError } from "../zone-file/zone-file-error.ts";
import { MOST_FILE_BYTES } from "../zone-file/zone-file-thread.ts";
import { groupOf, unlessBusy, unlessQueued } from "./busy.ts";

interface Prepared {
  readonly name: string;
  readonly organization: string;
}

const option = (description: string) => z.boolean().default(false).meta({ description });

const input = z.object({
  bind_file: z
    .string()
    .refine(isWritable, UNWRITABLE)
    .optional()
    .meta({ description: "A zone file (RFC 1035) of at most 16 MiB and 200,000 records." }),
  quick_scan: z.boolean().optional().meta({
    description:
      "If true, asks the domain's present nameservers for common names, for ten seconds at most. A zone can be scanned once a minute. Cannot be combined with `replace`, because a scan is never complete.",
  }),
  dry_run: option("If true, nothing is written: the answer says what would change."),
  replace: option("If true, records that are not in the file are deleted."),
  clamp_ttl: option(
    "If true, a TTL outside 60 to 86400 seconds becomes the nearest allowed value. Otherwise, such a record is skipped.",
  ),
});

const skipped = z
  .object({
    line: z
      .int32()
      .nullable()
      .meta({ description: "The line of the file on which the record begins; null for a quick scan." }),
    name: z.string().meta({ description: "The whole name." }),
    type: z.string().meta({ description: "The type." }),
    reason: z.string().meta({
      description: "validation, type_not_supported, out_of_zone, limit, exists or apex.",
    }),
    detail: z.string().meta({ description: "The reason in a sentence." }),
  })
  .meta({ title: "DnsSkippedRecord", description: "A record that was not imported." });

const warning = z
  .object({
    code: z.string().meta({ description: "The warning for programs." }),
    message: z.string().meta({ description: "The warning in a sentence." }),
  })
  .meta({ title: "DnsImportWarning", description: "Something that the caller should know." });

/** What an import did. */
export const importResult = z.object({
  imported: z.int32().meta({ description: "How many records were written." }),
  deleted: z.int32().meta({ description: "How many records were deleted, with `replace`." }),
  skipped: z.int32().meta({ description: "How many records of the file were skipped." }),
  skipped_records: z.array(skipped).meta({ description: "The skipped records, in the order of the file." }),
  warnings: z.array(warning).meta({ description: "What the caller should know." }),
  serial: z.int().meta({ description: "The serial of the zone after the import." }),
  dry_run: z.boolean().meta({ description: "Whether nothing was written." }),
});

/** The file and its members in JSON, of which some characters are escaped. */
const MOST_JSON_BYTES = 2 * MOST_FILE_BYTES;

/** Imports a zone file. TypeScript reads it, SQL judges its records. */
export const importDnsZone = operation({
  name: "importDnsZone",
  command: "prepare_dns_import",
  records: "import_dns_zone",
  made: ["if_match"],
  input,
  mostJsonBytes: MOST_JSON_BYTES,
  answers: { schema: "DnsImport" },
  errors: ["not_found", "import_invalid", "precondition_failed"],
  rest: {
    surface: dnsSurface,
    method: "POST",
    path: "/orgs/{org_id}/zones/{zone_id}/import",
    status: 200,
    tag: "Zones",
    summary: "Import a zone file",
    description:
      "The import skips records that are invalid, that the zone already has, or that exceed the limit of the plan. The answer names each skipped record with its line and the reason. A file that cannot be read returns 422 `import_invalid` with all its faults, and nothing is written. The body may have 32 MiB, and the file in it 16 MiB and 200,000 records.",
  },
  graphql: {
    description: "Imports a zone file into a zone, in one change. A GraphQL request has at most 1 MiB.",
    payload: { name: "ImportDnsZonePayload", description: "What was imported.", members: importResult },
  },
  run: async (work, { zone_id, bind_file, quick_scan = false, ...options }) =>
    forCaller(
      work,
      await work.prepared<Prepared>("prepare_dns_import", { zone_id }, async ({ name, organization }) => {
        if ((bind_file === undefined) !== quick_scan)
          throw invalidRequest([{ field: "bind_file", message: "must be given, or quick_scan true, and not both" }]);
        if (bind_file === undefined) {
          if (options.replace)
            throw invalidRequest([
              { field: "replace", message: "cannot go with quick_scan: a scan is never complete" },
            ]);
          const begin = () => beginScan(work, zone_id);
          const { records, warnings } = await unlessQueued(work.parts.quickScans.scan(name, organization, begin));
          return work.call(
            "import_dns_zone",
            { zone_id, records, ...options, warnings: JSON.stringify(warnings) },
            200,
          );
        }
        const { zoneFiles } = work.parts;
        return unlessBusy(
          zoneFiles.import(async () => {
            const { records, warnings } = await zoneFiles
              .read(bind_file, name, groupOf(work))
              .catch((error: unknown) => {
                throw error instanceof ZoneFileError ? unreadable(placed(error)) : error;
              });
            return work.call(
              "import_dns_zone",
              { zone_id, records, ...options, warnings: JSON.stringify(warnings) },
              200,
            );
          }, organization),
        );
      }),
    ),
});

/** All faults of a file: each is a field, and the detail has all of them. */
const unreadable = (faults: readonly string[]) =>
  new AppError(
    422,
    "import_invalid",
    faults.join("; "),
    faults.map((message) => ({ field: "bind_file", message })),
  );

/** @throws AppError 429 rate_limited if the zone was scanned less than a minute ago */
async function beginScan(
  { parts, requester }: Pick<Work<DnsParts>, "parts" | "requester">,
  zone_id: string,
): Promise<void> {
  const { body } = await parts.database.call({
    credentialHash: requester.credentialHash,
    command: "begin_dns_scan",
    arguments: { zone_id },
    origin: requester.origin,
    // The key of the request belongs to the import.
    idempotency: null,
  });
  const { wait_seconds } = JSON.parse(body ?? "{}") as { readonly wait_seconds: number };
  if (wait_seconds > 0)
    throw new AppError(
      429,
      "rate_limited",
      "A zone is scanned once a minute. Retry-After says when it can be scanned again.",
      undefined,
      {
        retryAfterSeconds: wait_seconds,
      },
    );
}
