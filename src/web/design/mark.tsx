import type { ReactElement } from "react";

/** Half of the seal: six of its twelve lobes, and half of the S. The other half is this one turned by 180 degrees. */
const HALF =
  "M55.04 12A14 14 0 0 0 53.14 10.86A14 14 0 0 0 39.74 3.12A14 14 0 0 0 24.26 3.12A14 14 0 0 0 10.86 10.86A14 14 0 0 0 3.12 24.26A14 14 0 0 0 3.12 39.74A14 14 0 0 0 3.51 44H40A4 4 0 0 0 40 36H24A12 12 0 0 1 24 12Z";

/** The mark: a seal cut by an S into two equal halves. Two signatures, both required. Drawn as in mark.svg. */
export function Mark({ size }: { readonly size: 24 | 28 | 40 }): ReactElement {
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} fill="currentColor" aria-hidden="true">
      <path d={HALF} />
      <path d={HALF} transform="rotate(180 32 32)" />
    </svg>
  );
}
