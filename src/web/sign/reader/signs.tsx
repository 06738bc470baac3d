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
