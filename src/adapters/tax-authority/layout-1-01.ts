import { cancellationIdOf, dpsIdOf } from "./access-key.ts";
import type { CustomerFacts, DpsFacts } from "./dps-facts.ts";
import { type CancellationFacts, MOST_REASON, type NfseLayout, type UnsignedXml } from "./layout.ts";
import { freeText, latinText } from "./layout-text.ts";
import { type Content, type Field, writeDocument } from "./write-document.ts";

const VERSION = "1.01";
const PROGRAM = "Selo";
const MOST_COMPLEMENT = 2000;

/**
 * Layout 1.01 (DPS_v1.01.xsd, pedRegEvento_v1.01.xsd). Elements stand in the order of the schema and have no namespace prefix (E1228).
 * The codes in the comments are the tax authority's, for what it refuses.
 */
export const layout101: NfseLayout = { version: VERSION, writeDps, writeCancellation };

function writeDps(facts: DpsFacts): UnsignedXml {
  const { issuer } = facts;
  const id = dpsIdOf(issuer.city_code, issuer.cnpj, facts.series, facts.number);
  const fields: Content = [
    ["tpAmb", environmentCode(facts.environment)],
    ["dhEmi", facts.issued_at],
    ["verAplic", PROGRAM],
    ["serie", facts.series],
    ["nDPS", facts.number],
    ["dCompet", facts.competence_date],
    ["tpEmit", "1"],
    ["cLocEmi", issuer.city_code],
    ["prest", issuerFields(facts)],
    ["toma", customerFields(facts.customer)],
    ["serv", serviceFields(facts)],
    ["valores", valueFields(facts)],
    ["IBSCBS", ibsCbsFields(facts)],
  ];
  return { id, xml: writeDocument(VERSION, "DPS", "infDPS", id, fields) };
}

function writeCancellation(facts: CancellationFacts): UnsignedXml {
  const id = cancellationIdOf(facts.access_key);
  const fields: Content = [
    ["tpAmb", environmentCode(facts.environment)],
    ["verAplic", PROGRAM],
    ["dhEvento", facts.requested_at],
    ["CNPJAutor", facts.cnpj],
    ["chNFSe", facts.access_key],
    [
      "e101101",
      [
        ["xDesc", "Cancelamento de NFS-e"],
        ["cMotivo", facts.reason_code],
        ["xMotivo", latinText(facts.reason, MOST_REASON)],
      ],
    ],
  ];
  return { id, xml: writeDocument(VERSION, "pedRegEvento", "infPedReg", id, fields) };
}

const environmentCode = (environment: "live" | "test") => (environment === "live" ? "1" : "2");

/** The issuer is who sends the DPS (tpEmit 1): its name and address come from the register (E0121, E0128). */
function issuerFields({ issuer, iss }: DpsFacts): Content {
  return [
    ["CNPJ", issuer.cnpj],
    ["IM", optional(issuer.municipal_registration, (text) => freeText(text, 15))],
    [
      "regTrib",
      [
        ["opSimpNac", String(issuer.simples)],
        ["regApTribSN", issuer.simples === 3 && issuer.simples_regime !== null ? String(issuer.simples_regime) : null],
        // A special regime concerns what is taxed (E0172).
        ["regEspTrib", iss.taxation === 1 ? String(issuer.special_regime) : "0"],
      ],
    ],
  ];
}

/** Null for a customer of Brazil without a document: the layout has no field for one. */
function customerFields(customer: CustomerFacts | null): Content | null {
  if (customer === null || isNameless(customer)) return null;
  const { document } = customer;
  return [
    ["CNPJ", customer.document_type === "cnpj" ? document : null],
    ["CPF", customer.document_type === "cpf" ? document : null],
    ["NIF", customer.document_type === "nif" && document !== null ? freeText(document, 40) : null],
    // 2: the country asks for no NIF.
    ["cNaoNIF", customer.document_type === "none" || document === null ? "2" : null],
    ["IM", optional(customer.municipal_registration, (text) => freeText(text, 15))],
    ["xNome", freeText(customer.name, 300)],
    ["end", addressFields(customer)],
    ["fone", customer.phone],
    ["email", optional(customer.email, (text) => latinText(text, 80))],
  ];
}

const isNameless = ({ document_type, document, country }: CustomerFacts) =>
  country === "BR" && (document_type === "none" || document === null);

/** Null when the layout asks for more than is known. */
function addressFields({ address, country }: CustomerFacts): Content | null {
  if (address === null || address.postal_code === null) return null;
  const { city_code, postal_code, district } = address;
  let place: Field;
  if (country === "BR") {
    const digits = postal_code.replaceAll(/\D/g, "");
    if (city_code === null || digits.length !== 8) return null;
    place = [
      "endNac",
      [
        ["cMun", city_code],
        ["CEP", digits],
      ],
    ];
  } else {
    const city = address.city_name ?? district;
    place = [
      "endExt",
      [
        ["cPais", country],
        ["cEndPost", freeText(postal_code, 11)],
        ["xCidade", freeText(city, 60)],
        ["xEstProvReg", freeText(address.region ?? city, 60)],
      ],
    ];
  }
  return [
    place,
    ["xLgr", latinText(address.street, 255)],
    ["nro", latinText(address.number, 60)],
    ["xCpl", optional(address.complement, (text) => latinText(text, 156))],
    ["xBairro", latinText(district, 60)],
  ];
}

function serviceFields(facts: DpsFacts): Content {
  const { service } = facts;
  return [
    ["locPrest", [["cLocPrestacao", service.city_code ?? facts.issuer.city_code]]],
    [
      "cServ",
      [
        ["cTribNac", service.national_code],
        ["cTribMun", service.municipal_code],
        ["xDescServ", freeText(service.description, 2000)],
        ["cNBS", service.nbs_code],
      ],
    ],
    ["infoCompl", optional(complement(facts), (text) => [["xInfComp", latinText(text, MOST_COMPLEMENT)]])],
  ];
}

/** What the layout has no field for; null when nothing is left. */
function complement({ amounts, customer }: DpsFacts): string | null {
  const sentences = [
    isZero(amounts.other) ? null : `Outras retenções: R$ ${amounts.other.replace(".", ",")}.`,
    customer !== null && isNameless(customer) ? `Tomador sem documento: ${customer.name}.` : null,
  ].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : sentences.join(" ");
}

function valueFields(facts: DpsFacts): Content {
  const { amounts } = facts;
  return [
    ["vServPrest", [["vServ", amounts.services]]],
    [
      "vDescCondIncond",
      present([
        ["vDescIncond", nonZero(amounts.discount_unconditional)],
        ["vDescCond", nonZero(amounts.discount_conditional)],
      ]),
    ],
    ["vDedRed", present([["vDR", nonZero(amounts.deductions)]])],
    [
      "trib",
      [
        ["tribMun", municipalTaxFields(facts)],
        ["tribFed", federalTaxFields(facts)],
        ["totTrib", approximateTaxFields(facts)],
      ],
    ],
  ];
}

function municipalTaxFields(facts: DpsFacts): Content {
  const { iss, customer } = facts;
  return [
    ["tribISSQN", String(iss.taxation)],
    ["cPaisResult", iss.taxation === 3 && customer !== null && customer.country !== "BR" ? customer.country : null],
    ["tpImunidade", iss.taxation === 2 && iss.immunity != null ? String(iss.immunity) : null],
    // What is not taxed is not withheld.
    ["tpRetISSQN", iss.withheld && iss.taxation === 1 ? "2" : "1"],
    ["pAliq", sendsRate(facts) ? iss.rate : null],
  ];
}

/**
 * Whether the rate is sent. It is forbidden for a MEI (E0600), under a special regime (E0604), without taxation (E0602) and for the
 * Simples without withholding (E0625, E0631), and required for the Simples with withholding (E0621, E0628), as long as it pays ISS in the Simples
 * (E0635). For others the municipality has registered it: which municipalities have not is unknown here, so all of them count as active (E0617).
 */
function sendsRate({ issuer, iss }: DpsFacts): boolean {
  const paysInSimples = issuer.simples === 3 && issuer.simples_regime === 1;
  return paysInSimples && iss.withheld && iss.taxation === 1 && issuer.special_regime === 0;
}

/** Withheld federal taxes: INSS, income tax, and one sum of PIS, COFINS and CSLL. A MEI has none (E0676). */
function federalTaxFields({ amounts, pis_cofins_cst, issuer }: DpsFacts): Content | null {
  if (issuer.simples === 2) return null;
  return present([
    [
      "piscofins",
      // The kind of withholding stands beside a CST or not at all.
      pis_cofins_cst === null
        ? null
        : [
            ["CST", pis_cofins_cst],
            ["tpRetPisCofins", withholdingCode(amounts)],
          ],
    ],
    ["vRetCP", nonZero(amounts.inss)],
    ["vRetIRRF", nonZero(amounts.ir)],
    ["vRetCSLL", nonZero(sum(amounts.pis, amounts.cofins, amounts.csll))],
  ]);
}

/** tpRetPisCofins by what is withheld: PIS, COFINS, CSLL. */
const WITHHOLDING_CODES = new Map([
  ["---", "0"],
  ["PCL", "3"],
  ["PC-", "4"],
  ["P--", "5"],
  ["-C-", "6"],
  ["-CL", "7"],
  ["--L", "8"],
  ["P-L", "9"],
]);

function withholdingCode({ pis, cofins, csll }: DpsFacts["amounts"]): string | null {
  const withheld = `${isZero(pis) ? "-" : "P"}${isZero(cofins) ? "-" : "C"}${isZero(csll) ? "-" : "L"}`;
  return WITHHOLDING_CODES.get(withheld) ?? null;
}

/**
 * Outside the Simples there are three percentages (E0713), in it one or three (E0712). A MEI has three, or says that it gives none (E0710). For
 * the others the layout has no such word: what is unknown is zero.
 */
function approximateTaxFields({ approximate_taxes: taxes, issuer }: DpsFacts): Content {
  if (taxes !== null && "federal" in taxes) return [threeTaxes(taxes.federal, taxes.state, taxes.municipal)];
  if (issuer.simples === 1) return [threeTaxes("0.00", "0.00", "0.00")];
  return issuer.simples === 2 ? [["indTotTrib", "0"]] : [["pTotTribSN", taxes?.simples ?? "0.00"]];
}

const threeTaxes = (federal: string, state: string, municipal: string): Field => [
  "pTotTrib",
  [
    ["pTotTribFed", federal],
    ["pTotTribEst", state],
    ["pTotTribMun", municipal],
  ],
];

/**
 * The customer is who receives the service (indDest 0), and not for personal use (indFinal 0). The group needs a code of the NBS (E0322), and a
 * customer whom the DPS names.
 */
function ibsCbsFields({ ibs_cbs: facts, service, customer }: DpsFacts): Content | null {
  if (facts === null || service.nbs_code === null || customer === null || isNameless(customer)) return null;
  const situation: Content = [
    ["CST", facts.cst],
    ["cClassTrib", facts.classification],
  ];
  return [
    ["finNFSe", "0"],
    ["indFinal", "0"],
    ["cIndOp", facts.operation_indicator],
    ["indDest", "0"],
    ["valores", [["trib", [["gIBSCBS", situation]]]]],
  ];
}

const isZero = (money: string) => /^[0.]+$/.test(money);
const nonZero = (money: string) => (isZero(money) ? null : money);

function sum(...amounts: readonly string[]): string {
  const cents = amounts.reduce((total, money) => total + BigInt(money.replace(".", "")), 0n);
  const digits = cents.toString().padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A group of which at least one field is there; null otherwise. */
const present = (fields: readonly Field[]): Content | null =>
  fields.some(([, content]) => content !== null) ? fields : null;

const optional = <T extends Content>(text: string | null, map: (text: string) => T): T | null =>
  text === null ? null : map(text);
