import { type MouseEvent, type ReactElement, useId, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "../../design/icon.tsx";
import type { SendFile } from "./attachment.ts";
import { AttachmentField } from "./attachment-field.tsx";
import { CalculatedField } from "./calculated-field.tsx";
import { fieldName } from "./field-name.ts";
import {
  askedFields,
  type Fault,
  type Field,
  faultOf,
  inReadingOrder,
  isRequired,
  keyOf,
  type Need,
  numberOf,
  numberShown,
  operandsOf,
  type Values,
  walkedFields,
} from "./fields.ts";
import { fillIn } from "./fill-in.ts";
import { Sign } from "./signs.tsx";
import { useDock } from "./use-dock.ts";
import type { ReaderWords } from "./words.ts";

export interface FieldPanelProps {
  /** All fields of the participant. */
  readonly fields: readonly Field[];
  /** The ids of the documents, in their order. */
  readonly documentIds: readonly string[];
  readonly values: Values;
  /** What the server says of values, by the id of the field, or by `cpf`. It is shown until the value is changed. */
  readonly errors: Readonly<Record<string, string>>;
  /** The participant's CPF, masked; null where it is not known. */
  readonly knownCpf: string | null;
  readonly current: string | null;
  /** The page in the middle of the screen; null where it is not known. */
  readonly page: { readonly documentId: string; readonly number: number } | null;
  /** Called with the id of the field, or with `cpf`. Numbers come as the server takes them: `1234.50`. */
  readonly onValue: (key: string, value: string | boolean) => void;
  readonly onCurrent: (fieldId: string | null) => void;
  /** Called with a file that was chosen. */
  readonly onFile: SendFile;
  /** Called when everything is filled in and the participant goes on. */
  readonly onDone: () => void;
  readonly words: ReaderWords;
}

/** The fields of the participant, one at a time: at the bottom of a phone, at the side of a wide screen. Boxes on a page are too small for fingers. */
export function FieldPanel(props: FieldPanelProps): ReactElement {
  const { fields, documentIds, values, errors, knownCpf, current, page, onValue, onCurrent, onFile, onDone, words } =
    props;
  const { panel } = words;
  const heading = useId();
  const dock = useDock();
  const input = useRef<HTMLElement>(null);
  /** Fields that the participant left. What is wrong with others is not told yet. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());

  const [isSending, setSending] = useState(false);

  const ordered = inReadingOrder(fields, documentIds);
  const asked = askedFields(ordered, values, knownCpf);
  const isOfCpf = ordered.some(({ id, type }) => id === current && type === "cpf");
  const walked = walkedFields(ordered, values, knownCpf);
  const index = walked.findIndex(({ id, type }) => id === current || (isOfCpf && type === "cpf"));
  const field = walked[index];
  const fault = (each: Field): Fault | null => faultOf(each, values[keyOf(each)], isRequired(each, ordered, values));
  const isWrong = (each: Field) => fault(each) !== null || errors[keyOf(each)] !== undefined;

  /** What is missing, and what is wrong. */
  const open = walked.filter(isWrong);

  const wasOpen = useRef<string | null>(null);
  const fieldId = field?.id ?? null;
  // At once, so that the keyboard of a phone stays.
  useLayoutEffect(() => {
    if (fieldId !== null && fieldId !== wasOpen.current) input.current?.focus({ preventScroll: true });
    wasOpen.current = fieldId;
  }, [fieldId]);

  const leave = (to: string | null) => {
    if (field !== undefined) setLeft(new Set(left).add(keyOf(field)));
    onCurrent(to);
  };
  const goOn = () => {
    // A wrong value is refused at its field. A missing one may be given later.
    if (field !== undefined && !/^(missing|unticked)$/.test(fault(field) ?? "missing")) {
      setLeft(new Set(left).add(keyOf(field)));
      return input.current?.focus({ preventScroll: true });
    }
    const next = walked[index + 1];
    if (next !== undefined) return leave(next.id);
    const [wrong] = open;
    if (wrong === undefined) {
      leave(null);
      return onDone();
    }
    setLeft(new Set(walked.map(keyOf)));
    onCurrent(wrong.id);
    // It may be the field that is open.
    if (wrong.id === fieldId) input.current?.focus({ preventScroll: true });
  };

  const here = open.filter(
    (each) => page !== null && each.document_id === page.documentId && each.page === page.number,
  ).length;
  const first = open[0] ?? null;
  const isLast = index === walked.length - 1;
  return (
    <section ref={dock} className="panel" aria-labelledby={heading}>
      <h2 id={heading} className="out-of-sight">
        {panel.heading}
      </h2>
      {field === undefined ? (
        <>
          <p className="quiet" role="status">
            {summary(asked.length, open.length, page === null ? null : here, words)}
          </p>
          {first === null ? (
            <button type="button" className="button main" onClick={onDone}>
              {asked.length === 0 ? panel.doneNothingAsked : panel.done}
            </button>
          ) : (
            <button type="button" className="button main" onClick={() => onCurrent(first.id)}>
              {panel.goToNext}
              <Sign name="down" />
            </button>
          )}
        </>
      ) : (
        <form
          className="panel-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isSending) goOn();
          }}
        >
          <p className="quiet">
            {field.type === "calculado"
              ? fillIn(panel.calculation, { page: field.page })
              : fillIn(panel.place, { number: asked.indexOf(field) + 1, fields: asked.length, page: field.page })}
          </p>
          {field.type === "calculado" ? (
            <CalculatedField
              key={field.id}
              field={field}
              operands={operandsOf(field, ordered, values).map((each) => [each, values[keyOf(each)]] as const)}
              error={errors[keyOf(field)] ?? null}
              input={input}
              words={words}
            />
          ) : field.type === "anexo" ? (
            <AttachmentField
              key={field.id}
              field={field}
              name={String(values[keyOf(field)] ?? "")}
              isRequired={field.required}
              error={errors[keyOf(field)] ?? (left.has(keyOf(field)) ? faultWords(field, fault(field), words) : null)}
              input={input}
              words={words}
              onFile={onFile}
              onSending={setSending}
            />
          ) : (
            <FieldInput
              key={field.id}
              field={field}
              value={values[keyOf(field)]}
              isRequired={isRequired(field, ordered, values)}
              error={
                errors[keyOf(field)] ??
                (left.has(keyOf(field))
                  ? faultWords(field, fault(field), words)
                  : toldAtOnce(field, fault(field), words))
              }
              input={input}
              words={words}
              onValue={(value) => onValue(keyOf(field), value)}
              onLeave={() => {
                if (values[keyOf(field)] !== undefined) setLeft(new Set(left).add(keyOf(field)));
              }}
            />
          )}
          <div className="panel-steps">
            <button
              type="button"
              className="button"
              aria-disabled={index === 0}
              onMouseDown={keepFocus}
              onClick={() => {
                const before = walked[index - 1];
                if (before !== undefined) leave(before.id);
              }}
            >
              <Sign name="back" />
              {panel.previous}
            </button>
            <button type="submit" className="button main" aria-disabled={isSending} onMouseDown={keepFocus}>
              {isLast ? (open.length === 0 ? panel.done : panel.goToNext) : panel.next}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}

/** A label says what to write; without one, the document does. */
function hintOf({ type, label }: Field, { panel }: ReaderWords): string {
  return type === "texto" && label !== null ? "" : (panel.hints[type] ?? "");
}

/** A button that took the focus would bring up a fault while it is pressed, and move away from under the mouse. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

function summary(asked: number, open: number, here: number | null, { panel }: ReaderWords): string {
  if (asked === 0) return panel.nothingAsked;
  if (open === 0) return panel.noneLeft;
  const all = open === 1 ? panel.oneLeft : fillIn(panel.left, { fields: open });
  if (here === null) return `${all}.`;
  const onPage = here === 0 ? panel.noneHere : here === 1 ? panel.oneHere : fillIn(panel.here, { fields: here });
  return `${all}, ${onPage}.`;
}

function faultWords({ type }: Field, fault: Fault | null, { panel }: ReaderWords): string | null {
  if (fault === null) return null;
  return fault === "missing" ? (panel.missingOf[type] ?? panel.faults.missing) : panel.faults[fault];
}

/** What is told while it is typed: nothing that the next character may mend. */
function toldAtOnce(field: Field, fault: Fault | null, words: ReaderWords): string | null {
  return fault === "long" || fault === "characters" ? faultWords(field, fault, words) : null;
}

interface FieldInputProps {
  readonly field: Field;
  readonly value: string | boolean | undefined;
  readonly isRequired: Need;
  readonly error: string | null;
  readonly input: { current: HTMLElement | null };
  readonly words: ReaderWords;
  readonly onValue: (value: string | boolean) => void;
  readonly onLeave: () => void;
}

function FieldInput(props: FieldInputProps): ReactElement {
  const { field, value, isRequired: isNeeded, error, input, words, onValue } = props;
  const { panel } = words;
  const id = useId();
  const [hint, fault] = [`${id}hint`, `${id}fault`];
  const describedBy = error === null ? hint : `${fault} ${hint}`;
  const take = (element: HTMLElement | null) => {
    input.current = element;
  };
  const wrong =
    error === null ? null : (
      <p id={fault} className="field-error" role="alert">
        <Icon tone="bad" />
        <span>{error}</span>
      </p>
    );
  if (field.type === "checkbox" && isNeeded === "answered")
    return (
      <fieldset className="choice" aria-describedby={error === null ? undefined : fault}>
        <legend>{fieldName(field, words)}</legend>
        {wrong}
        {[true, false].map((choice) => (
          <label key={String(choice)} className="check">
            <input
              ref={choice ? take : undefined}
              type="radio"
              name={id}
              checked={value === choice}
              onChange={() => onValue(choice)}
            />
            <span>{choice ? panel.tick : panel.leaveEmpty}</span>
          </label>
        ))}
      </fieldset>
    );
  if (field.type === "checkbox")
    return (
      <div className="choice">
        {wrong}
        <label className="check">
          <input
            ref={take}
            type="checkbox"
            checked={value === true}
            aria-invalid={error !== null}
            aria-describedby={describedBy}
            onChange={({ currentTarget }) => onValue(currentTarget.checked)}
          />
          <span>
            {field.label === null ? fillIn(panel.ticking, { page: field.page }) : <bdi>{field.label}</bdi>}
            <br />
            <span id={hint} className="quiet">
              {isNeeded ? panel.mustTick : panel.optional}
            </span>
          </span>
        </label>
      </div>
    );
  return (
    <div className="field">
      <label htmlFor={id}>{fieldName(field, words)}</label>
      {wrong}
      <TextInput
        {...props}
        id={id}
        describedBy={describedBy}
        take={take}
        text={typeof value === "string" ? value : ""}
      />
      <p id={hint} className="small quiet">
        {[isNeeded ? "" : panel.optional, hintOf(field, words)].filter(Boolean).join(" ")}
      </p>
    </div>
  );
}

interface TextInputProps extends FieldInputProps {
  readonly id: string;
  readonly describedBy: string;
  readonly take: (element: HTMLElement | null) => void;
  readonly text: string;
}

/** One line of text. A number is typed as people write it in the language of the page. */
function TextInput(props: TextInputProps): ReactElement {
  const { field, id, error, words, text, describedBy, take, onValue, onLeave } = props;
  const isNumber = field.type === "numero";
  const [typed, setTyped] = useState(isNumber ? numberShown(text, words.decimal) : text);
  return (
    <>
      <input
        id={id}
        ref={take}
        className="text"
        value={typed}
        dir={isNumber || field.type === "cpf" ? "ltr" : "auto"}
        inputMode={field.type === "cpf" ? "numeric" : isNumber ? "decimal" : "text"}
        enterKeyHint="next"
        autoComplete={field.type === "empresa" ? "organization" : field.type === "cargo" ? "organization-title" : "off"}
        maxLength={field.type === "cpf" ? 14 : 2_000}
        aria-invalid={error !== null}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onValue(isNumber ? numberOf(currentTarget.value, words.decimal) : currentTarget.value);
        }}
        onBlur={onLeave}
      />
      {isNumber && text !== "" && error === null && text !== typed ? (
        <p className="small quiet">{fillIn(words.panel.writtenAs, { value: text })}</p>
      ) : null}
    </>
  );
}
