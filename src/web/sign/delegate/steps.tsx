import "./delegate.css";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { When } from "../../design/date-time.tsx";
import { Fact, FactList } from "../../design/fact-list.tsx";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import type { Language } from "../../shell/language.ts";
import { DoneIcon, MailIcon } from "../icons.tsx";
import { NoticeLine } from "../notice.tsx";
import type { Person } from "../place.ts";
import { Sender } from "../sender.tsx";
import type { Signing } from "../service.ts";
import { Actions, FieldError, Main, StepHeading } from "../step.tsx";
import type { Flow } from "../use-signing.ts";
import type { SignWords } from "../words.ts";
import { PaperIcon, UndoIcon, UnlinkIcon } from "./icons.tsx";
import type { DelegateWords } from "./words.ts";
import { en } from "./words-en.ts";
import { ptBr } from "./words-pt-br.ts";

const WORDS: Readonly<Record<Language, DelegateWords>> = { en, "pt-BR": ptBr };

type Member = keyof Person;
type Wrong = "noName" | "wrongName" | "wrongEmail" | "ownEmail" | "wrongCpf" | "wrongPhone";
type Faults = Readonly<Partial<Record<Member, Wrong>>>;

/** How many characters the service takes. */
const MOST: Readonly<Record<Member, number>> = { name: 255, email: 254, cpf: 14, phone: 16 };

export interface DelegateStepProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly language: Language;
  readonly signing: Signing;
}

/** The form for the person who takes the turn over. The service checks that it is somebody else: this page does not know the address of its reader. */
export function DelegateStep({ flow, words: all, language, signing }: DelegateStepProps): ReactElement {
  const words = WORDS[language];
  const needs = signing.delegation?.needs ?? [];
  const members: readonly Member[] = ["name", "email", ...needs];
  const person = flow.kept.other ?? {};
  const [faults, setFaults] = useState<Faults>({});
  const [isAsked, setAsked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const show = (found: Faults) => {
    setFaults(found);
    const first = members.find((member) => found[member] !== undefined);
    if (first !== undefined) form.current?.querySelector<HTMLInputElement>(`#other-${first}`)?.focus();
  };
  const submit = () => {
    const found = missingOf(person, members);
    show(found);
    if (Object.keys(found).length === 0) setAsked(true);
  };
  const hand = async () => {
    const refused = await flow.handOn(
      Object.fromEntries(members.map((member) => [member, person[member]?.trim() ?? ""])),
    );
    setAsked(false);
    if (refused !== null) show(faultsOf(refused));
  };
  return (
    <>
      <form
        ref={form}
        className="sign-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Main>
          <div className="stack">
            <StepHeading>{words.heading}</StepHeading>
            <p>{words.lead}</p>
          </div>
          <div className="stack">
            {members.map((member) => (
              <Input
                key={member}
                member={member}
                words={words}
                value={person[member] ?? ""}
                fault={faults[member]}
                onChange={(value) => {
                  setFaults({ ...faults, [member]: undefined });
                  flow.update({ other: { ...person, [member]: value } });
                }}
              />
            ))}
          </div>
          <p className="quiet">
            {words.stays}
            {signing.contact !== null && (
              <>
                {" "}
                <Say text={words.noticed} with={{ organization: <Foreign text={signing.organization} /> }} />
              </>
            )}
          </p>
        </Main>
        <Actions label={all.actions}>
          <NoticeLine words={all} notice={flow.notice} signing={signing} />
          <button type="submit" className="button main">
            {words.submit}
          </button>
          <button type="button" className="button plain" onClick={() => flow.go("read")}>
            {words.back}
          </button>
        </Actions>
      </form>
      <Confirm
        all={all}
        words={words}
        signing={signing}
        person={person}
        isOpen={isAsked}
        isBusy={flow.isBusy}
        onHand={() => void hand()}
        onClose={() => setAsked(false)}
      />
    </>
  );
}

function Input({
  member,
  words,
  value,
  fault,
  onChange,
}: {
  readonly member: Member;
  readonly words: DelegateWords;
  readonly value: string;
  readonly fault: Wrong | undefined;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const id = `other-${member}`;
  const hint = member === "cpf" ? words.cpfHint : member === "phone" ? words.phoneHint : null;
  const described = [fault === undefined ? null : `${id}-error`, hint === null ? null : `${id}-hint`].filter(
    (each) => each !== null,
  );
  return (
    <div className="field">
      <label htmlFor={id}>{words[member]}</label>
      {fault !== undefined && <FieldError id={`${id}-error`}>{words[fault]}</FieldError>}
      <input
        id={id}
        className="text"
        type={member === "email" ? "email" : member === "phone" ? "tel" : "text"}
        inputMode={member === "cpf" ? "numeric" : undefined}
        autoComplete="off"
        dir="auto"
        maxLength={MOST[member]}
        value={value}
        aria-invalid={fault !== undefined}
        aria-describedby={described.length === 0 ? undefined : described.join(" ")}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint !== null && (
        <p className="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Asks once more: it cannot be undone here. */
function Confirm({
  all,
  words: { confirm: words, cpf, phone },
  signing,
  person,
  isOpen,
  isBusy,
  onHand,
  onClose,
}: {
  readonly all: SignWords;
  readonly words: DelegateWords;
  readonly signing: Signing;
  readonly person: Person;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly onHand: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const name = <Foreign text={person.name ?? ""} />;
  const needs = signing.delegation?.needs ?? [];
  return (
    <dialog ref={dialog} className="sign-dialog" aria-labelledby="handing" aria-describedby="handed" onCancel={onClose}>
      {isOpen && (
        <div className="stack">
          <h2 id="handing">
            <Say text={words.heading} with={{ name }} />
          </h2>
          <FactList>
            <Fact term={words.document}>
              <Foreign text={signing.title} />
            </Fact>
            <Fact term={words.to}>
              <Foreign text={person.email ?? ""} />
            </Fact>
            {needs.map((need) => (
              <Fact key={need} term={need === "cpf" ? cpf : phone}>
                <Foreign text={person[need] ?? ""} />
              </Fact>
            ))}
          </FactList>
          <ul className="hand-ways" id="handed">
            <li>
              <UnlinkIcon />
              <p>{words.linkEnds}</p>
            </li>
            <li>
              <UndoIcon />
              <p>{words.final}</p>
            </li>
          </ul>
          <button type="button" className="button main" aria-disabled={isBusy} onClick={onHand}>
            {isBusy ? (
              all.act.busy
            ) : (
              <span>
                <Say text={words.submit} with={{ name }} />
              </span>
            )}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {words.correct}
          </button>
        </div>
      )}
    </dialog>
  );
}

/** Members that are missing or malformed. The service judges the rest. */
function missingOf(person: Person, members: readonly Member[]): Faults {
  const value = (member: Member) => person[member]?.trim() ?? "";
  return {
    ...(value("name") === "" ? { name: "noName" } : {}),
    ...(/^[^\s@]+@[^\s@]+$/.test(value("email")) ? {} : { email: "wrongEmail" }),
    ...(members.includes("cpf") && value("cpf").replaceAll(/\D/g, "").length !== 11 ? { cpf: "wrongCpf" } : {}),
    ...(members.includes("phone") && !/^\+\d{8,15}$/.test(value("phone")) ? { phone: "wrongPhone" } : {}),
  };
}

const REFUSED: Readonly<Record<Member, Wrong>> = {
  name: "wrongName",
  email: "wrongEmail",
  cpf: "wrongCpf",
  phone: "wrongPhone",
};

function faultsOf(refused: readonly { readonly field: string; readonly message: string }[]): Faults {
  const isMember = (field: string): field is Member => Object.hasOwn(REFUSED, field);
  return Object.fromEntries(
    refused.flatMap(({ field, message }) =>
      isMember(field) ? [[field, /somebody else/.test(message) ? "ownEmail" : REFUSED[field]]] : [],
    ),
  );
}

export interface DelegatedProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly language: Language;
  /** When it was passed on; null where that is not known. */
  readonly at: string | null;
}

/** The turn is that of somebody else now. */
export function Delegated({ flow, words: all, language, at }: DelegatedProps): ReactElement {
  const words = WORDS[language].done;
  const { signing, handed } = flow;
  return (
    <>
      <Main>
        <div className="stack">
          <span className="state-mark ok">
            <DoneIcon />
          </span>
          <StepHeading>
            {handed === null ? (
              words.headingBefore
            ) : (
              <Say text={words.heading} with={{ name: <Foreign text={handed.name ?? ""} /> }} />
            )}
          </StepHeading>
          <p>
            {handed === null ? (
              words.sentenceBefore
            ) : (
              <Say
                text={words.sentence}
                with={{
                  title: (
                    <b>
                      <Foreign text={signing?.title ?? ""} />
                    </b>
                  ),
                  email: (
                    <b>
                      <Foreign text={handed.email ?? ""} />
                    </b>
                  ),
                }}
              />
            )}
          </p>
        </div>
        <section className="stack">
          <h2>{words.next}</h2>
          <ul className="hand-ways">
            {signing !== null && signing.contact !== null && (
              <li>
                <MailIcon />
                <p>
                  <Say text={words.told} with={{ organization: <Foreign text={signing.organization} /> }} />
                </p>
              </li>
            )}
            <li>
              <UnlinkIcon />
              <p>{words.linkEnds}</p>
            </li>
            <li>
              <PaperIcon />
              <p>{words.report}</p>
            </li>
          </ul>
        </section>
        <p className="quiet">
          <Say text={words.mistake} with={{ sender: <Sender words={all} signing={signing} /> }} />
        </p>
      </Main>
      <Actions label={all.actions}>
        <p className="quiet">
          {at !== null && (
            <>
              <Say text={words.recorded} with={{ when: <When written={at} language={language} /> }} />{" "}
            </>
          )}
          {words.close}
        </p>
      </Actions>
    </>
  );
}
