import type { ReactElement } from "react";

/** Drawings of Lucide (ISC licence). */
const LINES = {
  back: "m15 18-6-6 6-6",
  on: "m9 18 6-6-6-6",
  down: "M12 5v14m7-7-7 7-7-7",
  smaller: "M3 11a8 8 0 1 0 16 0 8 8 0 1 0-16 0m18 10-4.35-4.35M8 11h6",
  larger: "M3 11a8 8 0 1 0 16 0 8 8 0 1 0-16 0m18 10-4.35-4.35M11 8v6m-3-3h6",
  download: "M12 15V3m9 12v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4m4-5 5 5 5-5",
  clear:
    "M21 21H8a2 2 0 0 1-1.42-.587l-3.994-3.999a2 2 0 0 1 0-2.828l10-10a2 2 0 0 1 2.829 0l5.999 6a2 2 0 0 1 0 2.828L12.834 21M5.082 11.09l8.828 8.828",
  calculated:
    "M6 2h12a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2m2 4h8m0 8v4m0-8h.01M12 10h.01M8 10h.01M12 14h.01M8 14h.01M12 18h.01M8 18h.01",
  file: "m16 6-8.414 8.586a2 2 0 0 0 2.829 2.829l8.414-8.586a4 4 0 1 0-5.657-5.657l-8.379 8.551a6 6 0 1 0 8.485 8.485l8.379-8.551",
  undo: "M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11",
} as const;

/** The sign of a button, beside its words or in place of words that the button says by its label. */
export function Sign({ name }: { readonly name: keyof typeof LINES }): ReactElement {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path
        d={LINES[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
