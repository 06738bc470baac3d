import { type Answer, DANGERS, type Refusal } from "../verdict.ts";
import { certifiedLevel } from "./certified-level.ts";
import { deepCheck } from "./deep-check.ts";
import { Document } from "./document.ts";
import { type PageSize, pageSizes, TooManyPages } from "./page-tree.ts";
import { Bomb, Unreadable } from "./values.ts";

/** The header stands at the first byte: offsets count from there (ISO 32000-2, 7.5.2), and other files may stand before it. */
const HEADER = /^%PDF-(1\.[0-7]|2\.0)[\0\t\f\r\n ]/;

/** What a file is allowed. */
export interface Allowed {
  pages: number;
  cpuSeconds: number;
}

/**
 * Does with a file what its seal will do.
 * @throws where a seal would fail
 */
export type Rehearse = (document: Document, sizes: readonly PageSize[], isSigned: boolean) => Promise<void>;

/**
 * Checks a file. Tells first whether it can be read at all, as soon as this is known.
 * @param file the whole upload
 */
export async function check(
  file: Buffer,
  allowed: Allowed,
  rehearse: Rehearse,
  tell: (answer: Answer) => void,
): Promise<void> {
  const refuse = (reason: Refusal) => tell({ stage: "deep", verdict: { verdict: "unprocessable", reason } });
  try {
    if (!HEADER.test(file.toString("latin1", 0, 16))) return refuse("not_pdf");
    const document = new Document(file);
    if (document.crossReference.trailers.some((trailer) => trailer.has("Encrypt"))) return refuse("encrypted");
    let pages: PageSize[];
    try {
      pages = pageSizes(document, allowed.pages);
    } catch (error) {
      if (error instanceof TooManyPages) return refuse("too_many_pages");
      throw error;
    }
    if (pages.length === 0) return refuse("no_pages");
    tell({ stage: "shallow" });

    const found = await deepCheck(document, allowed.cpuSeconds);
    const reason = DANGERS.find((danger) => found.has(danger));
    if (reason !== undefined) return tell({ stage: "deep", verdict: { verdict: "quarantined", reason } });
    const isSigned = found.has("signature");
    const isClosed = isSigned && certifiedLevel(document) === 1;
    tell({ stage: "harmless" });
    try {
      await rehearse(document, pages, isSigned);
    } catch {
      return tell({ stage: "deep", verdict: { verdict: "quarantined", reason: "unsealable" } });
    }
    const findings = {
      ...(isSigned ? { signed: true as const } : {}),
      ...(isClosed ? { certified: true as const } : {}),
    };
    tell({ stage: "deep", verdict: { verdict: "ready", pages, ...findings } });
  } catch (error) {
    if (error instanceof Unreadable) refuse("truncated");
    else if (error instanceof Bomb) tell({ stage: "deep", verdict: { verdict: "quarantined", reason: "bomb" } });
    else throw error;
  }
}
