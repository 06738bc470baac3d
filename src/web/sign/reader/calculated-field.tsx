import { type ReactElement, useId } from "react";
import { Icon } from "../../design/icon.tsx";
import { fieldName } from "./field-name.ts";
import { type Field, numberShown } from "./fields.ts";
import { Sign } from "./signs.tsx";
import type { ReaderWords } from "./words.ts";

interface CalculatedFieldProps {
  readonly field: Field;
  /** The participant's own numbers that it is calculated from, and what they are. */
  readonly operands: readonly (readonly [Field, string | boolean | undefined])[];
  readonly error: string | null;
  readonly input: { current: HTMLElement | null };
  readonly words: ReaderWords;
}

/** A field that the server calculates in the act. Its result is never shown before. */
export function CalculatedField({ field, operands, error, input, words }: CalculatedFieldProps): ReactElement {
  const { panel } = words;
  const name = useId();
  return (
    <fieldset
      className="choice"
      aria-labelledby={name}
      tabIndex={-1}
      ref={(element) => {
        input.current = element;
      }}
    >
      <b id={name}>{fieldName(field, words)}</b>
      {error === null ? null : (
        <p className="field-error" role="alert">
          <Icon tone="bad" />
          <span>{error}</span>
        </p>
      )}
      <div className="calculated">
        <p>
          <Sign name="calculated" />
          {panel.calculated}
        </p>
        {operands.length > 0 && (
          <dl>
            {operands.map(([operand, value]) => (
              <div key={operand.id}>
                <dt>{fieldName(operand, words)}</dt>
                <dd>
                  {typeof value === "string" && value !== "" ? numberShown(value, words.decimal) : panel.noNumber}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {operands.length > 0 && <p className="small quiet">{panel.toChange}</p>}
    </fieldset>
  );
}
