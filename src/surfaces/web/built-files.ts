import fs from "node:fs";
import path from "node:path";

/** The folder of pages in a build. */
export const PAGES_FOLDER = "pages";
/** The list of pages in that folder: a JSON array of {@link PageEntry}. */
export const PAGE_LIST = "pages.json";

/** A page of the build. Each of its languages is a file, such as `trust.pt-BR.html`. */
export interface PageEntry {
  readonly name: string;
  /** Where it is served, as Fastify writes routes; null for a page that stands in place of others. */
  readonly path: string | null;
  readonly languages: readonly string[];
  /** Whether search engines may list it. */
  readonly isListed: boolean;
}

/** Which file of the bundle was made of which source: Vite writes it, and the build removes it. */
export const MANIFEST = "manifest.json";

/** Files of src/web/files that are served under their own names: icons, and the sample to try. */
export const FILES_FOLDER = "files";

/** The offline verifier in one file that needs only Node, for people who check a proof without installing anything. */
export const VERIFIER = "selo-verify.mjs";

/** The document of all pages whose folder has none. */
export const COMMON_DOCUMENT = "page.html";

/** The documents that pages are put into, of src/web or of a build: page.html, and the page.html of each folder that has one. */
export function documentsIn(folder: string): readonly string[] {
  const folders = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [COMMON_DOCUMENT, ...folders.map(({ name }) => `${name}/${COMMON_DOCUMENT}`)]
    .filter((file) => fs.existsSync(path.join(folder, file)))
    .sort();
}
