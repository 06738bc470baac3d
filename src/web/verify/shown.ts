import { NO_CODE } from "./code-in-address.ts";
import { type Kind, kindOf } from "./kinds.ts";
import type { Verification } from "./use-verification.ts";

/** What stands at the top of the page: the question, what is under way, or the result. */
export type Shown =
  | { readonly status: "asking" }
  | { readonly status: "progress"; readonly progress: "looking_up" | "reading" | "hashing" }
  | { readonly status: "result"; readonly kind: Kind }
  /** The result about an envelope, in a part of the page that is loaded when it is needed. */
  | { readonly status: "envelope" };

export function shownOf({
  isOpening,
  isReading,
  code,
  file,
  receipt,
  lookup,
  findings,
  envelope,
  isCheckMissing,
  notice,
}: Verification): Shown {
  if (isReading) return { status: "progress", progress: "reading" };
  if (file.status === "hashing") return { status: "progress", progress: "hashing" };
  const kind = findings === null ? null : kindOf(findings, receipt !== null);
  // A file that cannot be read came last, and the visitor waits for it. A proof that failed has failed all the same.
  if (file.status === "unreadable" && findings?.verdict !== "failed") return { status: "result", kind: "unreadable" };
  if (kind !== null) return { status: "result", kind };
  if (envelope !== null) return { status: "envelope" };
  if (isCheckMissing) return { status: "result", kind: "unreachable" };
  if (isOpening) return { status: "progress", progress: "looking_up" };
  switch (lookup.status) {
    case "none":
      return { status: "asking" };
    case "throttled":
      return { status: "result", kind: "throttled" };
    case "failed":
      return { status: "result", kind: "unreachable" };
    case "unknown":
      return {
        status: "result",
        kind:
          code === null
            ? notice === "zip_not_read"
              ? "zip_unread"
              : "file_unknown"
            : code === NO_CODE
              ? "not_a_code"
              : "code_unknown",
      };
    default:
      return { status: "progress", progress: "looking_up" };
  }
}
