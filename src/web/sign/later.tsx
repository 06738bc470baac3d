import { type ComponentType, type ReactElement, useCallback, useEffect, useState } from "react";
import { Skeleton } from "../design/skeleton.tsx";
import { Actions, Main } from "./step.tsx";
import type { SignWords } from "./words.ts";

/** A part that is loaded when it is shown. */
export function later<Props extends { readonly words: SignWords }>(
  loadPart: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactElement {
  return function Later(props: Props): ReactElement {
    const [part, setPart] = useState<{ readonly Part: ComponentType<Props> } | "awaited" | "failed">("awaited");
    const start = useCallback(() => {
      setPart("awaited");
      loadPart().then(
        (Part) => setPart({ Part }),
        () => setPart("failed"),
      );
    }, []);
    useEffect(start, [start]);
    if (typeof part === "object") return <part.Part {...props} />;
    const { words } = props;
    return (
      <>
        <Main>
          <Skeleton bones={["tall", "half", "", "third"]} />
        </Main>
        {part === "failed" && (
          <Actions label={words.actions}>
            <p className="field-error" role="alert">
              {words.notices.no_network}
            </p>
            <button type="button" className="button main" onClick={start}>
              {words.retry}
            </button>
          </Actions>
        )}
      </>
    );
  };
}
