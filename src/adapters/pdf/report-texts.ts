/** The words of an evidence report. */
import { receiptTexts } from "./receipt-texts.ts";
import { type ReportWords, reportWordsInEnglish } from "./report-words-en.ts";
import { reportWordsInPortuguese } from "./report-words-pt.ts";

export type ReportTexts = ReportWords &
  Pick<(typeof receiptTexts)["en"], "code" | "address" | "orScan" | "qrCode" | "test" | "zone" | "date">;

const withCommon = (language: "pt-BR" | "en", words: ReportWords): ReportTexts => {
  const { code, address, orScan, qrCode, test, zone, date } = receiptTexts[language];
  return { code, address, orScan, qrCode, test, zone, date, ...words };
};

export const reportTexts: Readonly<Record<"pt-BR" | "en", ReportTexts>> = {
  en: withCommon("en", reportWordsInEnglish),
  "pt-BR": withCommon("pt-BR", reportWordsInPortuguese),
};
