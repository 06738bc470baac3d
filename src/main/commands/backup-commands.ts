import fs from "node:fs";
import type { Command } from "commander";
import { existingStorage, openStorage } from "../../adapters/storage/open-storage.ts";
import type { Config } from "../../config/config.ts";
import { makeBackup } from "../../postgres/backup/make-backup.ts";
import type { Manifest } from "../../postgres/backup/manifest.ts";
import type { MissingObjects } from "../../postgres/backup/objects.ts";
import { type Restored, restoreBackup } from "../../postgres/backup/restore-backup.ts";
import { type Databases, openDatabases, openExistingDatabases } from "../../postgres/databases.ts";
import { readSqlSource } from "../../postgres/migrate/sql-source.ts";
import { Operator } from "../../postgres/operator/operator.ts";
import type { CommandHouse } from "../../services/service.ts";
import { counted, print } from "../../surfaces/cli/print.ts";
import { existingMasterKeysOf } from "../master-key.ts";
import { serviceUrls, writeSettings } from "../prepare-database.ts";

/** `selo backup | restore`: all data of a deployment in one file, its stored content included, and back. */
export function addBackupCommands(program: Command, house: CommandHouse, seloVersion: string): void {
  program
    .command("backup")
    .argument("<file>", "the file to write; it must not exist yet")
    .option("--json", "print JSON")
    .action(async (file: string, { json }: { json?: boolean }) => {
      const manifest = await withDatabases(house, openExistingDatabases, (databases) =>
        makeBackup({ adminUrl: databases.adminUrl, file, seloVersion, objects: () => existingStorage(house.config()) }),
      );
      const made = { file, bytes: fs.statSync(file).size, ...summary(manifest) };
      print(json, made, () =>
        [
          `${file}: ${made.bytes} bytes, ${made.rows} rows of ${made.tables} tables, ${made.jobs} jobs, ${counted(made.objects, "object")}, as of ${made.taken_at}`,
          ...describeMissing("the backup", manifest.objects.missing),
          `The backup does not contain the master key (id ${made.master_key_ids.join(", ")}). Without that key no proof can be sealed after a restore.`,
        ].join("\n"),
      );
      if (manifest.objects.missing.count > 0) process.exitCode = 1;
    });

  program
    .command("restore")
    .argument("<file>", "a file written by selo backup")
    .option("--json", "print JSON")
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { restored, masterKeyFits, unmade } = await withDatabases(
        house,
        openDatabases,
        async (databases, config) => {
          const restored = await restoreBackup({
            adminUrl: databases.adminUrl,
            serviceUrls: serviceUrls(config, databases, house.services),
            source: readSqlSource(house.services),
            file,
            objects: () => openStorage(config),
          });
          const unmade = await finish(house, databases, restored.manifest);
          return { restored, masterKeyFits: opens(config, restored.manifest), unmade };
        },
      );
      const { logins, upgraded } = restored;
      const result = {
        ...summary(restored.manifest, restored.missing),
        upgraded,
        not_made: unmade,
        master_key_fits: masterKeyFits,
        logins: {
          made: logins.made,
          without_password: logins.withoutPassword,
          existing: logins.existing,
          not_made: logins.notMade,
        },
      };
      print(json, result, () => describe(restored, masterKeyFits, unmade));
      if (restored.missing.count + unmade.length > 0) process.exitCode = 1;
    });
}

async function withDatabases<Result>(
  house: CommandHouse,
  open: typeof openDatabases,
  work: (databases: Databases, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = house.config();
  const databases = await open(config, () => {});
  try {
    return await work(databases, config);
  } finally {
    await databases.close();
  }
}

/**
 * Replaces the restored settings by those of this deployment, makes derived schemas again, and records the restore in the audit trail.
 * @returns what of derived schemas could not be made
 */
async function finish(
  { config, services }: CommandHouse,
  databases: Databases,
  manifest: Manifest,
): Promise<readonly string[]> {
  const operator = await Operator.connect(databases.adminUrl);
  try {
    await writeSettings(config(), operator, services);
    const masterKeys = existingMasterKeysOf(config());
    const unmade: string[] = [];
    for (const { rebuild } of services) unmade.push(...((await rebuild?.(operator, masterKeys)) ?? []));
    await operator.audit.recordRestore(manifest.taken_at, manifest.selo_version);
    return unmade;
  } finally {
    await operator.close();
  }
}

/** Whether the configured master keys decrypt the backup's seeds; null if none is configured. */
function opens(config: Config, manifest: Manifest): boolean | null {
  const keys = existingMasterKeysOf(config);
  return keys && manifest.master_key.ids.every((id) => keys.has(id));
}

function summary(manifest: Manifest, missing: MissingObjects = manifest.objects.missing) {
  return {
    taken_at: manifest.taken_at,
    migrations: manifest.migrations.map(({ name }) => name),
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    jobs: manifest.jobs.rows,
    objects: manifest.objects.count,
    object_bytes: manifest.objects.bytes,
    missing_objects: missing.count,
    missing: missing.rows,
    master_key_ids: manifest.master_key.ids,
  };
}

/** Which rows are without their content; `holder` lacks it. */
const describeMissing = (holder: string, { count, rows }: MissingObjects): string[] => [
  ...rows.map((row) => `MISSING: ${holder} has no content of ${row}`),
  ...(count > rows.length ? [`MISSING: and ${count - rows.length} more`] : []),
];

function describe(
  { manifest, upgraded, logins, missing }: Restored,
  masterKeyFits: boolean | null,
  unmade: readonly string[],
): string {
  const { rows, tables, jobs, objects, taken_at, master_key_ids } = summary(manifest);
  const lines = [
    `restored ${rows} rows of ${tables} tables, ${jobs} jobs and ${counted(objects, "object")}, as of ${taken_at}; each table read back and compared`,
    ...describeMissing("the storage", missing),
    ...unmade.map((line) => `MISSING: ${line}`),
    ...upgraded.map((name) => `applied ${name}`),
    ...logins.made.map((login) => `analyst ${login}: created, with its old password`),
    ...logins.existing.map((login) => `analyst ${login}: exists already, left unchanged`),
    ...logins.withoutPassword.map((login) => `analyst ${login}: created without a password; set one`),
    ...logins.notMade.map((login) => `analyst ${login}: NOT created; create the login and grant it selo_analyst`),
  ];
  if (masterKeyFits !== true) {
    const configured = masterKeyFits === null ? "no master key is configured" : "a different master key is configured";
    lines.push(`The platform keys need the master key with id ${master_key_ids.join(", ")}: ${configured}.`);
  }
  return lines.join("\n");
}
