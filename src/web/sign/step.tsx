import { type ReactElement, type ReactNode, useEffect, useRef } from "react";

/** The heading of a step. It takes the focus, so that readers of the screen hear where they are, and nothing is skipped. */
export function StepHeading({ children }: { readonly children: ReactNode }): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** What to do now: under the thumb on a phone. */
export function Actions({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <section className="act" aria-label={label}>
      <div>{children}</div>
    </section>
  );
}

/** The content of a step. */
export function Main({
  className,
  children,
}: {
  readonly className?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  );
}

/** What is wrong, where it is wrong. */
export function FieldError({ id, children }: { readonly id: string; readonly children: ReactNode }): ReactElement {
  return (
    <p className="field-error" id={id} role="alert">
      <svg className="icon is-bad" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <circle cx="10" cy="10" r="8.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M10 5.5v5.2m0 3.6v.1" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      <span>{children}</span>
    </p>
  );
}
