/** Reads the XML of an NFS-e, national layout 1.01 (`tiposComplexos_v1.01.xsd`), as far as its DANFSe shows it. */
import { z } from "zod";
import { parseXml, type XmlElement, type XmlNode } from "../xml/xmldom.ts";

const NAMESPACE = "http://www.sped.fazenda.gov.br/nfse";
/** Characters of the largest XML. An NFS-e with both signatures has some 20,000. */
const MOST_CHARACTERS = 512 * 1024;
/** The deepest element of an NFS-e is the twelfth. */
const MOST_DEPTH = 32;

/** The text is not an NFS-e that can be shown. */
export class NotAnNfse extends Error {
  override readonly name = "NotAnNfse";
}

const line = z
  .string()
  .max(600)
  .transform((text) => text.replaceAll(/\s+/g, " "));
const code = z.string().regex(/^\d{1,2}$/);
const money = z.string().regex(/^\d{1,15}(\.\d{1,2})?$/);
const rate = z.string().regex(/^\d{1,3}(\.\d{1,2})?$/);
const date = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/);
/** Texts have at most 2,000 characters in the layout; those of an environment that is less strict are shown as well. */
const long = z.string().max(4000);
const optional = <T extends z.ZodType>(type: T) => type.nullable();

const address = z.object({
  street: optional(line),
  number: optional(line),
  complement: optional(line),
  district: optional(line),
  /** IBGE's code. */
  city: optional(line),
  state: optional(line),
  postalCode: optional(line),
  /** In other countries. */
  foreign: optional(
    z.object({ city: optional(line), region: optional(line), country: optional(line), postalCode: optional(line) }),
  ),
});

const person = z.object({
  cnpj: optional(line),
  cpf: optional(line),
  /** A number that another country gave. */
  foreignNumber: optional(line),
  municipalRegistration: optional(line),
  name: optional(line),
  phone: optional(line),
  email: optional(line),
  address: optional(address),
});

const nfse = z.object({
  accessKey: z.string().regex(/^\d{50}$/),
  number: z.string().regex(/^\d{1,15}$/),
  processedAt: time,
  /** ambGer and cStat. */
  generator: optional(code),
  /** verAplic: what made the NFS-e. */
  program: optional(line),
  status: optional(z.string().regex(/^\d{3}$/)),
  issuingCity: line,
  serviceCity: line,
  taxedCity: optional(line),
  taxedCityCode: optional(line),
  nationalDescription: line,
  municipalDescription: optional(line),
  cityInformation: optional(long),
  /** Names of cities by IBGE's codes, those that the NFS-e names itself. */
  cities: z.record(z.string(), line),
  base: optional(money),
  appliedRate: optional(rate),
  iss: optional(money),
  deductions: optional(money),
  benefit: optional(money),
  withheld: optional(money),
  net: money,
  dps: z.object({
    environment: z.enum(["1", "2"]),
    issuedAt: time,
    series: line,
    number: z.string().regex(/^\d{1,15}$/),
    competence: date,
    issuer: z.enum(["1", "2", "3"]),
    replaces: optional(line),
    simples: code,
    simplesRegime: optional(code),
    specialRegime: optional(code),
    serviceCity: optional(line),
    serviceCountry: optional(line),
    nationalCode: z.string().regex(/^\d{6}$/),
    municipalCode: optional(line),
    nbs: optional(line),
    description: long,
    information: optional(long),
    order: optional(line),
    reference: optional(line),
    responsibility: optional(line),
    amount: money,
    unconditionalDiscount: optional(money),
    conditionalDiscount: optional(money),
    taxation: code,
    resultCountry: optional(line),
    immunity: optional(code),
    suspension: optional(code),
    suspensionCase: optional(line),
    benefitNumber: optional(line),
    withholding: code,
    pis: optional(money),
    cofins: optional(money),
    withheldContributions: optional(code),
    socialSecurity: optional(money),
    incomeTax: optional(money),
    csll: optional(money),
    /** Approximate taxes (Lei 12.741/2012), federal, state, municipal: amounts, or percentages; or one percentage of the Simples. */
    taxes: z.object({
      amounts: optional(z.tuple([money, money, money])),
      rates: optional(z.tuple([rate, rate, rate])),
      simplesRate: optional(rate),
    }),
  }),
  provider: person,
  customer: optional(person),
  intermediary: optional(person),
  /** Who receives the service, where the DPS has the group of IBS and CBS: finNFSe, indDest and dest. */
  purpose: optional(code),
  recipient: optional(person),
  /** IBS and CBS as the system computed them. */
  ibsCbs: optional(
    z.object({
      situation: optional(line),
      classification: optional(line),
      operation: optional(line),
      city: line,
      cityCode: optional(line),
      excluded: optional(money),
      base: money,
      state: z.object({ rate, reduction: optional(rate), effective: rate, amount: money }),
      municipal: z.object({ rate, reduction: optional(rate), effective: rate, amount: money }),
      federal: z.object({ rate, reduction: optional(rate), effective: rate, amount: money }),
      ibs: money,
      total: money,
    }),
  ),
});

export type Nfse = z.infer<typeof nfse>;
export type NfsePerson = z.infer<typeof person>;

/**
 * Reads an NFS-e. Its signatures are not verified: who shows it has done that.
 * @throws NotAnNfse: not XML, a document type, another root, an element twice or missing, a value of another form, too large, too deep
 */
export function readNfse(xml: string): Nfse {
  const info = within(rootOf(xml), "infNFSe");
  const dps = within(info, "DPS", "infDPS");
  const isByProvider = text(dps, "tpEmit") === "1";
  const emitter = personOf(within(info, "emit"));
  const provider = personOf(within(dps, "prest"));
  const trib = within(dps, "valores", "trib");
  const read = nfse.safeParse({
    accessKey: (info?.getAttribute("Id") ?? "").replace(/^NFS/, ""),
    number: text(info, "nNFSe"),
    processedAt: text(info, "dhProc"),
    generator: text(info, "ambGer"),
    program: text(info, "verAplic"),
    status: text(info, "cStat"),
    issuingCity: text(info, "xLocEmi"),
    serviceCity: text(info, "xLocPrestacao"),
    taxedCity: text(info, "xLocIncid"),
    taxedCityCode: text(info, "cLocIncid"),
    nationalDescription: text(info, "xTribNac"),
    municipalDescription: text(info, "xTribMun"),
    cityInformation: text(info, "xOutInf"),
    cities: citiesOf(info, dps),
    base: text(info, "valores", "vBC"),
    appliedRate: text(info, "valores", "pAliqAplic"),
    iss: text(info, "valores", "vISSQN"),
    deductions: text(info, "valores", "vCalcDR") ?? text(dps, "valores", "vDedRed", "vDR"),
    benefit: text(info, "valores", "vCalcBM"),
    withheld: text(info, "valores", "vTotalRet"),
    net: text(info, "valores", "vLiq"),
    dps: {
      environment: text(dps, "tpAmb"),
      issuedAt: text(dps, "dhEmi"),
      series: text(dps, "serie"),
      number: text(dps, "nDPS"),
      competence: text(dps, "dCompet"),
      issuer: text(dps, "tpEmit"),
      replaces: text(dps, "subst", "chSubstda"),
      simples: text(dps, "prest", "regTrib", "opSimpNac"),
      simplesRegime: text(dps, "prest", "regTrib", "regApTribSN"),
      specialRegime: text(dps, "prest", "regTrib", "regEspTrib"),
      serviceCity: text(dps, "serv", "locPrest", "cLocPrestacao"),
      serviceCountry: text(dps, "serv", "locPrest", "cPaisPrestacao"),
      nationalCode: text(dps, "serv", "cServ", "cTribNac"),
      municipalCode: text(dps, "serv", "cServ", "cTribMun"),
      nbs: text(dps, "serv", "cServ", "cNBS"),
      description: text(dps, "serv", "cServ", "xDescServ"),
      information: text(dps, "serv", "infoCompl", "xInfComp"),
      order: text(dps, "serv", "infoCompl", "xPed"),
      reference: text(dps, "serv", "infoCompl", "docRef"),
      responsibility: text(dps, "serv", "infoCompl", "idDocTec"),
      amount: text(dps, "valores", "vServPrest", "vServ"),
      unconditionalDiscount: text(dps, "valores", "vDescCondIncond", "vDescIncond"),
      conditionalDiscount: text(dps, "valores", "vDescCondIncond", "vDescCond"),
      taxation: text(trib, "tribMun", "tribISSQN"),
      resultCountry: text(trib, "tribMun", "cPaisResult"),
      immunity: text(trib, "tribMun", "tpImunidade"),
      suspension: text(trib, "tribMun", "exigSusp", "tpSusp"),
      suspensionCase: text(trib, "tribMun", "exigSusp", "nProcesso"),
      benefitNumber: text(trib, "tribMun", "BM", "nBM"),
      withholding: text(trib, "tribMun", "tpRetISSQN"),
      pis: text(trib, "tribFed", "piscofins", "vPis"),
      cofins: text(trib, "tribFed", "piscofins", "vCofins"),
      withheldContributions: text(trib, "tribFed", "piscofins", "tpRetPisCofins"),
      socialSecurity: text(trib, "tribFed", "vRetCP"),
      incomeTax: text(trib, "tribFed", "vRetIRRF"),
      csll: text(trib, "tribFed", "vRetCSLL"),
      taxes: {
        amounts: three(within(trib, "totTrib", "vTotTrib"), "vTotTrib"),
        rates: three(within(trib, "totTrib", "pTotTrib"), "pTotTrib"),
        simplesRate: text(trib, "totTrib", "pTotTribSN"),
      },
    },
    // A provider that emits is described by the tax authority, under `emit`; the DPS has then only its number (E0121, E0128).
    provider: isByProvider && provider && emitter ? { ...emitter, foreignNumber: provider.foreignNumber } : provider,
    customer: personOf(within(dps, "toma")),
    intermediary: personOf(within(dps, "interm")),
    purpose: text(dps, "IBSCBS", "finNFSe"),
    recipient: personOf(within(dps, "IBSCBS", "dest")),
    ibsCbs: ibsCbsOf(within(info, "IBSCBS"), within(dps, "IBSCBS")),
  });
  if (read.success) return read.data;
  // Where, without what stands there.
  throw new NotAnNfse(
    `the NFS-e has another form at: ${read.error.issues.map(({ path }) => path.join(".")).join(", ")}`,
  );
}

function rootOf(xml: string): XmlElement {
  if (xml.length > MOST_CHARACTERS) throw new NotAnNfse(`the XML has more than ${MOST_CHARACTERS} characters`);
  const root = parseXml(xml);
  if (!root) throw new NotAnNfse("the text is not well-formed XML without a document type");
  if (root.namespaceURI !== NAMESPACE || root.localName !== "NFSe") throw new NotAnNfse("the XML is not an NFS-e");
  checkDepth(root);
  return root;
}

/** Looks at every node once, in the order of the document. */
function checkDepth(root: XmlElement): void {
  let depth = 0;
  for (let node: XmlNode | null = root; node; ) {
    if (node.firstChild) {
      node = node.firstChild;
      if (++depth > MOST_DEPTH) throw new NotAnNfse("elements of the XML are too deep");
      continue;
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      depth--;
    }
    node = node && node !== root ? node.nextSibling : null;
  }
}

/** The element at a path, or null. Of two with the same name nobody could say which counts. */
function within(from: XmlElement | null, ...path: readonly string[]): XmlElement | null {
  let at = from;
  for (const name of path) {
    if (!at) return null;
    const found = Array.from(at.childNodes).filter(
      (node): node is XmlElement => node.nodeType === 1 && isNamed(node as XmlElement, name),
    );
    if (found.length > 1) throw new NotAnNfse(`the NFS-e has ${name} twice`);
    at = found[0] ?? null;
  }
  return at;
}

const isNamed = (element: XmlElement, name: string) => element.localName === name && element.namespaceURI === NAMESPACE;

function text(from: XmlElement | null, ...path: readonly string[]): string | null {
  const found = within(from, ...path)?.textContent?.trim();
  return found ? found : null;
}

/** A person of the DPS (TCInfoPrestador, TCInfoPessoa) or the emitter (TCEmitente): they differ in the address. */
function personOf(from: XmlElement | null) {
  if (!from) return null;
  const place = within(from, "enderNac") ?? within(from, "end");
  const national = within(place, "endNac") ?? within(from, "enderNac");
  const foreign = within(place, "endExt");
  return {
    cnpj: text(from, "CNPJ"),
    cpf: text(from, "CPF"),
    foreignNumber: text(from, "NIF"),
    municipalRegistration: text(from, "IM"),
    name: text(from, "xNome"),
    phone: text(from, "fone"),
    email: text(from, "email"),
    address: place && {
      street: text(place, "xLgr"),
      number: text(place, "nro"),
      complement: text(place, "xCpl"),
      district: text(place, "xBairro"),
      city: text(national, "cMun"),
      state: text(national, "UF"),
      postalCode: text(national, "CEP"),
      foreign: foreign && {
        city: text(foreign, "xCidade"),
        region: text(foreign, "xEstProvReg"),
        country: text(foreign, "cPais"),
        postalCode: text(foreign, "cEndPost"),
      },
    },
  };
}

/** The NFS-e has codes of cities, and the names of three of them. */
function citiesOf(info: XmlElement | null, dps: XmlElement | null): Record<string, string> {
  const pairs = [
    [text(dps, "cLocEmi"), text(info, "xLocEmi")],
    [text(dps, "serv", "locPrest", "cLocPrestacao"), text(info, "xLocPrestacao")],
    [text(info, "cLocIncid"), text(info, "xLocIncid")],
  ];
  return Object.fromEntries(pairs.filter(([key, name]) => key && name));
}

function three(from: XmlElement | null, name: string) {
  return from && ["Fed", "Est", "Mun"].map((level) => text(from, `${name}${level}`));
}

function ibsCbsOf(computed: XmlElement | null, declared: XmlElement | null) {
  if (!computed) return null;
  const values = within(computed, "valores");
  const totals = within(computed, "totCIBS");
  const declaredTax = within(declared, "valores", "trib", "gIBSCBS");
  const level = (group: string, name: string, total: string, ...amount: readonly string[]) => ({
    rate: text(values, group, `p${name}`),
    reduction: text(values, group, `pRedAliq${total}`),
    effective: text(values, group, `pAliqEfet${total}`),
    amount: text(totals, ...amount),
  });
  return {
    situation: text(declaredTax, "CST"),
    classification: text(declaredTax, "cClassTrib"),
    operation: text(declared, "cIndOp"),
    city: text(computed, "xLocalidadeIncid"),
    cityCode: text(computed, "cLocalidadeIncid"),
    excluded: text(values, "vCalcReeRepRes"),
    base: text(values, "vBC"),
    state: level("uf", "IBSUF", "UF", "gIBS", "gIBSUFTot", "vIBSUF"),
    municipal: level("mun", "IBSMun", "Mun", "gIBS", "gIBSMunTot", "vIBSMun"),
    federal: level("fed", "CBS", "CBS", "gCBS", "vCBS"),
    ibs: text(totals, "gIBS", "vIBSTot"),
    total: text(totals, "vTotNF"),
  };
}
