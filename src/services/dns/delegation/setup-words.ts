import Negotiator from "negotiator";
import { z } from "zod";

/** What the instructions of a zone depend on. */
export interface SetupFacts {
  readonly name: string;
  readonly status: string;
  /** How many records of the zone are served. */
  readonly records: number;
  readonly assigned_ns: readonly string[];
  /** Null where the public DNS did not answer. */
  readonly current_ns: readonly string[] | null;
  readonly delegated: boolean;
  /** The parent has a DS record of other keys than the zone's: resolvers that validate refuse what the zone answers. */
  readonly has_foreign_ds: boolean;
  readonly is_signed: boolean;
  /** DS records of the zone's newest key, as long as the parent has none of them. */
  readonly ds_to_publish: readonly string[];
  /** The public DNS did not answer when the zone was made, so nobody knows who made the delegation. */
  readonly is_doubtful: boolean;
}

/** One step on the way to a zone that is served to the world, or that is signed. */
export const instruction = z
  .object({
    step: z.int32().meta({ description: "Number of the step, from 1." }),
    title: z.string().meta({ description: "What to do, in a few words." }),
    text: z.string().meta({ description: "How to do it." }),
    done: z.boolean().meta({ description: "Whether the step is done." }),
  })
  .meta({ title: "DnsSetupStep", description: "A step." });

export type Instruction = Readonly<z.output<typeof instruction>>;

export type SetupLanguage = "en" | "pt-BR";

/** What a terminal writes around the instructions. */
interface Labels {
  readonly zone: string;
  readonly status: string;
  readonly statuses: Readonly<Record<string, string>>;
  readonly assigned: string;
  readonly current: string;
  readonly parent: string;
  readonly nobody: string;
  readonly none: string;
  readonly checked: string;
  readonly never: string;
  readonly dsToPublish: string;
  /** Which command says more about a signed zone. */
  readonly dnssec: (name: string) => string;
}

interface Words {
  readonly noNameservers: readonly [title: string, text: string];
  readonly records: readonly [title: string, text: string];
  readonly foreignDs: readonly [title: string, text: string];
  /** The same once the domain points to this service. */
  readonly foreignDsHere: readonly [title: string, text: string];
  readonly nameservers: (assigned: string, now: string | null) => readonly [title: string, text: string];
  readonly publishDs: (missing: readonly string[]) => readonly [title: string, text: string];
  readonly wait: (facts: SetupFacts) => readonly [title: string, text: string];
  readonly and: string;
  readonly labels: Labels;
}

const words: Readonly<Record<SetupLanguage, Words>> = {
  en: {
    noNameservers: [
      "Ask for nameservers",
      "This service has not named its nameservers. Ask the people who run it for them.",
    ],
    records: [
      "Bring your records",
      "Add the records that the domain has now. Run a quick scan for common names, import the zone file of its present provider, or add the records one by one. A quick scan never finds everything, so compare the records with the provider's. Then nothing is missing after the change.",
    ],
    foreignDs: [
      "Remove the old DS record",
      "The domain still has a DS record of its present provider's DNSSEC. Remove it where the domain is registered, and wait a day before you change the nameservers. Otherwise, many people would no longer reach the domain.",
    ],
    foreignDsHere: [
      "Remove the old DS record",
      "The registry publishes a DS record that belongs to no key of the zone. Remove it where the domain is registered: while it is there, many people cannot reach the domain.",
    ],
    nameservers: (assigned, now) => [
      "Change the nameservers",
      `Where the domain is registered, replace all its nameservers with these two: ${assigned}. Leave none of the old ones.${now === null ? "" : ` Now the domain points to: ${now}.`}`,
    ],
    wait: ({ status, delegated, is_doubtful }) => [
      "Wait until the change is seen",
      is_doubtful && delegated
        ? "The domain points to its nameservers here, but the public DNS did not answer when the zone was created. So nobody can tell who set them. Point the domain elsewhere until a check has seen it, then point it back. Or delete the zone and create it again."
        : status === "active"
          ? "The domain points to this service. We check it every five minutes, and you get an e-mail if that changes."
          : "Most changes are visible within minutes, but some only after two days. We check every five minutes. You can also ask for a check now.",
    ],
    publishDs: (missing) => [
      "Publish the DS record",
      missing.length === 0
        ? "The registry publishes a DS record of the zone's key."
        : `Once the domain points here, add this DS record where the domain is registered: ${missing[0]}. Until then nobody can validate the zone's signatures. Never turn DNSSEC off here while it is published.`,
    ],
    and: " and ",
    labels: {
      zone: "Zone",
      status: "Status",
      statuses: {
        pending: "pending: the domain does not point here yet",
        active: "active: the domain points here",
        moved: "moved: the domain has pointed elsewhere for 30 days or more",
      },
      assigned: "Its nameservers here",
      current: "Nameservers now",
      parent: "At the registry",
      nobody: "nobody answered",
      none: "none",
      checked: "Last check",
      never: "never",
      dsToPublish: "DS records to publish; one of them is enough:",
      dnssec: (name) => `\`selo zone dnssec ${name}\` shows its keys, and the steps of DNSSEC.`,
    },
  },
  "pt-BR": {
    noNameservers: [
      "Peça os servidores DNS",
      "Este serviço ainda não informou quais são os servidores DNS. Peça os nomes a quem cuida dele.",
    ],
    records: [
      "Traga os seus registros",
      "Cadastre os registros que o domínio tem hoje: faça uma busca rápida pelos nomes mais comuns, importe o arquivo de zona do provedor atual ou crie um por um. A busca rápida nunca encontra tudo, então confira com os registros do provedor. Assim, nada sai do ar na troca.",
    ],
    foreignDs: [
      "Remova o registro DS antigo",
      "O domínio ainda tem um registro DS, do DNSSEC do provedor atual. Remova esse registro onde o domínio foi registrado e espere um dia antes de trocar os servidores. Sem isso, muita gente deixaria de acessar o domínio.",
    ],
    foreignDsHere: [
      "Remova o registro DS antigo",
      "A zona pai publica um registro DS que não é de nenhuma chave da zona. Remova esse registro onde o domínio foi registrado: enquanto ele estiver lá, muita gente não consegue acessar o domínio.",
    ],
    nameservers: (assigned, now) => [
      "Troque os servidores DNS",
      `Onde o domínio foi registrado (no Registro.br, por exemplo), troque todos os servidores DNS por estes dois: ${assigned}. Não deixe nenhum dos antigos.${now === null ? "" : ` Hoje o domínio aponta para: ${now}.`}`,
    ],
    wait: ({ status, delegated, is_doubtful }) => [
      "Espere a mudança aparecer",
      is_doubtful && delegated
        ? "O domínio já aponta para os servidores daqui, mas o DNS público não respondeu quando a zona foi criada. Por isso, não dá para saber quem fez essa configuração. Aponte o domínio para outro lugar até uma verificação perceber a mudança e depois aponte de volta para cá; ou apague a zona e crie de novo."
        : status === "active"
          ? "O domínio aponta para este serviço. Conferimos a cada cinco minutos e, se isso mudar, avisamos por e-mail."
          : "Quase sempre a mudança aparece em minutos, mas pode levar até dois dias. Conferimos a cada cinco minutos; se quiser, peça uma verificação na hora.",
    ],
    publishDs: (missing) => [
      "Publique o registro DS",
      missing.length === 0
        ? "A zona pai já publica um DS da chave da zona."
        : `Quando o domínio já apontar para cá, cadastre este registro DS onde o domínio foi registrado: ${missing[0]}. Enquanto ele não estiver lá, ninguém consegue validar as assinaturas da zona. Nunca desative o DNSSEC aqui com o DS ainda publicado.`,
    ],
    and: " e ",
    labels: {
      zone: "Zona",
      status: "Situação",
      statuses: {
        pending: "pendente: o domínio ainda não aponta para cá",
        active: "ativa: o domínio aponta para cá",
        moved: "mudou: o domínio aponta para outro lugar há 30 dias ou mais",
      },
      assigned: "Servidores deste serviço",
      current: "Servidores hoje",
      parent: "Na zona pai",
      nobody: "ninguém respondeu",
      none: "nenhum",
      checked: "Última verificação",
      never: "ainda não houve",
      dsToPublish: "Registros DS a publicar; basta um deles:",
      dnssec: (name) => `\`selo zone dnssec ${name}\` mostra as chaves e os passos do DNSSEC.`,
    },
  },
};

/** The steps by which a zone's owner makes it active, in order. */
export function instructionsOf(facts: SetupFacts, language: SetupLanguage): Instruction[] {
  const { noNameservers, records, foreignDs, foreignDsHere, nameservers, publishDs, wait, and } = words[language];
  const { assigned_ns, current_ns, delegated } = facts;
  const now = delegated || current_ns === null || current_ns.length === 0 ? null : current_ns.join(", ");
  const steps: [words: readonly [title: string, text: string], done: boolean][] = [
    [records, facts.records > 0],
    ...(facts.has_foreign_ds
      ? ([[delegated ? foreignDsHere : foreignDs, false]] satisfies [readonly [string, string], boolean][])
      : []),
    [assigned_ns.length === 0 ? noNameservers : nameservers(assigned_ns.join(and), now), delegated],
    [wait(facts), facts.status === "active"],
    ...(facts.is_signed
      ? ([[publishDs(facts.ds_to_publish), facts.ds_to_publish.length === 0]] satisfies [
          readonly [string, string],
          boolean,
        ][])
      : []),
  ];
  return steps.map(([[title, text], done], place) => ({ step: place + 1, title, text, done }));
}

export const labelsOf = (language: SetupLanguage): Labels => words[language].labels;

/**
 * The language of instructions: the first one that the caller prefers and we have (RFC 9110 §12.5.4), else that of the organization.
 * @param acceptLanguage the header; null without one
 */
export function setupLanguage(acceptLanguage: string | null, ofOrganization: string): SetupLanguage {
  const preferred = new Negotiator({ headers: { "accept-language": acceptLanguage ?? "" } }).languages();
  for (const tag of [...(acceptLanguage === null ? [] : preferred), ofOrganization]) {
    const [primary] = tag.toLowerCase().split("-");
    if (primary === "pt") return "pt-BR";
    if (primary === "en") return "en";
  }
  return "en";
}
