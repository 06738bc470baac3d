import fs from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import tar from "tar-stream";
import { ENTRY_BYTES } from "./archive-writer.ts";
import { BackupError } from "./backup-error.ts";
import { MANIFEST_ENTRY } from "./manifest.ts";

/** A piece of a backup. */
export interface ArchiveEntry {
  /** The section, such as `tables/signature.proofs`, `jobs` or `objects/<id>`; null for the manifest. */
  readonly section: string | null;
  /** Number within its section, from 1; the manifest is 1. */
  readonly number: number;
  readonly content: Buffer;
}

const ENTRY =
  /^(tables\/[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*|jobs|objects\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(\d{6,9})$/;
/** How the section of an object begins; its id follows. */
export const OBJECT_SECTION = "objects/";

/**
 * Reads the entries of a backup, one at a time in memory. Everything that a backup does not contain is refused: other names,
 * links, entries that are too large.
 * @throws BackupError
 */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const extract = tar.extract();
  const source = pipeline(fs.createReadStream(file), createGunzip(), extract);
  source.catch(() => {}); // its error also ends the iteration below, or is waited for after it
  try {
    for await (const entry of extract) {
      const { name, type, size = 0 } = entry.header;
      const place = name === MANIFEST_ENTRY ? { section: null, number: 1 } : placeOf(name);
      if (place === null || type !== "file")
        throw new BackupError(`${JSON.stringify(name)} does not belong in a backup`);
      if (size > ENTRY_BYTES) throw new BackupError(`${name} is too large for a backup's entry`);
      const pieces: Buffer[] = [];
      for await (const piece of entry) pieces.push(piece as Buffer);
      yield { ...place, content: Buffer.concat(pieces) };
    }
    await source;
  } catch (error) {
    throw readable(error);
  }
}

function placeOf(name: string): { section: string; number: number } | null {
  const [, section, number] = ENTRY.exec(name) ?? [];
  return section === undefined ? null : { section, number: Number(number) };
}

/** Turns errors of gzip and tar about a damaged file, and of the system about a missing file, into words for the person who typed the command. */
function readable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BackupError) return error;
  const { code = "", path } = error as NodeJS.ErrnoException;
  if (path !== undefined) return new BackupError(`the backup cannot be read: ${error.message}`);
  const fromGzipOrTar = code.startsWith("Z_") || /tar|header|end of data|closed/i.test(error.message);
  return fromGzipOrTar
    ? new BackupError(`the file is not a backup, is damaged or was cut short (${error.message})`, { cause: error })
    : error;
}
