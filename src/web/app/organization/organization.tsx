import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { Fact, FactList } from "../../design/fact-list.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { LANGUAGES } from "../../shell/language.ts";
import { LANGUAGE_NAMES } from "../../shell/words.ts";
import { graphql, type ResultOf } from "../api/graph.ts";
import { useAct, useAsked } from "../api/use-act.ts";
import { Answered } from "../parts/answered.tsx";
import { Entry } from "../parts/entry.tsx";
import { Head } from "../parts/head.tsx";
import { Notice, RefusalNotice } from "../parts/refusal-notice.tsx";
import { Setting } from "../parts/setting.tsx";
import { useMay, usePlace } from "../place.tsx";
import { organizationWords } from "./words.ts";

const ORGANIZATION = graphql(`
  query Organization {
    organization {
      name
      number
      contactEmail
      language
      timeZone
      jurisdiction
    }
  }
`);
const UPDATE = graphql(`
  mutation UpdateOrganization($input: UpdateOrganizationInput!) {
    updateOrganization(input: $input) {
      organization {
        name
      }
    }
  }
`);

type Settings = NonNullable<ResultOf<typeof ORGANIZATION>["organization"]>;
type Jurisdiction = Settings["jurisdiction"];

/** /app/organization: owners change it, and others see the facts. */
export function Organization(): ReactElement {
  const { language } = usePlace();
  const words = organizationWords[language];
  const mayChange = useMay("organization:manage");
  const asked = useAsked(ORGANIZATION);
  return (
    <>
      <Head title={words.title} lead={words.lead} />
      <Answered asked={asked}>
        {({ organization }, again) =>
          organization !== null &&
          (mayChange ? (
            <Change key={JSON.stringify(organization)} settings={organization} onSaved={again} />
          ) : (
            <Facts settings={organization} />
          ))
        }
      </Answered>
    </>
  );
}

/** In words where the pages know the language. */
const languageName = (tag: string) => LANGUAGE_NAMES[LANGUAGES.find((each) => each === tag) ?? "en"] ?? tag;

function Facts({ settings }: { readonly settings: Settings }): ReactElement {
  const { language } = usePlace();
  const words = organizationWords[language];
  return (
    <section className="card">
      <div className="body">
        <FactList>
          <Fact term={words.name}>
            <Foreign text={settings.name} />
          </Fact>
          <Fact term={words.number}>{settings.number}</Fact>
          <Fact term={words.contact}>
            {settings.contactEmail === null ? words.none : <Foreign text={settings.contactEmail} />}
          </Fact>
          <Fact term={words.timeZone}>{settings.timeZone}</Fact>
          <Fact term={words.language}>{languageName(settings.language)}</Fact>
          <Fact term={words.jurisdiction}>{words.jurisdictions[settings.jurisdiction]}</Fact>
        </FactList>
      </div>
    </section>
  );
}

interface ChangeProps {
  readonly settings: Settings;
  readonly onSaved: () => void;
}

function Change({ settings, onSaved }: ChangeProps): ReactElement {
  const { language, keeper } = usePlace();
  const words = organizationWords[language];
  const update = useAct(UPDATE);
  const name = useRef<HTMLInputElement>(null);
  const contact = useRef<HTMLInputElement>(null);
  const timeZone = useRef<HTMLSelectElement>(null);
  const spoken = useRef<HTMLSelectElement>(null);
  const jurisdiction = useRef<HTMLSelectElement>(null);
  const [errors, setErrors] = useState({ name: false, contact: false });
  const [isSaved, setSaved] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const typed = {
      name: (name.current?.value ?? "").trim(),
      contactEmail: (contact.current?.value ?? "").trim(),
      timeZone: timeZone.current?.value ?? settings.timeZone,
      language: spoken.current?.value ?? settings.language,
      jurisdiction: (jurisdiction.current?.value ?? settings.jurisdiction) as Jurisdiction,
    };
    const before: Readonly<Record<string, string>> = { ...settings, contactEmail: settings.contactEmail ?? "" };
    const input = Object.fromEntries(Object.entries(typed).filter(([member, value]) => before[member] !== value));
    const wrong = {
      name: typed.name === "" || [...typed.name].length > 255,
      contact: typed.contactEmail !== "" && !/^\S+@\S+\.\S+$/.test(typed.contactEmail),
    };
    setErrors(wrong);
    setSaved(false);
    if (wrong.name) return name.current?.focus();
    if (wrong.contact) return contact.current?.focus();
    if (Object.keys(input).length > 0) {
      const done = await update.act({ input });
      if (done === null) return;
      keeper.amend({ organizationName: typed.name });
      onSaved();
    }
    setSaved(true);
  };
  const zones = Intl.supportedValuesOf("timeZone");
  return (
    <form
      onSubmit={(event) => void submit(event)}
      onReset={() => setErrors({ name: false, contact: false })}
      noValidate
    >
      <Setting title={words.identity} text={words.identityText}>
        <div className="body stack">
          <Entry label={words.name} error={errors.name ? words.nameMissing : null}>
            {(control) => (
              <input {...control} ref={name} className="input" autoComplete="off" defaultValue={settings.name} />
            )}
          </Entry>
          <Entry label={words.contact} hint={words.contactHint} error={errors.contact ? words.contactWrong : null}>
            {(control) => (
              <input
                {...control}
                ref={contact}
                className="input"
                type="email"
                autoComplete="off"
                defaultValue={settings.contactEmail ?? ""}
              />
            )}
          </Entry>
          <FactList>
            <Fact term={words.number}>{settings.number}</Fact>
          </FactList>
        </div>
      </Setting>
      <Setting title={words.place} text={words.placeText}>
        <div className="body form">
          <div className="half">
            <Entry label={words.timeZone}>
              {(control) => (
                <select {...control} ref={timeZone} className="input" defaultValue={settings.timeZone}>
                  {[...new Set([settings.timeZone, ...zones])].map((zone) => (
                    <option key={zone}>{zone}</option>
                  ))}
                </select>
              )}
            </Entry>
          </div>
          <div className="half">
            <Entry label={words.language}>
              {(control) => (
                <select {...control} ref={spoken} className="input" defaultValue={settings.language}>
                  {[...new Set([settings.language, ...LANGUAGES])].map((tag) => (
                    <option key={tag} value={tag}>
                      {LANGUAGES.some((each) => each === tag) ? languageName(tag) : tag}
                    </option>
                  ))}
                </select>
              )}
            </Entry>
          </div>
        </div>
      </Setting>
      <Setting title={words.jurisdiction} text={words.jurisdictionText}>
        <div className="body">
          <Entry label={words.jurisdiction} hint={words.jurisdictionHint}>
            {(control) => (
              <select {...control} ref={jurisdiction} className="input" defaultValue={settings.jurisdiction}>
                {Object.entries(words.jurisdictions).map(([tag, word]) => (
                  <option key={tag} value={tag}>
                    {word}
                  </option>
                ))}
              </select>
            )}
          </Entry>
        </div>
      </Setting>
      {update.refusal !== null && <RefusalNotice refusal={update.refusal} />}
      {isSaved && (
        <div role="status">
          <Notice tone="ok" icon="done">
            <p>{words.saved}</p>
          </Notice>
        </div>
      )}
      <div className="row">
        <button type="submit" className="button main" aria-disabled={update.isBusy}>
          {words.save}
        </button>
        <button type="reset" className="button">
          {words.undo}
        </button>
      </div>
    </form>
  );
}
