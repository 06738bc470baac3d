import { createHash, type Hash } from "node:crypto";
import { readArchive } from "./archive-reader.ts";
import { BackupError } from "./backup-error.ts";
import { type Manifest, parseManifest } from "./manifest.ts";

/** Most sections that a backup may have. */
const MOST_SECTIONS = 10_000;

/** The content of the file under one name, as far as it was read. */
interface Section {
  readonly name: string;
  readonly hash: Hash;
  entries: number;
  bytes: number;
}

/**
 * Reads a whole backup and compares it with its manifest, before anything is done with it.
 * @throws BackupError if the file is damaged, cut short, or not a backup
 */
export async function checkArchive(file: string): Promise<Manifest> {
  let manifest: Manifest | null = null;
  const sections: Section[] = [];
  for await (const { section, number, content } of readArchive(file)) {
    if (manifest !== null) throw new BackupError("something follows the manifest: the file is damaged");
    if (section === null) {
      manifest = parseManifest(content.toString("utf8"));
      continue;
    }
    let current = sections.at(-1);
    if (current?.name !== section) {
      if (sections.length > MOST_SECTIONS) throw new BackupError("the file has too many sections: it is not a backup");
      current = { name: section, hash: createHash("sha256"), entries: 0, bytes: 0 };
      sections.push(current);
    }
    if (number !== ++current.entries) {
      throw new BackupError(`${section} has no entry ${current.entries}: the file is damaged`);
    }
    current.bytes += content.length;
    current.hash.update(content);
  }
  if (manifest === null) throw new BackupError("the file has no manifest: it was cut short, or is not a backup");
  compare(manifest, sections);
  return manifest;
}

/** The sections must be those of the manifest, in the same order. A section without content has no entry. */
function compare(manifest: Manifest, sections: readonly Section[]): void {
  const stated = [
    ...manifest.tables.map(({ name, ...content }) => ({ name: `tables/${name}`, ...content })),
    { name: "jobs", ...manifest.jobs },
  ];
  const empty = createHash("sha256").digest("hex");
  for (const { name, bytes, sha256 } of stated) {
    if (bytes === 0 && sha256 !== empty) throw new BackupError(`${name} has a wrong checksum: the file is damaged`);
  }
  const expected = stated.filter(({ bytes }) => bytes > 0);
  for (const [place, { name, bytes, sha256 }] of expected.entries()) {
    const found = sections[place];
    if (found?.name !== name) throw new BackupError(`${name} is missing or in the wrong place: the file is damaged`);
    if (found.bytes !== bytes || found.hash.digest("hex") !== sha256) {
      throw new BackupError(`${name} differs from the manifest (SHA-256): the file is damaged`);
    }
  }
  const more = sections[expected.length];
  if (more) throw new BackupError(`${more.name} is not in the manifest: the file is damaged`);
}
