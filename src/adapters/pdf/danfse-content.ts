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
  STATUSES,
  SUSPENSIONS,
  TAXATIONS,
  WITHHELD_CONTRIBUTIONS,
  WITHHOLDINGS,
} from "./danfse-words.ts";
import { type Nfse, type NfsePerson, readNfse } from "./nfse-document.ts";

/** A label and its value. A row has four columns. */
export interface DanfseCell {
  readonly label: string;
  readonly value: string;
  readonly columns: 1 | 2 | 3 | 4;
  /** What a reader looks for first. */
  readonly isStrong?: boolean;
}

export interface DanfseSection {
  readonly title: string;
  /** Beside the title of a section that has nothing else. */
  readonly note: string | null;
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
  /** City and environment: lines at the head of the page. */
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
      `Município de ${nfse.issuingCity}`,
      ...(nfse.generator ? [`Ambiente gerador: ${worded(GENERATORS, nfse.generator)}`] : []),
      `Tipo de ambiente: ${worded(ENVIRONMENTS, dps.environment)}`,
    ],
    processedAt: nfse.processedAt,
    opening: opening(nfse),
    sections: [
      provider(nfse, cities),
      party("Tomador do serviço", nfse.customer, cities),
      recipient(nfse, cities),
      party("Intermediário do serviço", nfse.intermediary, cities),
      service(nfse),
      municipalTax(nfse),
      federalTax(nfse),
      ...ibsCbs(nfse),
      total(nfse),
      approximateTaxes(nfse),
      ...information(nfse),
    ],
    xml: nfseXml,
  };
}

/** What a field without a value shows. */
const NONE = "–";
const cell = (
  label: string,
  value: string | null,
  columns: DanfseCell["columns"] = 1,
  isStrong = false,
): DanfseCell => ({
  label,
  value: value ?? NONE,
  columns,
  ...(isStrong ? { isStrong } : {}),
});
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
  title,
  note: null,
  rows,
  texts,
});
const bare = (title: string, note: string): DanfseSection => ({ title, note, rows: [], texts: [] });

function shownIn(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("pt-BR", { dateStyle: "short", timeStyle: "medium", timeZone });
  return parts.format(new Date(instant)).replace(/^(\S+?),? /, "$1 ");
}

function opening({ number, processedAt, status, purpose, dps }: Nfse): DanfseSection["rows"] {
  return [
    [
      cell("Número da NFS-e", number, 1, true),
      cell("Competência da NFS-e", formatDay(dps.competence)),
      cell("Data e hora da emissão da NFS-e", formatClock(processedAt), 2),
    ],
    [
      cell("Número da DPS", dps.number),
      cell("Série da DPS", dps.series),
      cell("Data e hora da emissão da DPS", formatClock(dps.issuedAt), 2),
    ],
    [
      cell("Emitente da NFS-e", worded(ISSUERS, dps.issuer)),
      cell("Situação da NFS-e", worded(STATUSES, status)),
      cell("Finalidade", worded(PURPOSES, purpose), 2),
    ],
  ];
}

function provider(nfse: Nfse, cities: Readonly<Record<string, string>>): DanfseSection {
  const { dps } = nfse;
  const { title, rows } = party("Prestador do serviço", nfse.provider, cities);
  return section(title, [
    ...rows,
    [
      cell("Simples Nacional na data de competência", worded(SIMPLES, dps.simples), 2),
      cell("Regime de apuração pelo Simples Nacional", worded(SIMPLES_REGIMES, dps.simplesRegime), 2),
    ],
  ]);
}

function party(title: string, given: NfsePerson | null, cities: Readonly<Record<string, string>>): DanfseSection {
  if (!given) return bare(title, "NÃO IDENTIFICADO NA NFS-e");
  const { address } = given;
  return section(title, [
    [
      cell("CNPJ / CPF / NIF", registrationOf(given), 2),
      cell("Inscrição municipal", given.municipalRegistration),
      cell("Telefone", given.phone && formatPhone(given.phone)),
    ],
    [cell("Nome / nome empresarial", given.name, 2, true), cell("E-mail", given.email, 2)],
    ...(address
      ? [
          [
            cell("Endereço", streetOf(address), 2),
            cell("Município", cityOf(address, cities)),
            cell("CEP", postalCodeOf(address)),
          ],
        ]
      : []),
  ]);
}

/** The reform of 2026 tells who receives a service from who takes it. */
function recipient(nfse: Nfse, cities: Readonly<Record<string, string>>): DanfseSection {
  const title = "Destinatário da operação";
  return nfse.isForCustomer && !nfse.recipient
    ? bare(title, "O PRÓPRIO TOMADOR")
    : party(title, nfse.recipient, cities);
}

function registrationOf({ cnpj, cpf, foreignNumber }: NfsePerson): string | null {
  if (cnpj) return formatCnpj(cnpj);
  return cpf ? formatCpf(cpf) : foreignNumber;
}

type Address = NonNullable<NfsePerson["address"]>;

function streetOf({ street, number, complement, district }: Address): string | null {
  const parts = [street, number, complement, district].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : null;
}

function postalCodeOf({ postalCode, foreign }: Address): string | null {
  return foreign ? foreign.postalCode : postalCode && formatCep(postalCode);
}

function cityOf({ city, state, foreign }: Address, cities: Readonly<Record<string, string>>): string | null {
  if (foreign) return [foreign.city, foreign.region, foreign.country].filter((part) => part !== null).join(", ");
  if (!city) return null;
  const name = cities[city] ?? `IBGE ${city}`;
  // Some cities name themselves with their state.
  return state && !/[-/]\s*[A-Z]{2}$/.test(name) ? `${name} – ${state}` : name;
}

function service({ dps, serviceCity, nationalDescription, municipalDescription, nbsDescription }: Nfse): DanfseSection {
  const national = dps.nationalCode.replace(/^(..)(..)(..)$/, "$1.$2.$3");
  const named = (code: string | null, name: string | null) => code && (name ? `${code} – ${name}` : code);
  return section(
    "Serviço prestado",
    [
      [cell("Código de tributação nacional", named(national, nationalDescription), 4)],
      [
        cell("Código de tributação municipal", named(dps.municipalCode, municipalDescription), 2),
        cell("Local da prestação", serviceCity),
        cell("País da prestação", dps.serviceCountry),
      ],
      ...(dps.nbs ? [[cell("Código da NBS", named(dps.nbs, nbsDescription), 4)]] : []),
    ],
    [{ label: "Descrição do serviço", lines: linesOf(dps.description) }],
  );
}

function municipalTax(nfse: Nfse): DanfseSection {
  const { dps } = nfse;
  return section("Tributação municipal (ISSQN)", [
    [
      cell("Tributação do ISSQN", worded(TAXATIONS, dps.taxation)),
      cell("Município de incidência", nfse.taxedCity),
      cell("Regime especial de tributação", worded(SPECIAL_REGIMES, dps.specialRegime)),
      cell("Retenção do ISSQN", worded(WITHHOLDINGS, dps.withholding)),
    ],
    ...unusual(nfse),
    [
      cell("Valor do serviço", reais(dps.amount)),
      cell("Desconto incondicionado", reais(dps.unconditionalDiscount)),
      cell("Deduções e reduções", reais(nfse.deductions)),
      cell("Benefício municipal", reais(nfse.benefit)),
    ],
    [
      cell("Base de cálculo do ISSQN", reais(nfse.base)),
      cell("Alíquota aplicada", percent(nfse.appliedRate)),
      cell("ISSQN apurado", reais(nfse.iss), 1, true),
      cell("ISSQN retido", reais(withheldIss(nfse))),
    ],
  ]);
}

/** A row that few invoices need: why no tax is due. */
function unusual({ dps }: Nfse): DanfseSection["rows"] {
  if (!dps.resultCountry && !dps.immunity && !dps.suspension && !dps.benefitNumber) return [];
  return [
    [
      cell("País do resultado", dps.resultCountry),
      cell("Tipo de imunidade", worded(IMMUNITIES, dps.immunity)),
      cell(
        "Exigibilidade suspensa",
        [worded(SUSPENSIONS, dps.suspension), dps.suspensionCase].filter(Boolean).join(": ") || null,
      ),
      cell("Número do benefício municipal", dps.benefitNumber),
    ],
  ];
}

const withheldIss = ({ iss, dps }: Nfse) => (dps.withholding === "1" ? null : iss);

function federalTax({ dps }: Nfse): DanfseSection {
  return section("Tributação federal", [
    [
      cell("IRRF retido", reais(dps.incomeTax)),
      cell("Contribuição previdenciária retida", reais(dps.socialSecurity)),
      cell("Contribuições sociais retidas", reais(dps.csll)),
      cell("Quais contribuições", worded(WITHHELD_CONTRIBUTIONS, dps.withheldContributions)),
    ],
    ...(dps.pis || dps.cofins
      ? [
          [
            cell("PIS, débito de apuração própria", reais(dps.pis), 2),
            cell("COFINS, débito de apuração própria", reais(dps.cofins), 2),
          ],
        ]
      : []),
  ]);
}

function ibsCbs({ ibsCbs: given }: Nfse): DanfseSection[] {
  if (!given) return [];
  const { state, municipal, federal } = given;
  const both = [given.situation, given.classification].filter((part) => part !== null).join(" / ");
  const rates = ({ rate, effective }: typeof state) => `${formatPercent(rate)} / ${formatPercent(effective)}`;
  const reductions = [state, municipal, federal].map(({ reduction }) => percent(reduction) ?? NONE).join(" / ");
  return [
    section("Tributação do IBS e da CBS", [
      [
        cell("CST / classificação tributária", both || null),
        cell("Indicador da operação", given.operation),
        cell("Município de incidência", given.city),
        cell("Reembolsos e repasses excluídos", reais(given.excluded)),
      ],
      [
        cell("Base de cálculo", formatReais(given.base)),
        cell("Alíquota / efetiva, IBS estadual", rates(state)),
        cell("Alíquota / efetiva, IBS municipal", rates(municipal)),
        cell("Alíquota / efetiva, CBS", rates(federal)),
      ],
      [
        cell("Redução: estadual / municipal / CBS", reductions),
        cell("IBS estadual", formatReais(state.amount)),
        cell("IBS municipal", formatReais(municipal.amount)),
        cell("CBS", formatReais(federal.amount)),
      ],
    ]),
  ];
}

function total(nfse: Nfse): DanfseSection {
  const { dps } = nfse;
  const federal = [dps.incomeTax, dps.socialSecurity, dps.csll].filter((amount) => amount !== null);
  return section("Valor total da NFS-e", [
    [
      cell("Valor do serviço", reais(dps.amount)),
      cell("Desconto condicionado", reais(dps.conditionalDiscount)),
      cell("Desconto incondicionado", reais(dps.unconditionalDiscount)),
      cell("ISSQN retido", reais(withheldIss(nfse))),
    ],
    [
      cell("Retenções federais", federal.length > 0 ? formatReais(sumOfAmounts(federal)) : null),
      cell("Total das retenções", reais(nfse.withheld)),
      cell("Valor líquido da NFS-e", formatReais(nfse.net), 2, true),
    ],
    ...(nfse.ibsCbs
      ? [
          [
            cell("Total do IBS", formatReais(nfse.ibsCbs.ibs)),
            cell("Total da CBS", formatReais(nfse.ibsCbs.federal.amount)),
            cell("Valor líquido da NFS-e com IBS e CBS", formatReais(nfse.ibsCbs.total), 2, true),
          ],
        ]
      : []),
  ]);
}

function approximateTaxes({ dps: { taxes } }: Nfse): DanfseSection {
  const title = "Totais aproximados dos tributos (Lei 12.741/2012)";
  if (taxes.simplesRate) return section(title, [[cell("Simples Nacional", formatPercent(taxes.simplesRate), 4)]]);
  const shown = taxes.amounts?.map(formatReais) ?? taxes.rates?.map(formatPercent);
  if (!shown) return bare(title, "NÃO INFORMADOS");
  const [federal = NONE, state = NONE, municipal = NONE] = shown;
  return section(title, [[cell("Federais", federal), cell("Estaduais", state), cell("Municipais", municipal, 2)]]);
}

function information({ dps, cityInformation }: Nfse): DanfseSection[] {
  const references = [
    ["NFS-e substituída", dps.replaces],
    ["Documento de responsabilidade técnica", dps.responsibility],
    ["Documento de referência", dps.reference],
    ["Pedido", dps.order],
  ].flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []));
  const texts = [
    ...(references.length > 0 ? [{ label: null, lines: references }] : []),
    ...(dps.information ? [{ label: null, lines: linesOf(dps.information) }] : []),
    ...(cityInformation ? [{ label: "Administração tributária municipal", lines: linesOf(cityInformation) }] : []),
  ];
  return texts.length > 0 ? [section("Informações complementares", [], texts)] : [];
}
