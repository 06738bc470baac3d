import type { ReactElement } from "react";

const SHAPES = {
  passed: "M5 12.5l4.5 4.5L19 7.5",
  failed: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  not_checked: "M7 12h10",
  caution: "M12 6v7.5M12 17.6v.1",
  record: "M8 8h8M8 12h8M8 16h5",
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon beside a word, never instead of a word. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg className={`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={SHAPES[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
