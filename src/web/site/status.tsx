import type { ReactElement } from "react";
import { Icon } from "../design/icon.tsx";
import { When } from "../shell/given.tsx";
import type { Language } from "../shell/language.ts";
import { SiteLink } from "../shell/site-link.tsx";
import { serviceWords } from "./service-words.ts";
import type { StaticPage } from "./static-page.ts";

/** The services of the home page, by the names in `needs` of their pages (src/services). Their record is among the checks. */
const SERVICES = ["proofs", "signatures", "dns", "webhooks"] as const;

/** A check in words for people. Its name is the one that /readyz gives it. */
interface CheckWords {
  readonly name: string;
  readonly heading: string;
  readonly ok: string;
  readonly failed: string;
  /** Only the storage can be full. */
  readonly full?: string;
}

/** The nameservers, of which some may be away while the service works. */
interface NameserverWords {
  readonly heading: string;
  readonly ok: string;
  readonly some: string;
  readonly none: string;
}

/** A service by the name that the home page gives it. */
interface ServiceStatusWords {
  readonly ok: string;
  readonly part?: string;
  readonly failed: string;
}

/** A component of platform.faults, and what its fault meant. */
interface FaultWords {
  readonly name: string;
  readonly heading: string;
  readonly whole: string;
  readonly part?: string;
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
  readonly components: readonly FaultWords[];
}

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
  readonly services: Readonly<Record<(typeof SERVICES)[number], ServiceStatusWords>>;
  readonly checksHeading: string;
  readonly okWord: string;
  readonly failedWord: string;
  readonly fullWord: string;
  readonly unknownWord: string;
  /** In place of a check that needs the record, while the record does not answer. */
  readonly unknown: string;
  readonly checks: readonly CheckWords[];
  readonly nameservers: NameserverWords;
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
    services: {
      proofs: { ok: "Files can be registered, and proofs verified.", failed: "Registering and verifying may fail." },
      signatures: {
        ok: "Documents can be sent, signed and downloaded.",
        part: "Documents can be signed and downloaded, but no new ones can be uploaded.",
        failed: "Sending and signing may fail. What is signed stays signed.",
      },
      dns: {
        ok: "Zones and their records can be changed.",
        part: "Zones can be changed. One of the nameservers is away or slow.",
        failed: "Changes may fail, or reach the nameservers late.",
      },
      webhooks: {
        ok: "Every event is recorded for delivery. Whether your address answers is not checked here.",
        failed: "Events may be late. What was recorded is delivered afterwards.",
      },
    },
    checksHeading: "What was checked",
    okWord: "Works",
    failedWord: "Fails",
    fullWord: "Full",
    unknownWord: "Not checked",
    unknown: "Could not be checked, because the record does not answer.",
    checks: [
      {
        name: "database",
        heading: "The record",
        ok: "Can be read and written.",
        failed: "Does not answer. Nothing can be registered or looked up.",
      },
      {
        name: "keys",
        heading: "The signatures",
        ok: "Both were made and verified as a test.",
        failed: "Cannot be made. Nothing can be registered.",
      },
      {
        name: "certificates",
        heading: "The certificates",
        ok: "Signed documents can be completed.",
        failed: "Cannot be used. Signed documents cannot be completed.",
      },
      {
        name: "migrations",
        heading: "The program",
        ok: "Matches the record.",
        failed: "Does not match the record: an update may be under way.",
      },
      {
        name: "public_url",
        heading: "The address",
        ok: "Links and receipts name the right address.",
        failed: "Links and receipts may name another address.",
      },
      {
        name: "storage",
        heading: "The storage",
        ok: "Documents can be stored and read.",
        failed: "Does not answer. Documents can neither be uploaded nor read.",
        full: "Has no room right now. Documents can be read, but not uploaded.",
      },
    ],
    nameservers: {
      heading: "The nameservers",
      ok: "All of them answer for hosted domains.",
      some: "At least one of them is away or slow. The others answer for hosted domains, with every change.",
      none: "None of them can be told of changes right now. Hosted domains may not answer, or only with what was true before.",
    },
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
        "The service checks itself once a minute. A pause of less than five minutes, such as a restart, is no fault. A fault of the network in front of it is not seen.",
      components: [
        {
          name: "service",
          heading: "The service",
          whole: "Was away, or its background work stood still: mails and webhooks waited.",
        },
        { name: "keys", heading: "The signatures", whole: "Could not be made. Nothing could be registered." },
        {
          name: "certificates",
          heading: "The certificates",
          whole: "Could not be used. Signed documents had to wait for their completion.",
        },
        {
          name: "storage",
          heading: "The storage",
          whole: "Did not answer. Documents could neither be uploaded nor read.",
          part: "Had no room. Documents could be read, but not uploaded.",
        },
        {
          name: "nameservers",
          heading: "The nameservers",
          whole: "None of them could be told of changes.",
          part: "At least one of them was away or slow. The others answered for hosted domains.",
        },
      ],
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
    services: {
      proofs: {
        ok: "Dá para registrar arquivos e verificar provas.",
        failed: "Registrar e verificar pode falhar.",
      },
      signatures: {
        ok: "Dá para enviar, assinar e baixar documentos.",
        part: "Dá para assinar e baixar documentos, mas não para enviar novos.",
        failed: "Enviar e assinar pode falhar. O que já foi assinado continua assinado.",
      },
      dns: {
        ok: "Dá para mudar zonas e registros.",
        part: "Dá para mudar zonas. Um dos servidores DNS está fora do ar ou lento.",
        failed: "As mudanças podem falhar ou demorar a chegar aos servidores DNS.",
      },
      webhooks: {
        ok: "Cada evento fica registrado para a entrega. Aqui não se testa se o seu endereço responde.",
        failed: "Os avisos podem atrasar. O que foi registrado é entregue depois.",
      },
    },
    checksHeading: "O que foi testado",
    okWord: "Funciona",
    failedWord: "Com problema",
    fullWord: "Cheio",
    unknownWord: "Não testado",
    unknown: "Não foi possível testar, porque o registro não responde.",
    checks: [
      {
        name: "database",
        heading: "O registro",
        ok: "Pode ser lido e escrito.",
        failed: "Não responde. Nada pode ser registrado nem consultado.",
      },
      {
        name: "keys",
        heading: "As assinaturas",
        ok: "As duas foram feitas e verificadas, como teste.",
        failed: "Não podem ser feitas. Nada pode ser registrado.",
      },
      {
        name: "certificates",
        heading: "Os certificados",
        ok: "Documentos assinados podem ser concluídos.",
        failed: "Não podem ser usados. Documentos assinados não podem ser concluídos.",
      },
      {
        name: "migrations",
        heading: "O programa",
        ok: "Confere com o registro.",
        failed: "Não confere com o registro: pode haver uma atualização em andamento.",
      },
      {
        name: "public_url",
        heading: "O endereço",
        ok: "Links e recibos trazem o endereço certo.",
        failed: "Links e recibos podem trazer outro endereço.",
      },
      {
        name: "storage",
        heading: "O armazenamento",
        ok: "Documentos podem ser guardados e lidos.",
        failed: "Não responde. Não dá para enviar nem abrir documentos.",
        full: "Está sem espaço agora. Dá para abrir documentos, mas não para enviar novos.",
      },
    ],
    nameservers: {
      heading: "Os servidores DNS",
      ok: "Todos respondem pelos domínios hospedados.",
      some: "Pelo menos um deles está fora do ar ou lento. Os outros respondem pelos domínios hospedados, já com cada mudança.",
      none: "Nenhum deles está recebendo mudanças agora. Os domínios hospedados podem não responder, ou responder ainda com os dados de antes.",
    },
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
      components: [
        {
          name: "service",
          heading: "O serviço",
          whole: "Ficou fora do ar, ou o trabalho em segundo plano parou: e-mails e webhooks ficaram esperando.",
        },
        {
          name: "keys",
          heading: "As assinaturas",
          whole: "Não podiam ser feitas. Nada podia ser registrado.",
        },
        {
          name: "certificates",
          heading: "Os certificados",
          whole: "Não podiam ser usados. A conclusão de documentos assinados teve de esperar.",
        },
        {
          name: "storage",
          heading: "O armazenamento",
          whole: "Não respondia. Não dava para enviar nem abrir documentos.",
          part: "Estava sem espaço. Dava para abrir documentos, mas não para enviar novos.",
        },
        {
          name: "nameservers",
          heading: "Os servidores DNS",
          whole: "Nenhum deles estava recebendo mudanças.",
          part: "Pelo menos um deles estava fora do ar ou lento. Os outros respondiam pelos domínios hospedados.",
        },
      ],
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
  content: (language) => <Status say={words[language]} language={language} />,
};

function Status({ say, language }: { readonly say: Words; readonly language: Language }): ReactElement {
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
            {SERVICES.map((name) => (
              <ServiceStatus
                key={name}
                name={`service_${name}`}
                heading={serviceWords[language][name].heading}
                words={say.services[name]}
                say={say}
              />
            ))}
          </ul>
        </section>
        <section className="card" aria-labelledby="checks">
          <h2 id="checks">{say.checksHeading}</h2>
          <ul className="outcomes">
            {say.checks.map(({ name, heading, ok, failed, full }) => (
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
            <When name="has_nameservers">
              <Nameservers say={say} />
            </When>
          </ul>
        </section>
        <History say={say.history} />
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

/** The gateway puts in the faults: src/surfaces/web/fault-facts.ts. */
function History({ say }: { readonly say: HistoryWords }): ReactElement {
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
                {say.components.map((component) => (
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

function FaultOf({ name, heading, whole, part }: FaultWords): ReactElement {
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

interface ServiceStatusProps {
  readonly name: string;
  readonly heading: string;
  readonly words: ServiceStatusWords;
  readonly say: Words;
}

function ServiceStatus({ name, heading, words: { ok, part, failed }, say }: ServiceStatusProps): ReactElement {
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
          <When key={outcome} name={`${name}_${outcome}`}>
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

function Nameservers({ say }: { readonly say: Words }): ReactElement {
  const { heading, ok, some, none } = say.nameservers;
  return (
    <li>
      <When name="nameservers_ok">
        <span className="is-ok word">
          <Icon tone="ok" /> {say.okWord}
        </span>
      </When>
      <When name="nameservers_some">
        <span className="is-info word">
          <Icon tone="info" /> {say.partWord}
        </span>
      </When>
      <When name="nameservers_none">
        <span className="is-bad word">
          <Icon tone="bad" /> {say.failedWord}
        </span>
      </When>
      <div>
        <h3>{heading}</h3>
        <p className="quiet">
          <When name="nameservers_ok">{ok}</When>
          <When name="nameservers_some">{some}</When>
          <When name="nameservers_none">{none}</When>
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
