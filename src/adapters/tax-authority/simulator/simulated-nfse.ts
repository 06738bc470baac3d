/** The documents that the simulator signs, as the tax authority does: valid by NFSe_v1.01.xsd and evento_v1.01.xsd. */

import { serializeXml, type XmlElement } from "../../xml/xmldom.ts";
import { accessKeyOf, cancellationEventIdOf } from "../access-key.ts";
import { signXml, type TaxIdentity } from "../sign-xml.ts";
import { type Content, NFSE_NAMESPACE, writeDocument } from "../write-document.ts";
import { descendant, textAt } from "../xml-dom.ts";
import { SIMULATOR_PROGRAM } from "./simulator-program.ts";

export interface NfseRequest {
  /** The signed DPS, parsed: the root. */
  readonly dps: XmlElement;
  readonly issuerName: string;
  readonly number: number;
  readonly now: Date;
  readonly randomDigits: string;
  /** Per cent, where the DPS sends no rate. */
  readonly issRate: string;
  readonly signer: TaxIdentity;
}

const VERSION = "1.01";
/** The states in the order of their codes, which begin those of their municipalities. */
const STATES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "11RO 12AC 13AM 14RR 15PA 16AP 17TO 21MA 22PI 23CE 24RN 25PB 26PE 27AL 28SE 29BA " +
    "31MG 32ES 33RJ 35SP 41PR 42SC 43RS 50MS 51MT 52GO 53DF"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), entry.slice(2)]),
);
const BRASILIA_MS = 3 * 3_600_000;
const NO_CENTS = 0n;

/** A time in Brasília, in whole seconds. */
export function brasiliaTime(now: Date): string {
  return `${new Date(now.getTime() - BRASILIA_MS).toISOString().slice(0, 19)}-03:00`;
}

/** Makes and signs the NFS-e of a DPS. */
export function makeNfse(request: NfseRequest): { accessKey: string; xml: string } {
  const { dps, number, now, randomDigits, signer } = request;
  const at = (...path: string[]) => textAt(dps, NFSE_NAMESPACE, "infDPS", ...path);
  const city = at("cLocEmi") ?? "";
  const cnpj = at("prest", "CNPJ") ?? "";
  const issuedAt = brasiliaTime(now);
  const accessKey = accessKeyOf({ cityCode: city, cnpj, nfseNumber: String(number), issuedAt, randomDigits });
  const place = at("serv", "locPrest", "cLocPrestacao") ?? city;
  const fields: Content = [
    ["xLocEmi", `Município ${city}`],
    ["xLocPrestacao", `Município ${place}`],
    ["nNFSe", String(number)],
    ["cLocIncid", city],
    ["xLocIncid", `Município ${city}`],
    ["xTribNac", `Serviço ${at("serv", "cServ", "cTribNac") ?? ""}`],
    ["verAplic", SIMULATOR_PROGRAM],
    ["ambGer", "2"],
    ["tpEmis", "1"],
    ["procEmi", "1"],
    ["cStat", at("prest", "regTrib", "opSimpNac") === "2" ? "107" : "100"],
    ["dhProc", issuedAt],
    ["nDFSe", String(number)],
    [
      "emit",
      [
        ["CNPJ", cnpj],
        ["IM", at("prest", "IM")],
        ["xNome", request.issuerName],
        [
          "enderNac",
          [
            ["xLgr", "Rua do Simulador"],
            ["nro", "1"],
            ["xBairro", "Centro"],
            ["cMun", city],
            ["UF", STATES[city.slice(0, 2)] ?? "SP"],
            ["CEP", "01001000"],
          ],
        ],
      ],
    ],
    ["valores", amounts(at, request.issRate)],
    ["DPS", []],
  ];
  const id = `NFS${accessKey}`;
  const xml = embed(writeDocument(VERSION, "NFSe", "infNFSe", id, fields), "DPS", dps);
  return { accessKey, xml: signXml(xml, id, signer) };
}

/** Makes and signs the event of a cancellation. */
export function makeCancellationEvent(request: XmlElement, accessKey: string, now: Date, signer: TaxIdentity): string {
  const id = cancellationEventIdOf(accessKey);
  const fields: Content = [
    ["verAplic", SIMULATOR_PROGRAM],
    ["ambGer", "2"],
    ["nSeqEvento", "001"],
    ["dhProc", brasiliaTime(now)],
    ["nDFSe", "1"],
    ["pedRegEvento", []],
  ];
  const xml = embed(writeDocument(VERSION, "evento", "infEvento", id, fields), "pedRegEvento", request);
  return signXml(xml, id, signer);
}

/** A document with an element in the place of the empty one of its name. */
function embed(xml: string, name: string, element: XmlElement): string {
  return xml.replace(`<${name}/>`, () => serializeXml(element));
}

type Reader = (...path: string[]) => string | null;

/** The sums of the facts page: base, ISS rounded half up, withheld, net. */
function amounts(at: Reader, issRate: string): Content {
  const cents = (...path: string[]) => toCents(at("valores", ...path));
  const services = cents("vServPrest", "vServ");
  const unconditional = cents("vDescCondIncond", "vDescIncond");
  const conditional = cents("vDescCondIncond", "vDescCond");
  const base = services - unconditional - cents("vDedRed", "vDR");
  const isTaxed = at("valores", "trib", "tribMun", "tribISSQN") === "1";
  const rate = toCents(at("valores", "trib", "tribMun", "pAliq") ?? issRate);
  const iss = isTaxed ? (base * rate + 5_000n) / 10_000n : NO_CENTS;
  const isWithheld = at("valores", "trib", "tribMun", "tpRetISSQN") === "2";
  const federal = ["vRetCP", "vRetIRRF", "vRetCSLL"].map((name) => cents("trib", "tribFed", name));
  const withheld = federal.reduce((total, amount) => total + amount, isWithheld ? iss : NO_CENTS);
  return [
    ["vBC", isTaxed ? toMoney(base) : null],
    ["pAliqAplic", isTaxed ? toMoney(rate) : null],
    ["vISSQN", isTaxed ? toMoney(iss) : null],
    ["vTotalRet", withheld === NO_CENTS ? null : toMoney(withheld)],
    ["vLiq", toMoney(services - unconditional - conditional - withheld)],
  ];
}

function toCents(money: string | null): bigint {
  const [whole = "0", fraction = ""] = (money ?? "0").split(".");
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, "0"));
}

function toMoney(cents: bigint): string {
  const digits = (cents < 0n ? 0n : cents).toString().padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A copy of a DPS with another description of the service. */
export function alterDps(dps: XmlElement): string {
  const description = descendant(dps, NFSE_NAMESPACE, "infDPS", "serv", "cServ", "xDescServ");
  const text = description?.textContent ?? "";
  return serializeXml(dps).replace(
    /<xDescServ>[^<]*<\/xDescServ>/,
    `<xDescServ>Outro servico (${text.length})</xDescServ>`,
  );
}
