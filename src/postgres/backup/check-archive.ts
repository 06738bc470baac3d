import { createHash, type Hash } from "node:crypto";
import { OBJECT_SECTION, readArchive } from "./archive-reader.ts";
import { BackupError } from "./backup-error.ts";
import { type Manifest, parseManifest } from "./manifest.ts";
import { ObjectsDigest } from "./objects.ts";

/** Most sections that a backup may have, objects aside. */
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
  const objects = new ObjectsDigest();
  let current: Section | undefined;
  const end = () => {
    if (current?.name.startsWith(OBJECT_SECTION))
      objects.add(current.name.slice(OBJECT_SECTION.length), ended(current));
    else if (current !== undefined) sections.push(current);
  };
  for await (const { section, number, content } of readArchive(file)) {
    if (manifest !== null) throw new BackupError("something follows the manifest: the file is damaged");
    if (section === null) {
      end();
      manifest = parseManifest(content.toString("utf8"));
      continue;
    }
    if (current?.name !== section) {
      end();
      if (sections.length > MOST_SECTIONS) throw new BackupError("the file has too many sections: it is not a backup");
      if (objects.count > 0 && !section.startsWith(OBJECT_SECTION))
        throw new BackupError(`${section} is in the wrong place: the file is damaged`);
      current = { name: section, hash: createHash("sha256"), entries: 0, bytes: 0 };
    }
    if (number !== ++current.entries) {
      throw new BackupError(`${section} has no entry ${current.entries}: the file is damaged`);
    }
    current.bytes += content.length;
    current.hash.update(content);
  }
  if (manifest === null) throw new BackupError("the file has no manifest: it was cut short, or is not a backup");
  compare(manifest, sections);
  const { count, bytes, sha256 } = objects.end();
  const stated = manifest.objects;
  if (count !== stated.count)
    throw new BackupError(`the file has ${count} objects, the manifest says ${stated.count}: the file is damaged`);
  if (bytes !== stated.bytes || sha256 !== stated.sha256)
    throw new BackupError("the objects differ from the manifest (SHA-256): the file is damaged");
  return manifest;
}

const ended = ({ bytes, hash }: Section) => ({ bytes, sha256: hash.digest("hex") });

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
