import type { Language } from "../shell/language.ts";
import type { PageCheck, PageReason, PageVerdict } from "./assess.ts";
import type { Notice } from "./use-verification.ts";
import { en } from "./words-en.ts";
import { ptBr } from "./words-pt-br.ts";

export const verifyWords: Readonly<Record<Language, VerifyWords>> = { en, "pt-BR": ptBr };

/** The words of the verify page. */
export interface VerifyWords {
  readonly title: string;
  readonly heading: string;
  readonly lead: string;
  readonly code: { readonly shown: string; readonly startOver: string };
  readonly drop: {
    readonly heading: string;
    readonly choose: string;
    readonly or: string;
    readonly privacy: string;
    readonly reading: string;
    readonly hashing: (name: string) => string;
    readonly cancel: string;
    readonly remove: (name: string) => string;
    readonly file: string;
    readonly receipt: string;
    readonly unreadable: string;
  };
  readonly notices: Readonly<Record<Notice, string>>;
  readonly lookup: {
    readonly loading: string;
    readonly codeUnknown: (code: string) => string;
    readonly notACode: string;
    readonly codeUnknownHint: string;
    readonly fileUnknown: string;
    readonly fileUnknownHint: string;
    readonly throttled: (seconds: number) => string;
    readonly failed: string;
    readonly failedHint: string;
    readonly retry: string;
  };
  readonly verdicts: Readonly<Record<PageVerdict, { readonly title: string; readonly text: string }>>;
  /** Shown beside the verdict if the proof came in a PDF. */
  readonly pagesNotChecked: string;
  readonly summary: {
    readonly verified: string;
    readonly unverified: string;
    readonly claimed: string;
    readonly organization: string;
    readonly label: string;
    readonly noLabel: string;
    readonly fileName: string;
    readonly registeredAt: string;
    readonly digest: string;
    readonly code: string;
  };
  readonly checks: {
    readonly heading: string;
    readonly names: Readonly<Record<PageCheck["name"], string>>;
    readonly results: Readonly<Record<PageCheck["result"], string>>;
    readonly reasons: Readonly<Record<PageReason, string>>;
    readonly differing: (members: readonly string[]) => string;
    /** Names of members that the summary does not show. */
    readonly members: { readonly fileSize: string; readonly signatures: string; readonly other: string };
  };
  readonly naming: {
    readonly label: string;
    readonly hint: string;
    readonly submit: string;
    readonly stillDiffers: string;
  };
  readonly keys: {
    readonly heading: string;
    readonly why: string;
    readonly published: string;
    readonly used: string;
    readonly trusted: string;
    readonly test: string;
    readonly live: string;
    readonly none: string;
    readonly pin: string;
    readonly pinned: (date: string) => string;
    readonly notPinned: string;
    readonly forget: string;
    readonly paste: string;
    readonly pasteHint: string;
    readonly use: string;
    readonly unreadable: string;
    readonly pasted: string;
    readonly removePasted: string;
  };
  readonly offline: {
    readonly heading: string;
    readonly text: string;
    readonly evidence: string;
    readonly keys: string;
    readonly verifier: string;
    readonly command: string;
  };
}
