import type { ZipEntry } from "./zip.ts";

/** What belongs to a dossier that somebody may have unpacked and packed anew. */
interface DossierEntries {
  /** By the names that they have in the dossier. */
  readonly entries: readonly ZipEntry[];
  /** Names of files that a system laid beside these: they are not looked at. */
  readonly setAside: readonly string[];
}

/** What macOS and Windows keep of folders: icons, places, attributes. */
const OF_SYSTEMS = /^__MACOSX\/(?:.*\/)?\._[^/]+$|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;
const EVIDENCE = "evidence.json";

/** The files of a dossier in a ZIP. Whoever packs a folder anew may pack the folder itself, and systems add files of their own. */
export function dossierEntries(all: readonly ZipEntry[]): DossierEntries {
  const setAside = all.filter(({ name }) => OF_SYSTEMS.test(name)).map(({ name }) => name);
  const own = all.filter(({ name }) => !OF_SYSTEMS.test(name));
  const folder = /^[^/]+\//.exec(own[0]?.name ?? "")?.[0] ?? "";
  const isOneFolder =
    folder !== "" &&
    own.some(({ name }) => name === folder + EVIDENCE) &&
    own.every(({ name }) => name.startsWith(folder));
  return {
    entries: isOneFolder ? own.map((entry) => ({ ...entry, name: entry.name.slice(folder.length) })) : own,
    setAside,
  };
}
