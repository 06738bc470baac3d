/** What to do about the tax authority's codes, in plain words. */

export type CorrectionLanguage = "pt-BR" | "en";

interface Correction {
  readonly "pt-BR": string;
  readonly en: string;
}

const UNKNOWN: Correction = {
  "pt-BR":
    "Leia a mensagem da Receita, corrija os dados da nota e emita de novo. Se ela não ficar clara, fale com seu contador.",
  en: "Read the tax authority's message, correct the invoice and issue it again. If the message is unclear, ask your accountant.",
};

const CERTIFICATE: Correction = {
  "pt-BR": "Envie um certificado A1 válido da ICP-Brasil (e-CNPJ), emitido para o CNPJ do emitente, e emita de novo.",
  en: "Upload a valid A1 certificate of ICP-Brasil (e-CNPJ) issued for the issuer's CNPJ, then issue the invoice again.",
};
const CERTIFICATE_EXPIRED: Correction = {
  "pt-BR": "O certificado venceu ou ainda não vale. Envie um certificado A1 dentro da validade e emita de novo.",
  en: "The certificate has expired or is not valid yet. Upload an A1 certificate that is valid today, then issue the invoice again.",
};
const CERTIFICATE_REVOKED: Correction = {
  "pt-BR": "O certificado foi revogado. Envie outro certificado A1 do emitente e emita de novo.",
  en: "The certificate was revoked. Upload another A1 certificate of the issuer, then issue the invoice again.",
};
const SIGNATURE: Correction = {
  "pt-BR":
    "A assinatura não foi aceita. Confira se o certificado é do CNPJ do emitente e está válido, e emita de novo.",
  en: "The signature was not accepted. Check that the certificate belongs to the issuer's CNPJ and is valid, then issue the invoice again.",
};
const DOCUMENT: Correction = {
  "pt-BR":
    "O arquivo enviado não foi entendido. Emita de novo. Se o erro voltar, avise o suporte com o código do erro.",
  en: "The document was not understood. Issue the invoice again. If the error returns, send its code to support.",
};
const RATE_NOT_SENT: Correction = {
  "pt-BR":
    "O município já tem a alíquota cadastrada, ou o regime do emitente não a permite. Confira o regime tributário do emitente e a tributação do ISS.",
  en: "The municipality has the rate on record, or the issuer's tax regime does not allow one. Check the issuer's regime and the taxation of the ISS.",
};
const RATE_MISSING: Correction = {
  "pt-BR":
    "A alíquota do ISS é obrigatória neste caso. Informe a alíquota do serviço e confira o regime tributário do emitente.",
  en: "The rate of the ISS is required here. Give the rate of the service, and check the issuer's tax regime.",
};
const CANCELED: Correction = {
  "pt-BR": "A nota já está cancelada. Não é preciso fazer nada.",
  en: "The invoice is cancelled already. Nothing needs to be done.",
};
const ISSUER: Correction = {
  "pt-BR":
    "Confira o CNPJ, a inscrição municipal e o município do emitente: eles precisam constar do cadastro nacional de contribuintes.",
  en: "Check the issuer's CNPJ, municipal registration and municipality: they must be in the national register of taxpayers.",
};

const APPROXIMATE_TAXES: Correction = {
  "pt-BR":
    "A forma dos tributos aproximados não combina com o regime do emitente. No Simples Nacional use um percentual só; fora dele, os três percentuais.",
  en: "The form of the approximate taxes does not fit the issuer's regime. Use one percentage in the Simples Nacional, and three outside it.",
};
const MUNICIPALITY: Correction = {
  "pt-BR":
    "O município do emitente não emite pelo sistema nacional nesta data. Confira o código do município e a data de competência, ou fale com a prefeitura.",
  en: "The issuer's municipality does not issue by the national system at this date. Check the municipality's code and the competence date, or ask the municipality.",
};
const CUSTOMER_UNKNOWN: Correction = {
  "pt-BR":
    "O documento do tomador não consta do cadastro da Receita na data de competência. Confira o CPF ou o CNPJ do tomador.",
  en: "The customer's document is not in the tax register at the competence date. Check the customer's CPF or CNPJ.",
};
const CUSTOMER_ADDRESS: Correction = {
  "pt-BR":
    "O endereço do tomador é obrigatório neste caso. Complete o endereço no cadastro do tomador e emita de novo.",
  en: "The customer's address is required here. Complete the customer's address, then issue the invoice again.",
};
const FOREIGN_TRADE: Correction = {
  "pt-BR":
    "Exportações e tomadores no exterior exigem dados de comércio exterior, que o Selo ainda não envia. Emita esta nota pelo portal nacional.",
  en: "Exports and customers abroad need data of foreign trade, which Selo does not send yet. Issue this invoice on the national portal.",
};
const SPECIAL_REGIME: Correction = {
  "pt-BR":
    "O MEI e quem apura o ISS pelo Simples Nacional não têm regime especial. Deixe o regime especial do emitente em 0 e emita de novo.",
  en: "A MEI, and who pays the ISS in the Simples Nacional, has no special regime. Set the issuer's special regime to 0 and issue the invoice again.",
};
const WITHHELD_ISS: Correction = {
  "pt-BR":
    "O ISS não pode ser retido neste caso: MEI, regime especial, serviço não tributado ou rodovia. Retire a retenção do ISS e emita de novo.",
  en: "The ISS cannot be withheld here: a MEI, a special regime, a service that is not taxed, or a road. Remove the withholding of the ISS and issue the invoice again.",
};
const DEDUCTIONS: Correction = {
  "pt-BR":
    "Deduções só valem para serviço tributável de emitente sem regime especial. Retire a dedução e emita de novo.",
  en: "Deductions need a taxable service of an issuer without a special regime. Remove the deduction and issue the invoice again.",
};
const DISCOUNT: Correction = {
  "pt-BR": "Cada desconto precisa ser menor que o valor do serviço. Corrija o desconto e emita de novo.",
  en: "Each discount must be less than the amount of the service. Correct the discount and issue the invoice again.",
};
const LEAST_TAX: Correction = {
  "pt-BR":
    "Com descontos e deduções, o ISS fica abaixo de 2% do valor do serviço. Reduza o desconto ou a dedução e emita de novo.",
  en: "With its discounts and deductions the invoice pays less than 2% of ISS. Reduce the discount or the deduction and issue the invoice again.",
};
const WITHHELD_AMOUNT: Correction = {
  "pt-BR": "O valor retido precisa ser menor que o valor do serviço. Corrija as retenções federais e emita de novo.",
  en: "A withheld amount must be less than the amount of the service. Correct the federal withholdings and issue the invoice again.",
};
const PIS_COFINS: Correction = {
  "pt-BR":
    "Este CST de PIS e COFINS exige a base e as alíquotas próprias, que o Selo não envia. Use o CST 00, 08 ou 09 no serviço, ou deixe-o em branco.",
  en: "This CST of PIS and COFINS needs a base and rates, which Selo does not send. Use CST 00, 08 or 09 in the service, or none.",
};
const REGISTRATION: Correction = {
  "pt-BR":
    "A inscrição municipal do emitente não confere com o cadastro nacional (CNC). Confira se a prefeitura a registrou: se não, deixe-a em branco.",
  en: "The issuer's municipal registration differs from the national register (CNC). Ask whether the municipality has entered it: if not, leave it empty.",
};

const FORM: Correction = {
  "pt-BR":
    "Algum dado não segue o formato exigido. Confira documentos, códigos, endereço e textos da nota, e emita de novo.",
  en: "Some value does not have the required form. Check the invoice's documents, codes, address and texts, then issue it again.",
};

const CORRECTIONS: Readonly<Record<string, Correction>> = {
  E0001: {
    "pt-BR": "A versão do leiaute não foi aceita. Atualize o Selo e emita de novo.",
    en: "The version of the layout was not accepted. Update Selo and issue the invoice again.",
  },
  E0004: {
    "pt-BR": "A identificação da DPS não confere. Confira o CNPJ, o município e a série do emitente, e emita de novo.",
    en: "The identification of the DPS does not match. Check the issuer's CNPJ, municipality and series, then issue the invoice again.",
  },
  E0006: {
    "pt-BR":
      "O ambiente não confere: uma nota de teste foi enviada à produção, ou o contrário. Confira a configuração do ambiente.",
    en: "The environment does not match: a test invoice was sent to production, or the other way round. Check which environment is configured.",
  },
  E0008: {
    "pt-BR": "A data de emissão está no futuro. Confira o relógio do servidor e emita de novo.",
    en: "The time of issue is in the future. Check the server's clock, then issue the invoice again.",
  },
  E0010: {
    "pt-BR": "Um aplicativo próprio usa as séries de 1 a 49999. Corrija a série do emitente e emita de novo.",
    en: "Software of one's own uses the series 1 to 49999. Correct the issuer's series and issue the invoice again.",
  },
  E0014: {
    "pt-BR":
      "Já existe uma nota com esta série e este número. Consulte a nota existente antes de emitir outra, e confira o próximo número da série.",
    en: "An invoice with this series and number exists. Look at it before issuing another one, and check the next number of the series.",
  },
  E0015: {
    "pt-BR": "A competência não pode ser posterior à data de emissão. Corrija a data de competência e emita de novo.",
    en: "The competence date cannot be later than the date of issue. Correct it and issue the invoice again.",
  },
  E0016: MUNICIPALITY,
  E0037: MUNICIPALITY,
  E0038: MUNICIPALITY,
  E0080: ISSUER,
  E0084: ISSUER,
  E0116: REGISTRATION,
  E0119: REGISTRATION,
  E0120: REGISTRATION,
  E0121: {
    "pt-BR": "O nome do emitente não é enviado na DPS. Atualize o Selo e emita de novo.",
    en: "The issuer's name does not belong in the DPS. Update Selo and issue the invoice again.",
  },
  E0124: REGISTRATION,
  E0128: {
    "pt-BR": "O endereço do emitente não é enviado na DPS. Atualize o Selo e emita de novo.",
    en: "The issuer's address does not belong in the DPS. Update Selo and issue the invoice again.",
  },
  E0160: {
    "pt-BR":
      "A situação no Simples Nacional não confere com o cadastro da Receita. Corrija o regime do emitente e emita de novo.",
    en: "The Simples Nacional status differs from the tax register. Correct the issuer's regime and issue the invoice again.",
  },
  E0172: {
    "pt-BR":
      "O regime especial só vale para serviço tributável. Corrija o regime especial do emitente ou a tributação do ISS.",
    en: "A special regime needs a taxable service. Correct the issuer's special regime or the taxation of the ISS.",
  },
  E0174: SPECIAL_REGIME,
  E0175: SPECIAL_REGIME,
  E0188: ISSUER,
  E0190: CUSTOMER_UNKNOWN,
  E0202: {
    "pt-BR": "Confira o documento do tomador: ele precisa existir e ser diferente do documento do emitente.",
    en: "Check the customer's document: it must exist, and differ from the issuer's.",
  },
  E0204: {
    "pt-BR": "Para reter o ISS é preciso informar o CPF ou o CNPJ do tomador.",
    en: "Withholding the ISS needs the customer's CPF or CNPJ.",
  },
  E0207: CUSTOMER_UNKNOWN,
  E0234: CUSTOMER_ADDRESS,
  E0237: CUSTOMER_ADDRESS,
  E0240: {
    "pt-BR":
      "O CEP do tomador não existe ou não é do município do endereço. Corrija o endereço do tomador e emita de novo.",
    en: "The customer's postal code does not exist, or is of another municipality. Correct the customer's address and issue the invoice again.",
  },
  E0242: CUSTOMER_ADDRESS,
  E0310: {
    "pt-BR":
      "O código de tributação nacional não existe na lista de serviços. Escolha outro código no cadastro do serviço.",
    en: "The national taxation code is not in the list of services. Choose another code for the service.",
  },
  E0312: {
    "pt-BR":
      "O município não administra este código de tributação nacional na data de competência. Confira o código do serviço e o município.",
    en: "The municipality does not use this national taxation code at the competence date. Check the service's code and the municipality.",
  },
  E0314: {
    "pt-BR":
      "O código de tributação municipal está errado ou falta. Confira com a prefeitura o código de três dígitos deste serviço.",
    en: "The municipal taxation code is wrong or missing. Ask the municipality for the service's code of three digits.",
  },
  E0318: FOREIGN_TRADE,
  E0322: {
    "pt-BR": "O grupo de IBS e CBS exige o código NBS. Informe o código NBS no cadastro do serviço.",
    en: "The group of IBS and CBS needs an NBS code. Add the NBS code to the service.",
  },
  E0330: FOREIGN_TRADE,
  E0390: {
    "pt-BR":
      "Serviços do item 12 (eventos) exigem dados do evento, que o Selo ainda não envia. Emita esta nota pelo portal nacional.",
    en: "Services of item 12 (events) need data of the event, which Selo does not send yet. Issue this invoice on the national portal.",
  },
  E0427: {
    "pt-BR": "Os descontos e as deduções somam mais que o valor do serviço. Corrija os valores e emita de novo.",
    en: "Discounts and deductions exceed the amount of the service. Correct the amounts and issue the invoice again.",
  },
  E0428: {
    "pt-BR": "Descontos, deduções e retenções somam mais que o valor do serviço. Corrija os valores e emita de novo.",
    en: "Discounts, deductions and withholdings exceed the amount of the service. Correct the amounts and issue the invoice again.",
  },
  E0429: LEAST_TAX,
  E0430: LEAST_TAX,
  E0431: DISCOUNT,
  E0432: DISCOUNT,
  E0435: DEDUCTIONS,
  E0436: {
    "pt-BR": "O MEI não pode usar deduções. Retire a dedução e emita de novo.",
    en: "A MEI cannot use deductions. Remove the deduction and issue the invoice again.",
  },
  E0438: DEDUCTIONS,
  E0580: WITHHELD_ISS,
  E0583: WITHHELD_ISS,
  E0588: WITHHELD_ISS,
  E0590: FOREIGN_TRADE,
  E0592: {
    "pt-BR": "A imunidade exige o seu tipo, que o Selo ainda não envia. Emita esta nota pelo portal nacional.",
    en: "Immunity needs its kind, which Selo does not send yet. Issue this invoice on the national portal.",
  },
  E0595: {
    "pt-BR": "A alíquota do ISS não pode passar de 5%. Corrija a alíquota e emita de novo.",
    en: "The rate of the ISS cannot exceed 5%. Correct the rate and issue the invoice again.",
  },
  E0596: WITHHELD_ISS,
  E0600: RATE_NOT_SENT,
  E0602: RATE_NOT_SENT,
  E0604: RATE_NOT_SENT,
  E0617: RATE_NOT_SENT,
  E0619: RATE_MISSING,
  E0621: RATE_MISSING,
  E0625: RATE_NOT_SENT,
  E0628: RATE_MISSING,
  E0631: RATE_NOT_SENT,
  E0635: RATE_NOT_SENT,
  E0640: RATE_MISSING,
  E0676: {
    "pt-BR": "O MEI não informa tributos federais. Retire as retenções federais e emita de novo.",
    en: "A MEI gives no federal taxes. Remove the federal withholdings and issue the invoice again.",
  },
  E0678: PIS_COFINS,
  E0680: PIS_COFINS,
  E0699: WITHHELD_AMOUNT,
  E0700: WITHHELD_AMOUNT,
  E0701: WITHHELD_AMOUNT,
  E0710: APPROXIMATE_TAXES,
  E0712: APPROXIMATE_TAXES,
  E0713: APPROXIMATE_TAXES,
  E0714: SIGNATURE,
  E0715: SIGNATURE,
  E0716: SIGNATURE,
  E0717: SIGNATURE,
  E0718: SIGNATURE,
  E0802: CANCELED,
  E0822: {
    "pt-BR":
      "O prazo do município para cancelar esta nota acabou. Peça o cancelamento à prefeitura por análise fiscal.",
    en: "The municipality's deadline for cancelling this invoice has passed. Ask the municipality to cancel it by fiscal analysis.",
  },
  E0823: {
    "pt-BR":
      "O valor da nota passa do limite para cancelamento direto. Peça o cancelamento à prefeitura por análise fiscal.",
    en: "The invoice's amount exceeds the limit for direct cancellation. Ask the municipality to cancel it by fiscal analysis.",
  },
  E0824: {
    "pt-BR":
      "O município não permite o cancelamento direto de nota sem tomador identificado. Peça o cancelamento à prefeitura.",
    en: "The municipality does not let invoices without an identified customer be cancelled directly. Ask the municipality to cancel it.",
  },
  E0840: CANCELED,
  E1200: CERTIFICATE,
  E1201: CERTIFICATE,
  E1202: CERTIFICATE,
  E1203: CERTIFICATE_EXPIRED,
  E1204: CERTIFICATE,
  E1205: CERTIFICATE_REVOKED,
  E1206: CERTIFICATE,
  E1207: CERTIFICATE,
  E1208: CERTIFICATE,
  E1209: CERTIFICATE,
  E1225: DOCUMENT,
  E1226: DOCUMENT,
  E1227: DOCUMENT,
  E1228: DOCUMENT,
  E1229: DOCUMENT,
  E1230: DOCUMENT,
  E1231: DOCUMENT,
  E1232: DOCUMENT,
  E1233: DOCUMENT,
  E1234: DOCUMENT,
  E1235: FORM,
  E1297: {
    "pt-BR": "A alíquota do ISS não pode ser menor que 2%. Corrija a alíquota e emita de novo.",
    en: "The rate of the ISS cannot be less than 2%. Correct the rate and issue the invoice again.",
  },
  E1508: {
    "pt-BR": "O valor líquido ficou negativo. Confira os descontos e as retenções, e emita de novo.",
    en: "The net amount is negative. Check the discounts and the withheld taxes, then issue the invoice again.",
  },
  E1831: {
    "pt-BR":
      "O cancelamento não foi aceito para esta nota. Confira a chave de acesso e a situação da nota no portal nacional.",
    en: "This invoice's cancellation was not accepted. Check the access key and the invoice's state on the national portal.",
  },
  // Codes without a number in the list of rules, as they were seen.
  RNG6110: FORM,
  RNG9999: {
    "pt-BR": "O sistema nacional teve um erro interno. Espere alguns minutos e emita de novo.",
    en: "The national system had an error of its own. Wait for some minutes, then issue the invoice again.",
  },
};

/** The codes with a correction of their own. */
export const CORRECTED_CODES: readonly string[] = Object.keys(CORRECTIONS);

/** Which of the two languages somebody reads who speaks another one (BCP 47). */
export const correctionLanguage = (language: string): CorrectionLanguage =>
  /^pt(-|$)/i.test(language) ? "pt-BR" : "en";

/** The suggested correction of a code, in plain text; a general one for codes that are not in the table. */
export function correctionFor(code: string, language: CorrectionLanguage): string {
  const correction = Object.hasOwn(CORRECTIONS, code) ? CORRECTIONS[code] : undefined;
  return (correction ?? UNKNOWN)[language];
}
