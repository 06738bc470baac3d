import { type ReactElement, type ReactNode, useId } from "react";

interface SettingProps {
  readonly title: string;
  readonly text: string;
  /** A card. */
  readonly children: ReactNode;
}

/** A part of a page of settings: what it is, and its card. */
export function Setting({ title, text, children }: SettingProps): ReactElement {
  const id = useId();
  return (
    <section className="setting" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className="quiet">{text}</p>
      </div>
      <div className="card">{children}</div>
    </section>
  );
}
