import type { ReactElement } from "react";

/** Says across the whole width that something is only a test. */
export function EnvironmentBanner({ text }: { readonly text: string }): ReactElement {
  return (
    <p className="test-bar" role="note">
      <span className="page">{text}</span>
    </p>
  );
}
