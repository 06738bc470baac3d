import type { SetupLanguage } from "../delegation/setup-words.ts";

export type Step = readonly [title: string, text: string];

/** The zone that the steps are about. */
export interface ZoneFacts {
  readonly id: number;
  readonly name: string;
}

interface DnssecLabels {
  readonly on: string;
  readonly off: string;
  readonly chain: string;
  readonly chains: Readonly<Record<string, string>>;
  /** A broken chain of a zone that is not active: the answers of its present provider are valid. */
  readonly brokenElsewhere: string;
  /** Warnings by their codes. Those that are not here are shown as the service words them. */
  readonly warnings: Readonly<Record<string, string>>;
  /** The same of a zone that is not active, where they differ. */
  readonly warningsElsewhere: Readonly<Record<string, string>>;
  readonly warning: string;
  readonly key: (tag: string, place: "only" | "old" | "new") => string;
  readonly algorithm: string;
  readonly state: string;
  readonly states: readonly [active: string, inactive: string];
  readonly since: string;
  readonly atParent: string;
  readonly seen: readonly [yes: string, no: string, unanswered: string];
  readonly copy: (digest: string) => string;
  readonly fields: readonly [keyTag: string, algorithm: string, digestType: string, digest: string];
  readonly form: string;
  readonly headings: readonly [toSign: string, signed: string, rotation: string];
  readonly toDisable: string;
}

interface Words {
  readonly labels: DnssecLabels;
  readonly removeForeign: Step;
  readonly removeOther: Step;
  readonly forgetForeign: Step;
  readonly enable: (zone: ZoneFacts) => Step;
  readonly enabled: Step;
  readonly pointHere: (name: string) => Step;
  readonly publishLater: Step;
  readonly publish: Step;
  readonly replace: Step;
  readonly replaceByNew: Step;
  readonly untilSeen: (name: string) => Step;
  readonly newKey: Step;
  readonly publishBeside: Step;
  readonly untilNewSeen: (name: string) => Step;
  readonly untilForgotten: Step;
  readonly removeOldDs: Step;
  readonly untilOldForgotten: Step;
  readonly removeOldKey: (zone: ZoneFacts, keyId: number) => Step;
  readonly removeDs: Step;
  readonly untilDsForgotten: Step;
  readonly disable: (zone: ZoneFacts) => Step;
}

/** The warnings of DS records that are in the way of a move to this service. */
const ANOTHER_PROVIDER =
  "the registry publishes the DS record of another provider. Remove it where the domain is registered, and wait a day before you point the domain here.";
const OUTRO_PROVEDOR =
  "a zona pai publica o DS de outro provedor. Remova esse DS onde o domínio foi registrado e espere um dia antes de apontar o domínio para cá.";

const words: Readonly<Record<SetupLanguage, Words>> = {
  en: {
    labels: {
      on: "on: the answers of the zone are signed",
      off: "off: the answers of the zone are not signed",
      chain: "Chain",
      chains: {
        unsigned: "unsigned: the zone has no keys",
        no_ds:
          "no DS: the zone is signed, but the registry publishes no DS record. So nobody can validate the signatures",
        ds_published: "DS published: the registry publishes a DS record of a key of the zone",
        broken:
          "broken: the registry publishes DS records, and none belongs to a key of the zone. Many people cannot reach the domain",
        unknown: "unknown: no check has found out yet what the registry publishes",
      },
      brokenElsewhere:
        "broken: the registry publishes DS records, and none belongs to a key of the zone. Remove them before you point the domain here",
      // The service says "parent" and "registrar" to programs; the page has its own words.
      warnings: {
        ds_still_published:
          "the registry still publishes a DS record, and the zone is not signed. Resolvers that check DNSSEC refuse its answers. Remove the DS record where the domain is registered.",
        ds_without_key:
          "the registry publishes DS records, and none belongs to a key of the zone. Resolvers that check DNSSEC refuse its answers. Where the domain is registered, publish the DS record of a key of the zone.",
        new_ds_not_seen:
          "the registry does not show the DS record of the new key yet. Do not remove the old key before it does.",
        lower_zone_undelegated:
          "one of your zones below this one has no NS records here. Resolvers that check DNSSEC refuse its answers. Add its NS records to this zone.",
      },
      warningsElsewhere: {
        ds_still_published: ANOTHER_PROVIDER,
        ds_without_key: ANOTHER_PROVIDER,
      },
      warning: "Warning: ",
      key: (tag, place) => `Key ${tag}${place === "only" ? "" : place === "old" ? ", the old one" : ", the new one"}`,
      algorithm: "Algorithm",
      state: "State",
      states: ["active: it signs", "inactive: it does not sign"],
      since: "Since",
      atParent: "At the registry",
      seen: ["its DS record is published", "its DS record is not seen", "nobody answered"],
      copy: (digest) => `DS record with ${digest}, to copy as a whole or by its fields:`,
      fields: ["Key tag", "Algorithm", "Digest type", "Digest"],
      form: "One DS record of a key is enough: take the one with SHA-256, unless the registrar asks for the other. The form of Registro.br takes only the key tag and the digest.",
      headings: [
        "To sign the zone, in this order:",
        "The steps of DNSSEC, in this order:",
        "The key is being rotated, in this order:",
      ],
      toDisable: "To turn DNSSEC off, in this order:",
    },
    removeForeign: [
      "Remove the DS record",
      "The registry publishes a DS record, and the zone is not signed. Remove it where the domain is registered: while it is there, resolvers that check DNSSEC refuse the answers of this service.",
    ],
    removeOther: [
      "Remove the other provider's DS record",
      "The domain still points to another provider, and the registry publishes that provider's DS record. Remove it where the domain is registered, before you point the domain here. Otherwise, many people would no longer reach the domain.",
    ],
    forgetForeign: [
      "Wait until resolvers have forgotten it",
      "They keep a DS record until its TTL has passed. With most registries this is one day.",
    ],
    enable: ({ id }) => [
      "Turn DNSSEC on",
      `POST …/zones/${id}/dnssec creates a key, and the zone is signed immediately. This command then shows the DS record of the key.`,
    ],
    enabled: ["Turn DNSSEC on", "The zone has a key, and signs its answers."],
    pointHere: (name) => [
      "Point the domain to this service",
      `Publish no DS record before that. \`selo zone setup ${name}\` says how.`,
    ],
    publishLater: ["Publish the DS record", "Where the domain is registered. Never before the zone is signed."],
    publish: ["Publish the DS record", "Copy the DS record above to where the domain is registered."],
    replace: [
      "Replace the DS records",
      "Where the domain is registered, add the DS record above and remove all others: none of them belongs to a key of the zone.",
    ],
    replaceByNew: [
      "Replace the DS records",
      "Where the domain is registered, add the DS record of the new key and remove all others: none of them belongs to a key of the zone.",
    ],
    untilSeen: (name) => [
      "Wait until it is seen",
      `Selo checks every five minutes; \`selo zone check ${name}\` checks at once. Once it is seen, everybody can validate the signatures.`,
    ],
    newKey: ["Create the new key", "Both keys sign, so each answer can be validated by either of them."],
    publishBeside: [
      "Publish the DS record of the new key",
      "Add it where the domain is registered, beside the old one. Leave the old one there.",
    ],
    untilNewSeen: (name) => [
      "Wait until the registry shows it",
      `All servers of the registry must show it. Selo checks every five minutes; \`selo zone check ${name}\` checks at once. Remove nothing before that.`,
    ],
    untilForgotten: [
      "Wait one more day",
      "Resolvers keep what they had before (only the old DS record, and answers that only the old key signed) until its TTL has passed. With most registries this is one day.",
    ],
    removeOldDs: ["Remove the DS record of the old key", "Where the domain is registered. Leave that of the new key."],
    untilOldForgotten: [
      "Wait another day",
      "Until the TTL has passed, some resolvers still know the old DS record and look for its key.",
    ],
    removeOldKey: ({ id }, keyId) => [
      "Remove the old key",
      `DELETE …/zones/${id}/dnssec/keys/${keyId}. From then on, only the new key signs, and the rotation is complete.`,
    ],
    removeDs: ["Remove all DS records", "Where the domain is registered. The zone stays signed meanwhile."],
    untilDsForgotten: [
      "Wait until resolvers have forgotten them",
      "First the registry must no longer show them, and then their TTL must pass. With most registries this is one day.",
    ],
    disable: ({ id }) => ["Turn DNSSEC off", `DELETE …/zones/${id}/dnssec with {"confirm": true} removes the keys.`],
  },
  "pt-BR": {
    labels: {
      on: "ativado: as respostas da zona são assinadas",
      off: "desativado: as respostas da zona não são assinadas",
      chain: "Cadeia",
      chains: {
        unsigned: "sem assinatura: a zona não tem chaves",
        no_ds:
          "sem DS: a zona está assinada, mas a zona pai não publica nenhum DS. Por isso, ninguém consegue validar as assinaturas",
        ds_published: "DS publicado: a zona pai publica o DS de uma chave da zona",
        broken:
          "quebrada: a zona pai publica registros DS, mas nenhum é de uma chave da zona. Muita gente não consegue acessar o domínio",
        unknown: "ainda não se sabe: nenhuma verificação descobriu o que a zona pai publica",
      },
      brokenElsewhere:
        "quebrada: a zona pai publica registros DS, mas nenhum é de uma chave da zona. Remova esses registros antes de apontar o domínio para cá",
      warnings: {
        ds_still_published:
          "a zona pai ainda publica um DS, mas a zona não está assinada. Os resolvedores que validam DNSSEC recusam as respostas dela. Remova o DS onde o domínio foi registrado.",
        ds_without_key:
          "a zona pai só publica DS de chaves que a zona não tem. Os resolvedores que validam DNSSEC recusam as respostas dela. Cadastre o DS de uma chave da zona onde o domínio foi registrado.",
        new_ds_not_seen: "o DS da chave nova ainda não apareceu na zona pai. Não remova a chave antiga antes disso.",
        lower_zone_undelegated:
          "você tem uma zona abaixo desta, mas esta não tem registros NS para ela. Os resolvedores que validam DNSSEC recusam as respostas da zona de baixo. Crie aqui os registros NS dela.",
      },
      warningsElsewhere: {
        ds_still_published: OUTRO_PROVEDOR,
        ds_without_key: OUTRO_PROVEDOR,
      },
      warning: "Atenção: ",
      key: (tag, place) => `Chave ${tag}${place === "only" ? "" : place === "old" ? ", a antiga" : ", a nova"}`,
      algorithm: "Algoritmo",
      state: "Situação",
      states: ["ativa: assina as respostas", "inativa: não assina"],
      since: "Desde",
      atParent: "Na zona pai",
      seen: ["o DS dela está publicado", "o DS dela não aparece", "ninguém respondeu"],
      copy: (digest) => `Registro DS com ${digest}, para copiar inteiro ou campo a campo:`,
      fields: ["Key tag", "Algoritmo", "Tipo de digest", "Digest"],
      form: "Basta um DS por chave: use o de SHA-256, a não ser que peçam o outro. O formulário do Registro.br só pede o key tag e o digest.",
      headings: [
        "Para assinar a zona, nesta ordem:",
        "Os passos do DNSSEC, nesta ordem:",
        "A chave está sendo trocada, nesta ordem:",
      ],
      toDisable: "Para desativar o DNSSEC, nesta ordem:",
    },
    removeForeign: [
      "Remova o registro DS",
      "A zona pai publica um DS, mas a zona não está assinada. Remova o DS onde o domínio foi registrado: enquanto ele estiver lá, os resolvedores que validam DNSSEC recusam as respostas deste serviço.",
    ],
    removeOther: [
      "Remova o DS do outro provedor",
      "O domínio ainda aponta para outro provedor, e a zona pai publica o DS dele. Remova esse DS onde o domínio foi registrado, antes de apontar o domínio para cá. Sem isso, muita gente deixaria de acessar o domínio.",
    ],
    forgetForeign: [
      "Espere o DS sair dos caches",
      "Os resolvedores guardam o DS até o TTL vencer, o que quase sempre leva um dia.",
    ],
    enable: ({ id }) => [
      "Ative o DNSSEC",
      `POST …/zones/${id}/dnssec cria uma chave, e a zona passa a ser assinada na hora. Depois, este comando mostra o DS da chave.`,
    ],
    enabled: ["Ative o DNSSEC", "A zona tem uma chave e assina as respostas."],
    pointHere: (name) => [
      "Aponte o domínio para este serviço",
      `Não publique o DS antes disso. \`selo zone setup ${name}\` explica como.`,
    ],
    publishLater: ["Publique o registro DS", "Onde o domínio foi registrado. Nunca antes de a zona estar assinada."],
    publish: ["Publique o registro DS", "Copie o DS acima para onde o domínio foi registrado."],
    replace: [
      "Troque os registros DS",
      "Onde o domínio foi registrado, cadastre o DS acima e remova todos os outros: nenhum deles é de uma chave da zona.",
    ],
    replaceByNew: [
      "Troque os registros DS",
      "Onde o domínio foi registrado, cadastre o DS da chave nova e remova todos os outros: nenhum deles é de uma chave da zona.",
    ],
    untilSeen: (name) => [
      "Espere o DS aparecer",
      `Conferimos a cada cinco minutos; \`selo zone check ${name}\` confere na hora. A partir daí, todo mundo consegue validar as assinaturas.`,
    ],
    newKey: ["Crie a chave nova", "As duas chaves assinam. Assim, qualquer uma delas serve para validar as respostas."],
    publishBeside: [
      "Publique o DS da chave nova",
      "Cadastre esse DS onde o domínio foi registrado, junto com o antigo. Não remova o antigo ainda.",
    ],
    untilNewSeen: (name) => [
      "Espere o DS novo aparecer",
      `Todos os servidores da zona pai precisam mostrar esse DS. Conferimos a cada cinco minutos; \`selo zone check ${name}\` confere na hora. Antes disso, não remova nada.`,
    ],
    untilForgotten: [
      "Espere mais um dia",
      "Os resolvedores ainda guardam o que viram antes (só o DS antigo, respostas assinadas só pela chave antiga) até o TTL vencer, o que quase sempre leva um dia.",
    ],
    removeOldDs: ["Remova o DS da chave antiga", "Onde o domínio foi registrado. Deixe só o da chave nova."],
    untilOldForgotten: [
      "Espere um dia de novo",
      "Até o TTL vencer, alguns resolvedores ainda têm o DS antigo e procuram a chave dele.",
    ],
    removeOldKey: ({ id }, keyId) => [
      "Remova a chave antiga",
      `DELETE …/zones/${id}/dnssec/keys/${keyId}. A partir daí, só a chave nova assina, e a troca está concluída.`,
    ],
    removeDs: [
      "Remova todos os registros DS",
      "Onde o domínio foi registrado. Enquanto isso, a zona continua assinada.",
    ],
    untilDsForgotten: [
      "Espere o DS sair dos caches",
      "Primeiro ele precisa sumir da zona pai; depois, o TTL dele precisa vencer, o que quase sempre leva um dia.",
    ],
    disable: ({ id }) => ["Desative o DNSSEC", `DELETE …/zones/${id}/dnssec com {"confirm": true} apaga as chaves.`],
  },
};

/** Where the steps are read: under `selo zone dnssec`, or on a page, which has buttons in place of commands. */
export type Place = "terminal" | "page";

/** The steps that name commands of the terminal, or what it shows, in the words of a page. */
const onPage: Readonly<Record<SetupLanguage, Partial<Words>>> = {
  en: {
    enable: () => [
      "Turn DNSSEC on",
      "This creates a key, and the zone is signed immediately. The key then has the DS record to publish.",
    ],
    pointHere: () => [
      "Point the domain to this service",
      "Publish no DS record before that. The setup of the zone says how.",
    ],
    publish: ["Publish the DS record", "Copy a DS record of the key to where the domain is registered."],
    replace: [
      "Replace the DS records",
      "Where the domain is registered, add a DS record of the key and remove all others: none of them belongs to a key of the zone.",
    ],
    untilSeen: () => [
      "Wait until it is seen",
      "We check every five minutes. You can also ask for a check now. Once it is seen, everybody can validate the signatures.",
    ],
    untilNewSeen: () => [
      "Wait until the registry shows it",
      "All servers of the registry must show it. We check every five minutes. You can also ask for a check now. Remove nothing before that.",
    ],
    removeOldKey: () => ["Remove the old key", "From then on, only the new key signs, and the rotation is complete."],
  },
  "pt-BR": {
    enable: () => [
      "Ative o DNSSEC",
      "A zona ganha uma chave e passa a ser assinada na hora. A chave traz o DS a publicar.",
    ],
    pointHere: () => [
      "Aponte o domínio para este serviço",
      "Não publique o DS antes disso. A configuração da zona explica como.",
    ],
    publish: ["Publique o registro DS", "Copie um DS da chave para onde o domínio foi registrado."],
    replace: [
      "Troque os registros DS",
      "Onde o domínio foi registrado, cadastre um DS da chave e remova todos os outros: nenhum deles é de uma chave da zona.",
    ],
    untilSeen: () => [
      "Espere o DS aparecer",
      "Conferimos a cada cinco minutos; se quiser, peça uma verificação na hora. A partir daí, todo mundo consegue validar as assinaturas.",
    ],
    untilNewSeen: () => [
      "Espere o DS novo aparecer",
      "Todos os servidores da zona pai precisam mostrar esse DS. Conferimos a cada cinco minutos; se quiser, peça uma verificação na hora. Antes disso, não remova nada.",
    ],
    removeOldKey: () => ["Remova a chave antiga", "A partir daí, só a chave nova assina, e a troca está concluída."],
  },
};

export const dnssecWordsOf = (language: SetupLanguage, place: Place = "terminal"): Words =>
  place === "page" ? { ...words[language], ...onPage[language] } : words[language];

/** What a chain means for a zone of a status. */
export function chainIn(language: SetupLanguage, chain: string, status: string): string {
  const { chains, brokenElsewhere } = words[language].labels;
  return chain === "broken" && status !== "active" ? brokenElsewhere : (chains[chain] ?? chain);
}

/** A warning about a zone of a status, by its code; undefined where the service's own words are shown. */
export function warningIn(language: SetupLanguage, code: string, status: string): string | undefined {
  const { warnings, warningsElsewhere } = words[language].labels;
  return (status === "active" ? undefined : warningsElsewhere[code]) ?? warnings[code];
}
