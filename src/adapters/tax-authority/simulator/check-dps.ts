/** What the simulator refuses, by the tax authority's codes. */
import { childElements, type XmlElement } from "../../xml/xmldom.ts";
import { dpsIdOf } from "../access-key.ts";
import type { AuthorityError } from "../authority-answers.ts";
import { PackedXmlError, unpackXml } from "../packed-xml.ts";
import { readSigned, UntrustedAnswerError, type UntrustedReason } from "../trusted-answers.ts";
import { NFSE_NAMESPACE } from "../write-document.ts";
import { descendant, parseSoundXml, textAt } from "../xml-dom.ts";

export interface Sender {
  /** The certificate of the connection, in PEM. */
  readonly certificate: string;
  readonly cnpj: string | null;
}

export interface CheckRules {
  readonly environment: "live" | "test";
  readonly now: Date;
}

type Checked = { readonly root: XmlElement; readonly id: string } | { readonly errors: readonly AuthorityError[] };

const MOST_ISS_PER_CENT = 5;

/** Unpacks and checks a signed DPS. */
export function checkDps(packed: unknown, sender: Sender, rules: CheckRules): Checked {
  const read = readDocument(packed, "DPS", "infDPS", sender);
  if ("errors" in read) return read;
  const { root, id } = read;
  const at = (...path: string[]) => textAt(root, NFSE_NAMESPACE, "infDPS", ...path);
  const has = (...path: string[]) => descendant(root, NFSE_NAMESPACE, "infDPS", ...path) !== null;
  const cnpj = at("prest", "CNPJ") ?? "";
  const amount = (...path: string[]) => Number(at("valores", ...path) ?? "0");
  const reductions =
    amount("vDescCondIncond", "vDescIncond") + amount("vDescCondIncond", "vDescCond") + amount("vDedRed", "vDR");
  const taxation = at("valores", "trib", "tribMun", "tribISSQN");
  const isWithheld = at("valores", "trib", "tribMun", "tpRetISSQN") === "2";
  const issuedAt = at("dhEmi") ?? "";
  const errors = [
    ...checkSender(sender, cnpj),
    fault(
      id !== dpsIdOf(at("cLocEmi") ?? "", cnpj, at("serie") ?? "", at("nDPS") ?? ""),
      "E0004",
      "Id da DPS não confere",
    ),
    fault(at("tpAmb") !== environmentCode(rules), "E0006", "Ambiente não confere"),
    fault(!(Date.parse(issuedAt) <= rules.now.getTime() + 300_000), "E0008", "Data de emissão no futuro"),
    fault((at("dCompet") ?? "9") > issuedAt.slice(0, 10), "E0015", "Competência posterior à emissão"),
    fault(has("prest", "xNome"), "E0121", "Nome do prestador não deve ser informado"),
    fault(has("prest", "end"), "E0128", "Endereço do prestador não deve ser informado"),
    fault(at("prest", "regTrib", "regEspTrib") !== "0" && taxation !== "1", "E0172", "Regime especial não permitido"),
    fault(isWithheld && !has("toma"), "E0204", "Tomador obrigatório para ISSQN retido"),
    fault(has("IBSCBS") && !has("serv", "cServ", "cNBS"), "E0322", "NBS obrigatória"),
    fault(reductions > amount("vServPrest", "vServ"), "E0427", "Descontos e deduções maiores que o valor do serviço"),
    fault(
      at("prest", "regTrib", "opSimpNac") === "2" && has("valores", "vDedRed"),
      "E0436",
      "Dedução não permitida ao MEI",
    ),
    fault(
      Number(at("valores", "trib", "tribMun", "pAliq") ?? "0") > MOST_ISS_PER_CENT,
      "E0595",
      "Alíquota maior que 5%",
    ),
    fault(
      at("prest", "regTrib", "opSimpNac") === "1" && has("valores", "trib", "totTrib", "pTotTribSN"),
      "E0713",
      "Total de tributos do Simples Nacional não permitido",
    ),
  ].filter((error) => error !== null);
  return errors.length > 0 ? { errors } : read;
}

/** Unpacks and checks a signed request for the cancellation of an NFS-e. */
export function checkCancellation(packed: unknown, sender: Sender, rules: CheckRules & { accessKey: string }): Checked {
  const read = readDocument(packed, "pedRegEvento", "infPedReg", sender);
  if ("errors" in read) return read;
  const at = (...path: string[]) => textAt(read.root, NFSE_NAMESPACE, "infPedReg", ...path);
  const errors = [
    ...checkSender(sender, at("CNPJAutor") ?? ""),
    fault(
      read.id !== `PRE${rules.accessKey}101101` || at("chNFSe") !== rules.accessKey,
      "E0004",
      "Id do pedido não confere",
    ),
    fault(at("tpAmb") !== environmentCode(rules), "E0006", "Ambiente não confere"),
  ].filter((error) => error !== null);
  return errors.length > 0 ? { errors } : read;
}

const environmentCode = ({ environment }: CheckRules) => (environment === "live" ? "1" : "2");

const fault = (isWrong: boolean, code: string, message: string): AuthorityError | null =>
  isWrong ? { code, message, complement: null } : null;

const refused = (code: string, message: string) => ({ errors: [{ code, message, complement: null }] });

/** A certificate may act for its own CNPJ alone. */
function checkSender(sender: Sender, cnpj: string): (AuthorityError | null)[] {
  return [fault(sender.cnpj !== cnpj, "E0718", "CNPJ do certificado difere do emitente")];
}

const SIGNATURE_CODES: Partial<Record<UntrustedReason, readonly [code: string, message: string]>> = {
  unreadable: ["E1226", "XML malformado"],
  structure: ["E1235", "Falha no esquema XML"],
  algorithm: ["E0714", "Algoritmo de assinatura inválido"],
  signer: ["E0716", "Certificado de assinatura inválido"],
  signature: ["E0717", "Assinatura inválida"],
};

function readDocument(packed: unknown, rootName: string, signedName: string, sender: Sender): Checked {
  if (typeof packed !== "string") return refused("E1225", "Base64 inválido");
  let xml: string;
  let root: XmlElement;
  try {
    xml = unpackXml(packed);
  } catch (error) {
    const reason = error instanceof PackedXmlError ? error.reason : "gzip";
    if (reason === "utf8") return refused("E1229", "XML não está em UTF-8");
    return reason === "base64" ? refused("E1225", "Base64 inválido") : refused("E1226", "GZip inválido");
  }
  try {
    root = parseSoundXml(xml);
  } catch {
    return refused("E1226", "XML malformado");
  }
  if (hasPrefix(root)) return refused("E1228", "Prefixo de namespace não permitido");
  try {
    const { element } = readSigned(xml, rootName, signedName, { trusted: [sender.certificate] });
    return { root, id: element.getAttribute("Id") ?? "" };
  } catch (error) {
    const reason = error instanceof UntrustedAnswerError ? error.reason : "unreadable";
    return refused(...(SIGNATURE_CODES[reason] ?? (["E1235", "Falha no esquema XML"] as const)));
  }
}

function hasPrefix(element: XmlElement): boolean {
  return Boolean(element.prefix) || childElements(element).some(hasPrefix);
}
