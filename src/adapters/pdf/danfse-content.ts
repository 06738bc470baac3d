/** What stands on a DANFSe, from the XML of its NFS-e. */
import {
  formatCep,
  formatClock,
  formatCnpj,
  formatCpf,
  formatDay,
  formatPercent,
  formatPhone,
  formatReais,
  sumOfAmounts,
} from "../language/brazilian-formats.ts";
import { SIMULATOR_PROGRAM } from "../tax-authority/simulator/simulator-program.ts";
import {
  ENVIRONMENTS,
  GENERATORS,
  IMMUNITIES,
  ISSUERS,
  PURPOSES,
  SIMPLES,
  SIMPLES_REGIMES,
  SPECIAL_REGIMES,
  STATES,
  STATUSES,
  SUSPENSIONS,
  TAXATIONS,
  WITHHELD_CONTRIBUTIONS,
  WITHHOLDINGS,
} from "./danfse-words.ts";
import { type Nfse, type NfsePerson, readNfse } from "./nfse-document.ts";

/** A label and its value. A row has four columns, of which the title of a section takes the first one of its first row. */
export interface DanfseCell {
  readonly label: string;
  readonly value: string;
  readonly columns: 1 | 2 | 3 | 4;
  /** On grey, as the model has it. */
  readonly isShaded?: boolean;
}

export interface DanfseSection {
  readonly title: string;
  /** None: the title says that there is nothing else. */
  readonly rows: readonly (readonly DanfseCell[])[];
  /** Texts below the rows; a label, and the lines that somebody wrote. */
  readonly texts: readonly { readonly label: string | null; readonly lines: readonly string[] }[];
}

/** The content of a DANFSe. */
export interface DanfseContent {
  readonly kind: "danfse";
  /** 50 digits. */
  readonly accessKey: string;
  /** Where the tax authority shows the NFS-e: what the QR code says. */
  readonly verifyUrl: string;
  readonly isTest: boolean;
  /** Day and time of the cancellation, as they are shown; null: not canceled. */
  readonly canceledAt: string | null;
  readonly number: string;
  /** City, generator and environment: lines at the head of the page. */
  readonly origin: readonly string[];
  /** ISO 8601: the date of the file. */
  readonly processedAt: string;
  /** Beside the QR code. */
  readonly opening: readonly (readonly DanfseCell[])[];
  readonly sections: readonly DanfseSection[];
  /** The XML, which the PDF has as its attachment. */
  readonly xml: string;
}

export interface DanfseOptions {
  readonly environment: "live" | "test";
  /** ISO 8601 with an offset or Z; null: not canceled. */
  readonly canceledAt: string | null;
  /** IANA name of the zone in which `canceledAt` is shown: America/Sao_Paulo unless given. Times of the NFS-e are shown as they are written. */
  readonly timeZone?: string;
  /** Names of cities by IBGE's codes, for those that the NFS-e does not name. */
  readonly cities?: Readonly<Record<string, string>>;
}

/**
 * What stands on the DANFSe of an NFS-e (national layout 1.01), all in Portuguese. The signature is not verified here.
 * An NFS-e of the authority's restricted environment (tpAmb 2), or of our simulator, is marked as a test, whatever the options say.
 * @throws NotAnNfse
 */
export function danfseContent(nfseXml: string, options: DanfseOptions): DanfseContent {
  const nfse = readNfse(nfseXml);
  const { accessKey, dps } = nfse;
  const cities = { ...options.cities, ...nfse.cities };
  return {
    kind: "danfse",
    accessKey,
    verifyUrl: `https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=${accessKey}`,
    isTest: options.environment === "test" || dps.environment === "2" || nfse.program === SIMULATOR_PROGRAM,
    canceledAt:
      options.canceledAt === null ? null : shownIn(options.canceledAt, options.timeZone ?? "America/Sao_Paulo"),
    number: nfse.number,
    origin: [
      // The model names no city for services of item 99.
      ...(dps.nationalCode.startsWith("99")
        ? []
        : [`Município: ${joined(nfse.issuingCity, nfse.provider.address?.state ?? null)}`]),
      `Ambiente Gerador: ${worded(GENERATORS, nfse.generator) ?? NONE}`,
      `Tipo de Ambiente: ${worded(ENVIRONMENTS, dps.environment)}`,
    ],
    processedAt: nfse.processedAt,
    opening: opening(nfse),
    sections: [
      provider(nfse, cities),
      party("Tomador / Adquirente", "Tomador/Adquirente", nfse.customer, cities),
      recipient(nfse, cities),
      party("Intermediário da Operação", "Intermediário", nfse.intermediary, cities),
      service(nfse),
      municipalTax(nfse),
      federalTax(nfse),
      ibsCbs(nfse),
      total(nfse),
      information(nfse),
    ],
    xml: nfseXml,
  };
}

/** What a field without a value shows. */
const NONE = "-";
const cell = (
  label: string,
  value: string | null,
  columns: DanfseCell["columns"] = 1,
  isShaded = false,
): DanfseCell => ({
  label,
  value: value ?? NONE,
  columns,
  ...(isShaded ? { isShaded } : {}),
});
/** Parts that one field has, those that are known. */
const joined = (...parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join(" / ") || null;
const reais = (amount: string | null) => (amount === null ? null : formatReais(amount));
const percent = (rate: string | null) => (rate === null ? null : formatPercent(rate));
const worded = (words: Readonly<Record<string, string>>, code: string | null) =>
  code === null ? null : (words[code] ?? code);
/** The lines of a text as it was written; of several empty ones, one, and for a tab, which has no width, spaces. */
const linesOf = (text: string) =>
  text
    .replaceAll("\t", "    ")
    .replaceAll(/(\r\n|\r|\n)([^\S\r\n]*(\r\n|\r|\n)){2,}/g, "\n\n")
    .split(/\r\n|\r|\n/);
const section = (title: string, rows: DanfseSection["rows"], texts: DanfseSection["texts"] = []): DanfseSection => ({
  title: title.toUpperCase(),
  rows,
  texts,
});
/** In place of a section that has nothing. "NFS-e" stays as it is written. */
const bare = (title: string): DanfseSection => ({ title, rows: [], texts: [] });

function shownIn(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("pt-BR", { dateStyle: "short", timeStyle: "medium", timeZone });
  return parts.format(new Date(instant)).replace(/^(\S+?),? /, "$1 ");
}

function opening({ number, processedAt, status, purpose, dps }: Nfse): DanfseSection["rows"] {
  return [
    [
      cell("NÚMERO DA NFS-e", number),
      cell("COMPETÊNCIA DA NFS-e", formatDay(dps.competence)),
      cell("DATA E HORA DA EMISSÃO DA NFS-e", formatClock(processedAt)),
    ],
    [
      cell("NÚMERO DA DPS", dps.number),
      cell("SÉRIE DA DPS", dps.series),
      cell("DATA E HORA DA EMISSÃO DA DPS", formatClock(dps.issuedAt)),
    ],
    [
      cell("EMITENTE DA NFS-e", worded(ISSUERS, dps.issuer), 1, true),
      cell("SITUAÇÃO DA NFS-e", worded(STATUSES, status)),
      cell("FINALIDADE", worded(PURPOSES, purpose)),
    ],
  ];
}

type Cities = Readonly<Record<string, string>>;

function provider(nfse: Nfse, cities: Cities): DanfseSection {
  const { dps } = nfse;
  return section("Prestador / Fornecedor", [
    ...personRows(nfse.provider, cities),
    [
      cell("Simples Nacional na Data de Competência", worded(SIMPLES, dps.simples), 2),
      cell("Regime de Apuração Tributária pelo SN", worded(SIMPLES_REGIMES, dps.simplesRegime), 2),
    ],
  ]);
}

function party(title: string, name: string, given: NfsePerson | null, cities: Cities): DanfseSection {
  if (!given) return bare(`${name.toUpperCase()} DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e`);
  return section(title, personRows(given, cities));
}

function personRows(given: NfsePerson, cities: Cities): DanfseSection["rows"] {
  const { address } = given;
  return [
    [
      cell("CNPJ / CPF / NIF", registrationOf(given)),
      cell("Indicador Municipal (Inscrição)", given.municipalRegistration),
      cell("Telefone", given.phone && formatPhone(given.phone)),
    ],
    [
      cell("Nome / Nome Empresarial", given.name, 2),
      cell("Município / Sigla UF", address && cityOf(address, cities)),
      cell("Código IBGE / CEP", address && postalCodeOf(address)),
    ],
    [cell("Endereço", address && streetOf(address), 2), cell("E-mail", given.email, 2)],
  ];
}

/** The reform of 2026 tells who receives a service from who takes it: the group is there for somebody else alone. */
function recipient({ recipient: given, customer }: Nfse, cities: Cities): DanfseSection {
  if (!given && customer) return bare("O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO");
  return party("Destinatário da Operação", "Destinatário", given, cities);
}

/** The state of a municipality, by the first two digits of its code (IBGE). */
const stateOf = (cityCode: string): string | null => STATES[cityCode.slice(0, 2)] ?? null;

function registrationOf({ cnpj, cpf, foreignNumber }: NfsePerson): string | null {
  if (cnpj) return formatCnpj(cnpj);
  return cpf ? formatCpf(cpf) : foreignNumber;
}

type Address = NonNullable<NfsePerson["address"]>;

function streetOf({ street, number, complement, district }: Address): string | null {
  const parts = [street, number, complement, district].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : null;
}

function postalCodeOf({ city, postalCode, foreign }: Address): string | null {
  if (foreign) return foreign.postalCode;
  return joined(city, postalCode && formatCep(postalCode));
}

function cityOf({ city, state, foreign }: Address, cities: Cities): string | null {
  if (foreign) return joined(foreign.city, foreign.region, foreign.country);
  if (!city) return null;
  const name = cities[city] ?? `IBGE ${city}`;
  // Some cities name themselves with their state.
  return /[-/]\s*[A-Z]{2}$/.test(name) ? name : joined(name, state ?? stateOf(city));
}

function service({ dps, serviceCity, nationalDescription, municipalDescription }: Nfse): DanfseSection {
  return section(
    "Serviço prestado",
    [
      [
        cell(
          "Código de Tributação Nacional / Municipal",
          joined(dps.nationalCode.replace(/^(..)(..)(..)$/, "$1.$2.$3"), dps.municipalCode),
        ),
        cell("Código da NBS", dps.nbs?.replace(/^(.)(....)(..)(..)$/, "$1.$2.$3.$4") ?? null),
        cell(
          "Local da Prestação / Sigla UF / País",
          joined(serviceCity, dps.serviceCity && stateOf(dps.serviceCity), dps.serviceCountry ?? "BR"),
        ),
      ],
    ],
    [
      { label: null, lines: [municipalDescription ?? nationalDescription] },
      { label: "Descrição do Serviço", lines: linesOf(dps.description) },
    ],
  );
}

function municipalTax(nfse: Nfse): DanfseSection {
  const { dps } = nfse;
  return section("Tributação municipal (ISSQN)", [
    [
      cell("Tipo de Tributação do ISSQN", worded(TAXATIONS, dps.taxation)),
      cell(
        "Município / Sigla UF / País da Incidência do ISSQN",
        nfse.taxedCity &&
          joined(nfse.taxedCity, nfse.taxedCityCode && stateOf(nfse.taxedCityCode), dps.resultCountry ?? "BR"),
        2,
      ),
    ],
    [
      cell("Regime Especial de Tributação do ISSQN", worded(SPECIAL_REGIMES, dps.specialRegime)),
      cell("Tipo de Imunidade do ISSQN", worded(IMMUNITIES, dps.immunity)),
      cell("Suspensão da Exigibilidade do ISSQN", worded(SUSPENSIONS, dps.suspension)),
      cell("Número Processo Suspensão", dps.suspensionCase),
    ],
    [
      cell("Benefício Municipal", dps.benefitNumber),
      cell("Cálculo do BM", reais(nfse.benefit)),
      cell("Total Deduções/Reduções", reais(nfse.deductions)),
      cell("Desconto Incondicionado", reais(dps.unconditionalDiscount)),
    ],
    [
      cell("BC ISSQN", reais(nfse.base)),
      cell("Alíquota Aplicada", percent(nfse.appliedRate)),
      cell("Retenção do ISSQN", worded(WITHHOLDINGS, dps.withholding)),
      cell("ISSQN Apurado", reais(nfse.iss)),
    ],
  ]);
}

/** The year until which PIS and COFINS are charged. */
const LAST_YEAR_OF_PIS = "2026";

function federalTax({ dps }: Nfse): DanfseSection {
  return section("Tributação federal (exceto CBS)", [
    [
      cell("IRRF", reais(dps.incomeTax)),
      cell("Contribuição Previdenciária - Retida", reais(dps.socialSecurity)),
      cell("Contribuições Sociais - Retidas", reais(dps.csll)),
    ],
    ...(dps.competence.slice(0, 4) <= LAST_YEAR_OF_PIS
      ? [
          [
            cell("PIS - Débito Apuração Própria", reais(dps.pis)),
            cell("COFINS - Débito Apuração Própria", reais(dps.cofins)),
            cell("Descrição Contrib. Sociais - Retidas", worded(WITHHELD_CONTRIBUTIONS, dps.withheldContributions), 2),
          ],
        ]
      : []),
  ]);
}

function ibsCbs({ ibsCbs: given, iss, dps }: Nfse): DanfseSection {
  const { state, municipal, federal } = given ?? {};
  const excluded = [dps.unconditionalDiscount, given?.excluded, iss, dps.pis, dps.cofins].filter(
    (part) => part != null,
  );
  const reductions = [state, municipal, federal].map((level) => percent(level?.reduction ?? null));
  return section("Tributação IBS / CBS", [
    [
      cell("CST / CCLASSTRIB", given && joined(given.situation, given.classification)),
      cell(
        "Indicador de Operação / Código IBGE Incidência / Município Incidência / Sigla UF",
        given && joined(given.operation, given.cityCode, given.city, given.cityCode && stateOf(given.cityCode)),
        2,
      ),
    ],
    [
      cell(
        "Exclusões e Reduções da Base de Cálculo",
        given && excluded.length > 0 ? formatReais(sumOfAmounts(excluded)) : null,
      ),
      cell("Base de Cálculo Após Exclusões e Reduções", reais(given?.base ?? null)),
      cell(
        "Red. Alíquota IBS / Red. Alíquota CBS",
        reductions.every((reduction) => reduction === null) ? null : reductions.map((part) => part ?? NONE).join(" / "),
      ),
      cell("Alíquota - IBS UF / IBS Mun", joined(percent(state?.rate ?? null), percent(municipal?.rate ?? null))),
    ],
    [
      cell("Alíq. Efetiva Municipal - IBS", percent(municipal?.effective ?? null)),
      cell("Valor Apurado Municipal - IBS", reais(municipal?.amount ?? null)),
      cell("Alíq. Efetiva Estadual - IBS", percent(state?.effective ?? null)),
      cell("Valor Apurado Estadual - IBS", reais(state?.amount ?? null)),
    ],
    [
      cell("Valor Total Apurado - IBS", reais(given?.ibs ?? null)),
      cell("Alíquota - CBS", percent(federal?.rate ?? null)),
      cell("Alíquota Efetiva - CBS", percent(federal?.effective ?? null)),
      cell("Valor Total Apurado - CBS", reais(federal?.amount ?? null)),
    ],
  ]);
}

function total(nfse: Nfse): DanfseSection {
  const { dps, ibsCbs: given } = nfse;
  return section("Valor total da NFS-e", [
    [
      cell("Valor da Operação / Serviço", reais(dps.amount)),
      cell("Desconto Incondicionado", reais(dps.unconditionalDiscount)),
      cell("Desconto Condicionado", reais(dps.conditionalDiscount)),
    ],
    [
      cell("Total das Retenções (ISSQN / Federais)", reais(nfse.withheld)),
      cell("Valor Líquido da NFS-e", formatReais(nfse.net)),
      cell("Total do IBS/CBS", given && formatReais(sumOfAmounts([given.ibs, given.federal.amount]))),
      cell("Valor Líquido da NFS-e + IBS/CBS", given && formatReais(given.total), 1, true),
    ],
  ]);
}

/** Texts and references in the order of the model, and at the end the approximate taxes, which always stand there. */
function information({ dps, cityInformation }: Nfse): DanfseSection {
  const references = [
    ["NFS-e Subst.", dps.replaces],
    ["Doc. Ref.", dps.reference],
    ["Doc. Tec.", dps.responsibility],
    ["Núm. Ped.", dps.order],
  ].flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  return section(
    "Informações complementares",
    [],
    [
      ...(dps.information ? [{ label: null, lines: linesOf(`Inf. Cont.: ${dps.information}`) }] : []),
      ...(references.length > 0 ? [{ label: null, lines: [references.join(" | ")] }] : []),
      ...(cityInformation ? [{ label: null, lines: linesOf(`Inf. A. T. Mun.: ${cityInformation}`) }] : []),
      { label: null, lines: [approximateTaxes(dps.taxes)] },
    ],
  );
}

function approximateTaxes(taxes: Nfse["dps"]["taxes"]): string {
  const title = "Totais Aproximados dos Tributos cfe. Lei nº 12.741/2012:";
  if (taxes.simplesRate) return `${title} Simples Nacional: ${formatPercent(taxes.simplesRate)}`;
  const shown = taxes.amounts?.map(formatReais) ?? taxes.rates?.map(formatPercent) ?? [];
  const [federal = NONE, state = NONE, municipal = NONE] = shown;
  return `${title} Federais: ${federal} ; Estaduais: ${state} ; Municipais: ${municipal}`;
}
