import type { ReactElement } from "react";
import { Icon } from "../design/icon.tsx";
import { When } from "../shell/given.tsx";
import type { Language } from "../shell/language.ts";
import { SiteLink } from "../shell/site-link.tsx";
import { SECTIONS } from "./service-words.ts";
import type { StaticPage } from "./static-page.ts";
import {
  type CheckWords,
  type ComponentWords,
  statusWords as ownWords,
  type PartWords,
  type ServiceWords,
  type StatusWords,
  type StatusWordsOf,
} from "./status-words.ts";

const wordsOfServices = import.meta.glob<StatusWordsOf>(["../*/status-words.ts", "!./status-words.ts"], {
  eager: true,
  import: "statusWords",
});

/** The words of all services, and of what they stand on. */
function allWords(language: Language): Required<StatusWords> {
  const ofServices = Object.values(wordsOfServices).map((words) => words[language]);
  const all = [ownWords[language], ...ofServices];
  return {
    services: inOrder(all.flatMap(({ services = [] }) => services)),
    checks: allChecks(
      ownWords[language].checks ?? [],
      ofServices.flatMap(({ checks = [] }) => checks),
    ),
    parts: all.flatMap(({ parts = [] }) => parts),
    components: all.flatMap(({ components = [] }) => components),
  };
}

/** What services sign with stands behind the platform's keys. */
function allChecks(own: readonly CheckWords[], ofServices: readonly CheckWords[]): CheckWords[] {
  return own.flatMap((check) => (check.name === "keys" ? [check, ...ofServices] : [check]));
}

/** As on the home page. A service without a section there comes last. */
function inOrder(services: readonly ServiceWords[]): ServiceWords[] {
  const ofHome = SECTIONS.flatMap((section) => services.filter(({ name }) => name === section));
  return [...ofHome, ...services.filter((service) => !ofHome.includes(service))];
}

/** What failed in the last 90 days. */
interface HistoryWords {
  readonly heading: string;
  /** Before the first day, where faults are recorded for less than 90 days. */
  readonly since: string;
  readonly none: string;
  readonly noneSince: string;
  readonly unread: string;
  readonly unwatched: string;
  readonly over: string;
  readonly lasts: string;
  /** Before and between two instants. */
  readonly from: string;
  readonly to: string;
  /** Before the begin of a fault that lasts. */
  readonly sinceThen: string;
  readonly moreOne: string;
  readonly moreBefore: string;
  readonly moreAfter: string;
  readonly accuracy: string;
}

/** The words of the page around those of status-words.ts. */
interface Words {
  readonly title: string;
  readonly description: string;
  readonly works: string;
  readonly upHeading: string;
  readonly upText: string;
  readonly fails: string;
  readonly downHeading: string;
  readonly downText: string;
  readonly checkedAt: string;
  readonly again: string;
  readonly servicesHeading: string;
  readonly partWord: string;
  readonly checksHeading: string;
  readonly okWord: string;
  readonly failedWord: string;
  readonly fullWord: string;
  readonly unknownWord: string;
  /** In place of a check that needs the record, while the record does not answer. */
  readonly unknown: string;
  readonly history: HistoryWords;
  readonly offline: string;
  readonly offlineLink: string;
  readonly programs: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    title: "Service status · Selo",
    description: "Whether Selo is working right now.",
    works: "Working",
    upHeading: "Selo is working: files can be registered and proofs can be verified.",
    upText: "Everything that Selo needs answered a moment ago.",
    fails: "Having problems",
    downHeading: "Selo is not fully working right now.",
    downText:
      "Registering files and looking up proofs may fail. What is registered stays registered; please try again in a few minutes.",
    checkedAt: "Checked on",
    again: "Check again",
    servicesHeading: "The services",
    partWord: "Works in part",
    checksHeading: "What was checked",
    okWord: "Works",
    failedWord: "Fails",
    fullWord: "Full",
    unknownWord: "Not checked",
    unknown: "Could not be checked, because the record does not answer.",
    history: {
      heading: "The last 90 days",
      since: "Recorded since",
      none: "No fault in the last 90 days.",
      noneSince: "No fault since",
      unread: "The record of faults does not answer right now.",
      unwatched: "Faults are not recorded yet.",
      over: "Over",
      lasts: "Not over",
      from: "From",
      to: "to",
      sinceThen: "Since",
      moreOne: "And one older fault in this time.",
      moreBefore: "And",
      moreAfter: "older faults in this time.",
      accuracy:
        "The service checks itself once a minute. A pause of less than five minutes, such as a restart, does not count as a fault. The service cannot see a fault of the network in front of it.",
    },
    offline: "A receipt can be verified without us at any time.",
    offlineLink: "How to verify offline",
    programs: "The checks for programs, as JSON",
  },
  "pt-BR": {
    title: "Situação do serviço · Selo",
    description: "Mostra se o Selo está funcionando agora.",
    works: "Funcionando",
    upHeading: "O Selo está funcionando: arquivos podem ser registrados e provas podem ser verificadas.",
    upText: "Tudo de que ele precisa para trabalhar acabou de responder.",
    fails: "Com problemas",
    downHeading: "O Selo não está funcionando por completo agora.",
    downText:
      "Registrar arquivos e consultar provas pode falhar. O que já foi registrado continua registrado; tente de novo daqui a alguns minutos.",
    checkedAt: "Situação em",
    again: "Atualizar",
    servicesHeading: "Os serviços",
    partWord: "Funciona em parte",
    checksHeading: "O que foi testado",
    okWord: "Funciona",
    failedWord: "Com problema",
    fullWord: "Cheio",
    unknownWord: "Não testado",
    unknown: "Não foi possível testar, porque o registro não responde.",
    history: {
      heading: "Os últimos 90 dias",
      since: "Registrado desde",
      none: "Nenhuma falha nos últimos 90 dias.",
      noneSince: "Nenhuma falha desde",
      unread: "O registro de falhas não responde agora.",
      unwatched: "As falhas ainda não são registradas.",
      over: "Resolvido",
      lasts: "Ainda não resolvido",
      from: "De",
      to: "a",
      sinceThen: "Desde",
      moreOne: "E mais uma falha anterior nesse período.",
      moreBefore: "E mais",
      moreAfter: "falhas anteriores nesse período.",
      accuracy:
        "O serviço verifica a si mesmo uma vez por minuto. Uma pausa de menos de cinco minutos, como ao reiniciar, não conta como falha. Uma falha da rede no caminho até ele não é percebida.",
    },
    offline: "Um recibo pode ser verificado sem nós, a qualquer hora.",
    offlineLink: "Como verificar sem internet",
    programs: "As verificações para programas, em JSON",
  },
};

/** The gateway puts in the outcome of its checks at every request: src/surfaces/web/status-page.ts. */
export const status: StaticPage = {
  name: "status",
  title: (language) => words[language].title,
  description: (language) => words[language].description,
  content: (language) => <Status say={words[language]} all={allWords(language)} language={language} />,
};

interface StatusProps {
  readonly say: Words;
  readonly all: Required<StatusWords>;
  readonly language: Language;
}

function Status({ say, all, language }: StatusProps): ReactElement {
  return (
    <>
      <When name="is_ready">
        <section className="verdict status ok" aria-labelledby="status">
          <div className="page">
            <p className="state">
              <Icon tone="ok" size={28} /> {say.works}
            </p>
            <h1 id="status">{say.upHeading}</h1>
            <p className="lead">{say.upText}</p>
            <CheckedAt say={say} />
          </div>
        </section>
      </When>
      <When name="is_not_ready">
        <section className="verdict status bad" aria-labelledby="status">
          <div className="page">
            <p className="state">
              <Icon tone="bad" size={28} /> {say.fails}
            </p>
            <h1 id="status">{say.downHeading}</h1>
            <p className="lead">{say.downText}</p>
            <CheckedAt say={say} />
          </div>
        </section>
      </When>
      <div className="page columns">
        <section className="card" aria-labelledby="services">
          <h2 id="services">{say.servicesHeading}</h2>
          <ul className="outcomes">
            {all.services.map((service) => (
              <ServiceStatus key={service.name} words={service} say={say} />
            ))}
          </ul>
        </section>
        <section className="card" aria-labelledby="checks">
          <h2 id="checks">{say.checksHeading}</h2>
          <ul className="outcomes">
            {all.checks.map(({ name, heading, ok, failed, full }) => (
              <li key={name}>
                <When name={`${name}_ok`}>
                  <span className="is-ok word">
                    <Icon tone="ok" /> {say.okWord}
                  </span>
                </When>
                <When name={`${name}_failed`}>
                  <span className="is-bad word">
                    <Icon tone="bad" /> {say.failedWord}
                  </span>
                </When>
                {full === undefined ? null : (
                  <When name={`${name}_full`}>
                    <span className="is-bad word">
                      <Icon tone="bad" /> {say.fullWord}
                    </span>
                  </When>
                )}
                <When name={`${name}_unknown`}>
                  <span className="is-info word">
                    <Icon tone="info" /> {say.unknownWord}
                  </span>
                </When>
                <div>
                  <h3>{heading}</h3>
                  <p className="quiet">
                    <When name={`${name}_ok`}>{ok}</When>
                    <When name={`${name}_failed`}>{failed}</When>
                    {full === undefined ? null : <When name={`${name}_full`}>{full}</When>}
                    <When name={`${name}_unknown`}>{say.unknown}</When>
                  </p>
                </div>
              </li>
            ))}
            {all.parts.map((part) => (
              <When key={part.name} name={`has_${part.name}`}>
                <PartStatus words={part} say={say} />
              </When>
            ))}
          </ul>
        </section>
        <History say={say.history} components={all.components} />
        <div className="side">
          <section className="card stack">
            <p>{say.offline}</p>
            <p>
              <SiteLink href="/guides/verifying#offline" language={language} text={say.offlineLink} />
            </p>
            <p className="small">
              <a href="/readyz">{say.programs}</a>
            </p>
          </section>
        </div>
      </div>
    </>
  );
}

interface HistoryProps {
  readonly say: HistoryWords;
  readonly components: readonly ComponentWords[];
}

/** The gateway puts in the faults: src/surfaces/web/fault-facts.ts. */
function History({ say, components }: HistoryProps): ReactElement {
  const moment = (name: string) => <time dateTime={`{{${name}_at}}`}>{`{{${name}_in_words}}`}</time>;
  return (
    <section className="card stack" aria-labelledby="history">
      <h2 id="history">{say.heading}</h2>
      <When name="has_faults">
        <ul className="outcomes">
          <When name="faults">
            <li>
              <When name="fault_is_over">
                <span className="word">
                  <Icon tone="note" /> {say.over}
                </span>
              </When>
              <When name="fault_lasts">
                <span className="is-bad word">
                  <Icon tone="bad" /> {say.lasts}
                </span>
              </When>
              <div>
                {components.map((component) => (
                  <FaultOf key={component.name} {...component} />
                ))}
                <p className="small">
                  <When name="fault_is_over">
                    {say.from} {moment("fault_began")} {say.to} {moment("fault_ended")}
                  </When>
                  <When name="fault_lasts">
                    {say.sinceThen} {moment("fault_began")}
                  </When>
                  {": {{fault_took}}"}
                </p>
              </div>
            </li>
          </When>
        </ul>
      </When>
      <When name="one_more_fault">
        <p>{say.moreOne}</p>
      </When>
      <When name="more_faults">
        <p>
          {say.moreBefore} {"{{more_faults}}"} {say.moreAfter}
        </p>
      </When>
      <When name="no_fault">
        <ul className="claims">
          <li>
            <Icon tone="ok" />
            <span>
              <When name="faults_are_whole">{say.none}</When>
              <When name="faults_since">
                {say.noneSince} <Since />.
              </When>
            </span>
          </li>
        </ul>
      </When>
      <When name="faults_unread">
        <p>{say.unread}</p>
      </When>
      <When name="faults_unwatched">
        <p>{say.unwatched}</p>
      </When>
      <p className="small quiet">
        <When name="has_faults">
          <When name="faults_since">
            {say.since} <Since />.{" "}
          </When>
        </When>
        {say.accuracy}
      </p>
    </section>
  );
}

/** The instant since which faults are recorded. */
function Since(): ReactElement {
  return <time dateTime="{{faults_since}}">{"{{faults_since_in_words}}"}</time>;
}

function FaultOf({ name, heading, whole, part }: ComponentWords): ReactElement {
  return (
    <When name={`fault_${name}`}>
      <h3>{heading}</h3>
      <p className="quiet">
        {part === undefined ? (
          whole
        ) : (
          <>
            <When name="fault_whole">{whole}</When>
            <When name="fault_part">{part}</When>
          </>
        )}
      </p>
    </When>
  );
}

function ServiceStatus({ words, say }: { readonly words: ServiceWords; readonly say: Words }): ReactElement {
  const { name, heading, ok, part, failed } = words;
  const outcomes = [
    { outcome: "ok", tone: "ok", word: say.okWord, text: ok },
    { outcome: "part", tone: "info", word: say.partWord, text: part },
    { outcome: "failed", tone: "bad", word: say.failedWord, text: failed },
    { outcome: "unknown", tone: "info", word: say.unknownWord, text: say.unknown },
  ] as const;
  return (
    <li>
      {outcomes.map(({ outcome, tone, word, text }) =>
        text === undefined ? null : (
          <When key={outcome} name={`service_${name}_${outcome}`}>
            <span className={`is-${tone} word`}>
              <Icon tone={tone} /> {word}
            </span>
            <div>
              <h3>{heading}</h3>
              <p className="quiet">{text}</p>
            </div>
          </When>
        ),
      )}
    </li>
  );
}

function PartStatus({ words, say }: { readonly words: PartWords; readonly say: Words }): ReactElement {
  const { name, heading, ok, some, none } = words;
  return (
    <li>
      <When name={`${name}_ok`}>
        <span className="is-ok word">
          <Icon tone="ok" /> {say.okWord}
        </span>
      </When>
      <When name={`${name}_some`}>
        <span className="is-info word">
          <Icon tone="info" /> {say.partWord}
        </span>
      </When>
      <When name={`${name}_none`}>
        <span className="is-bad word">
          <Icon tone="bad" /> {say.failedWord}
        </span>
      </When>
      <div>
        <h3>{heading}</h3>
        <p className="quiet">
          <When name={`${name}_ok`}>{ok}</When>
          <When name={`${name}_some`}>{some}</When>
          <When name={`${name}_none`}>{none}</When>
        </p>
      </div>
    </li>
  );
}

function CheckedAt({ say }: { readonly say: Words }): ReactElement {
  return (
    <p className="row">
      <span>
        {say.checkedAt} <time dateTime="{{checked_at}}">{"{{checked_in_words}}"}</time>.
      </span>
      <a className="button slim" href="/status">
        {say.again}
      </a>
    </p>
  );
}
