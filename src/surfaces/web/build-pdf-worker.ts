import type { Plugin } from "vite";

const WORKER = /pdfjs-dist\/legacy\/build\/pdf\.worker\.mjs$/;

/** What pdf.js has, and what stands in its place. */
const CHANGES = [
  // It gets every page of a flat page tree before it gives the first one. Those up to the wanted page are enough.
  [
    "if (currentNode === this.toplevelPagesDict && lastKid instanceof Ref && !pageDictCache.has(lastKid)) {",
    "if (last <= pageIndex && currentNode === this.toplevelPagesDict && lastKid instanceof Ref && !pageDictCache.has(lastKid)) {",
  ],
  // It looks for the last page to see whether /Count is right. The check of uploads refuses a wrong /Count (src/adapters/pdf-check).
  ["await this.getPage(numPages - 1);", ""],
] as const;

/** Lets the first page of a large PDF come without the others. The build fails where another version of pdf.js has another text. */
export function pdfWorkerPlugin(): Plugin {
  return {
    name: "pdf-worker",
    transform: (code, id) => {
      if (!WORKER.test(id)) return null;
      let changed = code;
      for (const [from, to] of CHANGES) {
        if (changed.split(from).length !== 2) throw new Error(`pdf.js has no longer once: ${from}`);
        changed = changed.replace(from, () => to);
      }
      return { code: changed, map: null };
    },
  };
}
