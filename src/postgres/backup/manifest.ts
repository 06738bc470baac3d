import { createHash } from "node:crypto";
import { z } from "zod";
import { BackupError } from "./backup-error.ts";

/** Increased when an older Selo could no longer read a backup correctly. Format 1 had no objects. */
export const FORMAT = 2;
/** The last entry of a backup; a file that was cut short lacks it. */
export const MANIFEST_ENTRY = "manifest.json";

/** Names of our tables, sequences and schemas; such a name is also a valid name of a tar entry. */
export const QUALIFIED_NAME = /^[a-z_][a-z0-9_]{0,62}\.[a-z_][a-z0-9_]{0,62}$/;

const count = z.int().nonnegative();
const digest = z.string().regex(/^[0-9a-f]{64}$/);
/** Size and SHA-256 of the content of a section's entries, one after the other. */
const content = { rows: count, bytes: count, sha256: digest };

/** What a backup of format 1 says of objects, by saying nothing: it was made before there were any. */
const NO_OBJECTS = {
  count: 0,
  bytes: 0,
  sha256: createHash("sha256").digest("hex"),
  missing: { count: 0, rows: [] },
};

const manifestSchema = z.strictObject({
  format: z.literal([1, FORMAT]),
  selo_version: z.string().max(64),
  postgres_version: z.string().max(64),
  taken_at: z.iso.datetime(),
  migrations: z.array(z.strictObject({ name: z.string().max(100), hash: digest })).max(10_000),
  tables: z
    .array(
      z.strictObject({
        name: z.string().regex(QUALIFIED_NAME),
        columns: z.array(z.string().max(63)).max(1_600),
        ...content,
      }),
    )
    .max(10_000),
  sequences: z
    .array(z.strictObject({ name: z.string().regex(QUALIFIED_NAME), last_value: z.int(), is_called: z.boolean() }))
    .max(10_000),
  jobs: z.strictObject(content),
  /** The stored content that the rows name; `sha256` is that of ObjectsDigest. */
  objects: z
    .strictObject({
      count,
      bytes: count,
      sha256: digest,
      /** Rows whose content the storage did not have: the backup lacks it, too. */
      missing: z.strictObject({ count, rows: z.array(z.string().max(500)).max(1_000) }),
    })
    .default(NO_OBJECTS),
  analysts: z
    .array(
      z.strictObject({
        login: z.string().min(1).max(63),
        /** In Postgres' form (RFC 5803); null if the administrator who made the backup could not read it. */
        verifier: z
          .string()
          .regex(/^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$/)
          .max(500)
          .nullable(),
      }),
    )
    .max(100_000),
  master_key: z.strictObject({ included: z.literal(false), ids: z.array(z.string().regex(/^[0-9a-f]{8}$/)) }),
});

/** The description of a backup inside the backup. */
export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestTable = Manifest["tables"][number];
export type AnalystLogin = Manifest["analysts"][number];

/** @throws BackupError if the format is newer, or if the text is not a manifest */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupError(`${MANIFEST_ENTRY} is not JSON: the file is damaged`);
  }
  const format = z.object({ format: z.int() }).safeParse(value);
  if (format.success && format.data.format > FORMAT) {
    throw new BackupError(
      `the backup has format ${format.data.format}, this version reads ${FORMAT}: run a newer Selo`,
    );
  }
  const manifest = manifestSchema.safeParse(value);
  if (manifest.success) return manifest.data;
  const [first] = manifest.error.issues;
  throw new BackupError(`${MANIFEST_ENTRY}: ${first?.path.join(".") || "it"} is wrong: the file is damaged`);
}
