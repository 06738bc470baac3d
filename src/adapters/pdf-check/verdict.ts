import type { PageSize } from "./child/page-tree.ts";

/** Why nothing of an upload is kept. `truncated`: the file is damaged, and nothing is repaired. */
export const REFUSALS = ["not_pdf", "truncated", "encrypted", "no_pages", "too_many_pages"] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Why a document is quarantined. If several reasons apply, the answer names the first of this list. `unsealable`: the file is sound and harmless, but the sealer cannot read it. */
export const DANGERS = [
  "bomb",
  "javascript",
  "launch",
  "embedded_file",
  "rich_media",
  "xfa",
  "submit_form",
  "additional_action",
  "unsealable",
] as const;
export type Danger = (typeof DANGERS)[number];

export interface Unprocessable {
  verdict: "unprocessable";
  reason: Refusal;
}

export interface Quarantined {
  verdict: "quarantined";
  reason: Danger;
}

/** What is found in a document and is no danger: signatures, over which nothing may be drawn. */
export type Finding = Danger | "signature";

/** `pages`: in their order, as readers display them. `signed`: the file is already signed. */
export interface Ready {
  verdict: "ready";
  pages: PageSize[];
  signed?: true | undefined;
  /** Who signed it certified it and allows no change, so no further signature either (DocMDP, `/P 1`). */
  certified?: true | undefined;
}

/** The checker died, and the file is not to blame: check again. `detail` is for the log. */
export interface Failed {
  verdict: "failed";
  detail: string;
}

/** What the child says, a line of JSON each: first whether the file can be read, then that it has no danger, then what it is. */
export type Answer =
  | { stage: "shallow" }
  | { stage: "harmless" }
  | { stage: "deep"; verdict: Unprocessable | Quarantined | Ready };
