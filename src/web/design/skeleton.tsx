import type { ReactElement } from "react";

type Bone = "half" | "third" | "tall" | "";

/** Keeps the place of text that is still to come. Nobody needs to hear it. */
export function Skeleton({
  bones,
  isCard = false,
}: {
  readonly bones: readonly Bone[];
  readonly isCard?: boolean;
}): ReactElement {
  return (
    <div className={isCard ? "card stack" : "stack"} aria-hidden="true">
      {bones.map((bone, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order.
        <span key={place} className={`bone ${bone}`} />
      ))}
    </div>
  );
}
