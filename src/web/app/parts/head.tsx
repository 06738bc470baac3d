import { type ReactElement, type ReactNode, useEffect } from "react";
import { usePlace } from "../place.tsx";

interface HeadProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** What one does here. */
  readonly children?: ReactNode;
}

/** The begin of an area. It is the title of the tab as well; in test, the title says so. */
export function Head({ title, lead, children }: HeadProps): ReactElement {
  const { words, keeper } = usePlace();
  const isTest = keeper.environment === "test";
  useEffect(() => {
    document.title = `${isTest ? `${words.panel.test.toUpperCase()} · ` : ""}${title} · Selo`;
  }, [title, isTest, words]);
  return (
    <div className="head">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p className="quiet">{lead}</p>}
      </div>
      {children}
    </div>
  );
}
