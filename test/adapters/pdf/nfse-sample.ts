/** An NFS-e as the tax authority gives it, valid by NFSe_v1.01.xsd; its signature has the right shape and signs nothing. */

export interface Sample {
  readonly description?: string;
  readonly information?: string;
  readonly customer?: string;
  readonly provider?: string;
  readonly environment?: "1" | "2";
  /** verAplic. */
  readonly program?: string;
  /** Replaces `<tribMun>…</tribMun>` and what follows it inside of `<trib>`. */
  readonly taxes?: string;
  /** Replaces `<valores>` of the NFS-e. */
  readonly amounts?: string;
  /** The groups of IBS and CBS, as the system computed them and as the DPS declares them. */
  readonly ibsCbs?: { readonly computed: string; readonly declared: string };
}

export const IBS_CBS = {
  computed:
    "<IBSCBS><cLocalidadeIncid>3304557</cLocalidadeIncid><xLocalidadeIncid>Rio de Janeiro</xLocalidadeIncid><valores><vBC>1209704.08</vBC><vCalcReeRepRes>12.34</vCalcReeRepRes><uf><pIBSUF>0.10</pIBSUF><pRedAliqUF>30.00</pRedAliqUF><pAliqEfetUF>0.07</pAliqEfetUF></uf><mun><pIBSMun>0.05</pIBSMun><pAliqEfetMun>0.05</pAliqEfetMun></mun><fed><pCBS>0.90</pCBS><pAliqEfetCBS>0.90</pAliqEfetCBS></fed></valores><totCIBS><vTotNF>1132448.15</vTotNF><gIBS><vIBSTot>1451.64</vIBSTot><gIBSUFTot><vIBSUF>846.79</vIBSUF></gIBSUFTot><gIBSMunTot><vIBSMun>604.85</vIBSMun></gIBSMunTot></gIBS><gCBS><vCBS>10887.34</vCBS></gCBS></totCIBS></IBSCBS>",
  declared:
    "<IBSCBS><finNFSe>0</finNFSe><cIndOp>100301</cIndOp><indDest>1</indDest><dest><CPF>12345678901</CPF><xNome>Ana Souza</xNome></dest><valores><trib><gIBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></gIBSCBS></trib></valores></IBSCBS>",
} as const;

export const ACCESS_KEY = "35503082212345678000195000000000004226110123456784";

const algorithm = (name: string) => `Algorithm="${name}"`;
const SIGNATURE = `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod ${algorithm("http://www.w3.org/2001/10/xml-exc-c14n#")}/><SignatureMethod ${algorithm("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256")}/><Reference URI="#NFS${ACCESS_KEY}"><Transforms><Transform ${algorithm("http://www.w3.org/2000/09/xmldsig#enveloped-signature")}/></Transforms><DigestMethod ${algorithm("http://www.w3.org/2001/04/xmlenc#sha256")}/><DigestValue>q83vEjRWeJA=</DigestValue></Reference></SignedInfo><SignatureValue>q83vEjRWeJA=</SignatureValue></Signature>`;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const CUSTOMER = `<toma><CNPJ>98765432000198</CNPJ><IM>44556677</IM><xNome>Mercado Bom Preço Comércio de Alimentos S.A.</xNome><end><endNac><cMun>3304557</cMun><CEP>20040002</CEP></endNac><xLgr>Avenida Rio Branco</xLgr><nro>156</nro><xCpl>sala 1201</xCpl><xBairro>Centro</xBairro></end><fone>2133334444</fone><email>financeiro@bompreco.example</email></toma>`;

const TAXES = `<tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>2</tpRetISSQN></tribMun><tribFed><piscofins><CST>01</CST><vBCPisCofins>1234567.89</vBCPisCofins><pAliqPis>0.65</pAliqPis><pAliqCofins>3.00</pAliqCofins><vPis>8024.69</vPis><vCofins>37037.04</vCofins><tpRetPisCofins>3</tpRetPisCofins></piscofins><vRetCP>1320.00</vRetCP><vRetIRRF>18518.52</vRetIRRF><vRetCSLL>57407.41</vRetCSLL></tribFed><totTrib><vTotTrib><vTotTribFed>166049.38</vTotTribFed><vTotTribEst>0</vTotTribEst><vTotTribMun>26913.58</vTotTribMun></vTotTrib></totTrib>`;

const AMOUNTS = `<valores><vBC>1234517.89</vBC><pAliqAplic>2.01</pAliqAplic><vISSQN>24813.81</vISSQN><vTotalRet>102059.74</vTotalRet><vLiq>1132448.15</vLiq></valores>`;

export function nfseSample(given: Sample = {}): string {
  const {
    description = "Desenvolvimento de sistema de gestão, conforme proposta nº 2026/118.\nEtapa 3 de 5: integração com o estoque & emissão de etiquetas.\n\nVencimento: 10/12/2026",
    information = "Pagamento por PIX: financeiro@padaria.example",
    customer = CUSTOMER,
    provider = "Padaria São João Tecnologia Ltda",
    environment = "1",
    program = "SefinNac_1.5",
    taxes = TAXES,
    amounts = AMOUNTS,
    ibsCbs = { computed: "", declared: "" },
  } = given;
  return `<?xml version="1.0" encoding="UTF-8"?><NFSe xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infNFSe Id="NFS${ACCESS_KEY}"><xLocEmi>São Paulo</xLocEmi><xLocPrestacao>São Paulo</xLocPrestacao><nNFSe>42</nNFSe><cLocIncid>3550308</cLocIncid><xLocIncid>São Paulo</xLocIncid><xTribNac>Elaboração de programas de computadores, inclusive de jogos eletrônicos, independentemente da arquitetura construtiva da máquina em que o programa será executado.</xTribNac><xTribMun>Desenvolvimento de programas sob encomenda</xTribMun><xNBS>Serviços de desenvolvimento de aplicativos</xNBS><verAplic>${program}</verAplic><ambGer>2</ambGer><tpEmis>1</tpEmis><procEmi>1</procEmi><cStat>100</cStat><dhProc>2026-11-29T14:32:10-03:00</dhProc><nDFSe>1187</nDFSe><emit><CNPJ>12345678000195</CNPJ><IM>12345678</IM><xNome>${escaped(provider)}</xNome><enderNac><xLgr>Rua Augusta</xLgr><nro>1500</nro><xBairro>Consolação</xBairro><cMun>3550308</cMun><UF>SP</UF><CEP>01304001</CEP></enderNac><fone>11987654321</fone><email>fiscal@padaria.example</email></emit>${amounts}${ibsCbs.computed}<DPS versao="1.01"><infDPS Id="DPS355030821234567800019500001000000000000042"><tpAmb>${environment}</tpAmb><dhEmi>2026-11-29T14:30:00-03:00</dhEmi><verAplic>Selo 0.2</verAplic><serie>1</serie><nDPS>57</nDPS><dCompet>2026-11-28</dCompet><tpEmit>1</tpEmit><cLocEmi>3550308</cLocEmi><prest><CNPJ>12345678000195</CNPJ><regTrib><opSimpNac>1</opSimpNac><regEspTrib>0</regEspTrib></regTrib></prest>${customer}<serv><locPrest><cLocPrestacao>3550308</cLocPrestacao></locPrest><cServ><cTribNac>010401</cTribNac><cTribMun>002</cTribMun><xDescServ>${escaped(description)}</xDescServ><cNBS>115022000</cNBS></cServ><infoCompl><xPed>PC-7781</xPed>${information === "" ? "" : `<xInfComp>${escaped(information)}</xInfComp>`}</infoCompl></serv><valores><vServPrest><vServ>1234567.89</vServ></vServPrest><vDescCondIncond><vDescIncond>50.00</vDescIncond><vDescCond>10.00</vDescCond></vDescCondIncond><trib>${taxes}</trib></valores>${ibsCbs.declared}</infDPS></DPS></infNFSe>${SIGNATURE}</NFSe>`;
}
