import { archivalDocument } from "./archival-document.ts";
import { fontsFor } from "./fonts.ts";
import type { ReportContent } from "./report-content.ts";
import { drawReport } from "./report-pages.ts";
import { reportTexts } from "./report-texts.ts";
import { TextSetter } from "./text-setter.ts";

/** Renders an evidence report: PDF/A-3b, with evidence.json attached. The same content gives the same bytes. */
export async function renderReport(content: ReportContent): Promise<Buffer> {
  const { language, verificationCode, isTest, steps, evidence } = content;
  const texts = reportTexts[language];
  const fonts = await fontsFor(textsOf(content));
  const about = {
    language,
    title: `${texts.title} ${verificationCode}${isTest ? ` (${texts.test})` : ""}`,
    // What was last done is the last that the report knows of.
    date: new Date((steps.at(-1) ?? steps[0]).at.utc),
    evidence,
    attachment: texts.attachment,
  };
  return archivalDocument(about, (document) => drawReport(document, new TextSetter(document, fonts), content));
}

/** Everything in it that somebody wrote. */
function textsOf({ organization, title, operator, documents, participants, consents }: ReportContent): string[] {
  const ofParticipants = participants.flatMap(({ name, email, declineReason, act, values }) => [
    name,
    email,
    declineReason,
    act?.signature?.kind === "typed" ? act.signature.text : null,
    ...values.flatMap(({ label, value, fileName }) => [label, String(value), fileName]),
  ]);
  return [
    organization,
    title,
    operator.name,
    operator.details,
    ...documents.map(({ fileName }) => fileName),
    ...ofParticipants,
    ...consents.map(({ text }) => text),
  ].map((text) => text ?? "");
}
