import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeBackup } from "../../src/postgres/backup/make-backup.ts";
import type { OpenObjects } from "../../src/postgres/backup/objects.ts";
import { type Restored, restoreBackup } from "../../src/postgres/backup/restore-backup.ts";
import type { SqlSource } from "../../src/postgres/migrate/sql-source.ts";
import type { TestDatabase } from "./database.ts";

/** A folder for the backups of one test file. */
export function backupFolder(): { readonly path: string; file(name: string): string; remove(): void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-backup-"));
  return {
    path: folder,
    file: (name) => path.join(folder, name),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** The storage of a database whose rows name no content. */
const unused: OpenObjects = () => {
  throw new Error("no row names stored content");
};

export const backUp = (database: Pick<TestDatabase, "adminUrl">, file: string, objects = unused) =>
  makeBackup({ adminUrl: database.adminUrl, file, seloVersion: "0.0.0-test", objects });

export const restore = (
  database: Pick<TestDatabase, "adminUrl" | "appUrl" | "workerUrl">,
  file: string,
  source?: SqlSource,
  objects = unused,
): Promise<Restored> =>
  restoreBackup({
    adminUrl: database.adminUrl,
    serviceUrls: [database.appUrl, database.workerUrl],
    file,
    objects,
    ...(source ? { source } : {}),
  });
