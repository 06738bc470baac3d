import { type ComponentType, lazy, type ReactElement, Suspense } from "react";

/** Loads the parts that most visitors never see, or see last: the page has a limit of bytes before it stands. */
export const loadLater = () => import("./later.tsx");

export const EnvelopePage = lazy(async () => ({ default: (await loadLater()).EnvelopePage }));

/** A card that nothing else waits for. */
function later<Props extends object>(Card: ComponentType<Props>): (props: Props) => ReactElement {
  return (props) => (
    <Suspense>
      <Card {...props} />
    </Suspense>
  );
}

export const Details = later(lazy(async () => ({ default: (await loadLater()).Details })));
export const FileFingerprint = later(lazy(async () => ({ default: (await loadLater()).FileFingerprint })));
export const Keys = later(lazy(async () => ({ default: (await loadLater()).Keys })));
export const Comparison = later(lazy(async () => ({ default: (await loadLater()).Comparison })));
export const NameForm = later(lazy(async () => ({ default: (await loadLater()).NameForm })));
export const Offline = later(lazy(async () => ({ default: (await loadLater()).Offline })));
