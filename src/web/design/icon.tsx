import type { ReactElement } from "react";

/** What something came to. Each tone has its own shape, because nothing is only a colour. */
export type Tone = "ok" | "bad" | "info" | "warn" | "note";

const SHAPES: Readonly<
  Record<Tone, { readonly ground: ReactElement; readonly sign: string; readonly isSolid: boolean }>
> = {
  ok: { ground: <circle cx="10" cy="10" r="9" fill="currentColor" />, sign: "M6 10.4 8.8 13 14 7.4", isSolid: true },
  bad: {
    ground: <path d="M6.3 1h7.4L19 6.3v7.4L13.7 19H6.3L1 13.7V6.3Z" fill="currentColor" />,
    sign: "m7 7 6 6m0-6-6 6",
    isSolid: true,
  },
  info: {
    ground: (
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray="3.6 2.7" />
    ),
    sign: "M10 6v4.4l2.8 1.8",
    isSolid: false,
  },
  warn: {
    ground: <rect x="1" y="1" width="18" height="18" rx="4" fill="currentColor" />,
    sign: "M10 5.5v5.2m0 3.6v.1",
    isSolid: true,
  },
  note: {
    ground: <circle cx="10" cy="10" r="8.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
    sign: "M10 9v5m0-8.4v.1",
    isSolid: false,
  },
};

/** An icon beside a word, never in place of a word. */
export function Icon({ tone, size = 20 }: { readonly tone: Tone; readonly size?: 16 | 20 | 24 | 28 }): ReactElement {
  const { ground, sign, isSolid } = SHAPES[tone];
  return (
    <svg className={`icon is-${tone}`} viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      {ground}
      <path
        className={isSolid ? "sign" : undefined}
        d={sign}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Points at what opens. */
export function Chevron(): ReactElement {
  return (
    <svg className="chevron" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d="m8 5 5 5-5 5" fill="none" stroke="currentColor" strokeWidth="1.8" />
    </svg>
  );
}
