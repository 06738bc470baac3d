import { dark, lengths, light, type } from "../../../adapters/generated/design-tokens.ts";
import { escapeHtml } from "../../../surfaces/http/escape-html.ts";
import type { MailFact, MailLanguage, MailText } from "../../../surfaces/mail/mail-kind.ts";

/** A link, by its words. */
export interface MailLink {
  readonly label: string;
  readonly href: string;
}

/** Everything that a mail says, in the order in which it says it. Text and HTML are both made from it. */
export interface MailContent {
  readonly language: MailLanguage;
  readonly subject: string;
  readonly preheader: string;
  /** Shown above everything else; null in the live environment. */
  readonly testNotice: string | null;
  readonly heading: string;
  /** In large digits below the heading; null in a mail without one. */
  readonly code: string | null;
  /** Paragraphs. */
  readonly lead: readonly MailText[];
  /** What somebody else wrote, and who that was. */
  readonly quote: { readonly text: string; readonly by: string } | null;
  readonly facts: readonly MailFact[];
  readonly people: readonly (readonly [name: string, deed: string])[];
  readonly button: MailLink | null;
  readonly remarks: readonly MailText[];
  /** Facts below all of this. */
  readonly details: readonly MailFact[];
  readonly warning: { readonly text: MailText; readonly link: MailLink | null } | null;
  readonly footer: {
    /** Why the recipient gets the mail, and what becomes of replies. */
    readonly reason: string;
    /** Who runs the deployment; null if no setting says it. */
    readonly operator: string | null;
    readonly links: readonly MailLink[];
  };
}

/** The Content-ID of the mark, which {@link mailHtml} shows. */
export const MARK_CID = "mark@selo";

/** Of the text column, in pixels; mails have no other widths. */
const COLUMN = 600;
/** Up to this width the card has less padding, and the button is as wide as the card. */
const PHONE = 480;
const MARK = 28;
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";

const MONO = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace";

const font = (weight: 400 | 600 | 700, size: keyof typeof type) =>
  `font:${weight} ${type[size][0]}px/${type[size][1]}px ${FONT}`;
const space = (...sides: readonly (0 | 2 | keyof typeof lengths)[]) =>
  sides.map((side) => (typeof side === "number" ? `${side}px` : `${lengths[side]}px`)).join(" ");

/** Styles stand on the elements, because many programs drop style sheets. Mail knows no custom properties. */
const styles = {
  body: `margin:0;padding:0;background:${light.canvas};color:${light.ink}`,
  edge: `padding:${space("s-24", "s-16")}`,
  column: `width:100%;max-width:${COLUMN}px;border-collapse:separate`,
  test: `padding:${space("s-12", "s-32")};border-radius:${space("r-14")};background:${light.warn};color:${light.surface};text-align:left;${font(600, "type-16")}`,
  gap: `height:${space("s-12")};line-height:${space("s-12")};font-size:0`,
  card: `padding:${space("s-32")};border:1px solid ${light.line};border-radius:${space("r-14")};background:${light.surface};color:${light.ink};text-align:left;${font(400, "type-16")}`,
  brand: `margin:${space(0, 0, "s-24")};color:${light.ink};${font(600, "type-18")}`,
  mark: `vertical-align:-7px;margin-right:${space("s-8")};border:0`,
  heading: `margin:${space(0, 0, "s-16")};color:${light.ink};letter-spacing:-0.012em;overflow-wrap:anywhere;${font(700, "type-22")}`,
  lead: `margin:${space(0, 0, "s-16")};color:${light.ink};overflow-wrap:anywhere;${font(400, "type-16")}`,
  facts: `margin:${space(0, 0, "s-24")};padding:0;border-top:1px solid ${light.line}`,
  code: `margin:${space(0, 0, "s-16")};padding:${space("s-16")};border-radius:${space("r-10")};background:${light.sunken};color:${light.ink};letter-spacing:${space("s-8")};text-align:center;font:600 ${type["type-36"][0]}px/${type["type-36"][1]}px ${MONO}`,
  quote: `margin:${space(0, 0, "s-24")};padding:${space("s-12", "s-16")};border-left:3px solid ${light["line-strong"]};border-radius:${space(0, "r-6", "r-6", 0)};background:${light.sunken};color:${light.ink};overflow-wrap:anywhere;${font(400, "type-16")}`,
  by: `margin:${space("s-8", 0, 0)};color:${light["ink-2"]};${font(400, "type-14")}`,
  words: "margin:0",
  warning: `margin:${space("s-16", 0, 0)};padding:${space("s-12", "s-16")};border-radius:${space("r-10")};background:${light["warn-soft"]};color:${light.ink};overflow-wrap:anywhere;${font(400, "type-14")}`,
  label: `margin:0;padding:${space("s-12", 0, 0)};color:${light["ink-2"]};${font(400, "type-14")}`,
  value: `margin:0;padding:${space(0, 0, "s-12")};border-bottom:1px solid ${light.line};color:${light.ink};overflow-wrap:anywhere;${font(400, "type-16")}`,
  people: `margin:${space(0, 0, "s-24")};padding:0;border-top:1px solid ${light.line};list-style:none`,
  person: `margin:0;padding:${space("s-12", 0)};border-bottom:1px solid ${light.line};color:${light.ink};overflow-wrap:anywhere;${font(400, "type-16")}`,
  deed: `color:${light["ink-2"]};${font(400, "type-14")}`,
  details: `margin:${space("s-24", 0, 0)};padding:0;border-top:1px solid ${light.line}`,
  whole: "white-space:nowrap",
  // Outlook for Windows ignores the padding of links.
  box: `border-radius:${space("r-10")};background:${light.brand};mso-padding-alt:${space("s-12", "s-24")}`,
  button: `display:inline-block;padding:${space("s-12", "s-24")};border-radius:${space("r-10")};background:${light.brand};color:${light["on-brand"]};text-decoration:none;${font(600, "type-16")}`,
  note: `margin:${space("s-16", 0, 0)};color:${light["ink-2"]};overflow-wrap:anywhere;${font(400, "type-14")}`,
  foot: `padding:${space("s-16", "s-32")};color:${light["ink-2"]};text-align:left;${font(400, "type-14")}`,
  footLine: `margin:${space(0, 0, "s-12")};overflow-wrap:anywhere`,
  link: `color:${light.brand};text-decoration:underline`,
  preheader: "display:none;max-height:0;overflow:hidden;mso-hide:all",
} as const;

/** What elements cannot say themselves: the dark theme, and a phone's width. A program that drops it shows the light theme. */
const SHEET = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:${PHONE}px){
.card{padding:${space("s-24", "s-16")}!important}.test{padding:${space("s-12", "s-16")}!important}.foot{padding:${space("s-16")}!important}
.wide{width:100%!important}.button{display:block!important;text-align:center!important}
}
@media (prefers-color-scheme:dark){
.canvas{background:${dark.canvas}!important;color:${dark.ink}!important}
.card{background:${dark.surface}!important;border-color:${dark.line}!important}
.test{background:${dark.warn}!important;color:${dark.surface}!important}
.ink{color:${dark.ink}!important}.quiet{color:${dark["ink-2"]}!important}.rule{border-color:${dark.line}!important}
.box,.button{background:${dark.brand}!important}.button{color:${dark["on-brand"]}!important}.link{color:${dark.brand}!important}
.code,.quote{background:${dark.sunken}!important;color:${dark.ink}!important}.quote{border-color:${dark["line-strong"]}!important}
.warning{background:${dark["warn-soft"]}!important;color:${dark.ink}!important}
.mark{filter:brightness(0) invert(1)}
}`;

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

/** A whole document: styles inline, no script, nothing from elsewhere. Everything given is escaped. */
export function mailHtml(content: MailContent): string {
  const { language, subject, preheader, testNotice, heading, code, lead, quote, facts, people, button } = content;
  const { remarks, details, warning } = content;
  const parts = [
    `<p class="ink" style="${styles.brand}"><img class="mark" src="cid:${MARK_CID}" width="${MARK}" height="${MARK}" alt="" style="${styles.mark}">Selo</p>`,
    `<h1 class="ink" style="${styles.heading}">${textHtml(heading)}</h1>`,
    ...(code === null ? [] : [`<p class="code" style="${styles.code}">${escapeHtml(code)}</p>`]),
    ...lead.map((paragraph) => `<p class="ink" style="${styles.lead}">${textHtml(paragraph)}</p>`),
    ...(quote === null ? [] : [quoteHtml(quote)]),
    ...factsHtml(facts, styles.facts),
    ...peopleHtml(people),
    ...(button === null ? [] : [buttonHtml(button)]),
    ...remarks.map((note) => `<p class="quiet" style="${styles.note}">${textHtml(note)}</p>`),
    ...factsHtml(details, styles.details),
    ...(warning === null ? [] : [warningHtml(warning)]),
  ];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escapeHtml(subject)}</title>
<style>
${SHEET}
</style>
</head>
<body class="canvas" style="${styles.body}">
<div style="${styles.preheader}">${escapeHtml(preheader)}</div>
<div role="article" aria-roledescription="email" aria-label="${escapeHtml(subject)}" lang="${language}">
<table ${TABLE} class="canvas" width="100%" style="background:${light.canvas}"><tr><td align="center" style="${styles.edge}">
<table ${TABLE} width="${COLUMN}" style="${styles.column}">
${testNotice === null ? "" : `<tr><td class="test" style="${styles.test}">${escapeHtml(testNotice)}</td></tr>\n<tr><td style="${styles.gap}">&nbsp;</td></tr>\n`}<tr><td class="card" style="${styles.card}">
${parts.join("\n")}
</td></tr>
<tr><td class="foot quiet" style="${styles.foot}">
${footHtml(content)}
</td></tr>
</table>
</td></tr></table>
</div>
</body>
</html>
`;
}

/** Words that no line ends in: the codes by which documents are found, too. */
const UNBROKEN = /e-mail|ICP-Brasil|\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b/g;

const wordsHtml = (text: string): string =>
  escapeHtml(text).replace(UNBROKEN, (word) => `<span style="${styles.whole}">${word}</span>`);

const textHtml = (text: MailText): string =>
  typeof text === "string"
    ? wordsHtml(text)
    : text.map((part) => (typeof part === "string" ? wordsHtml(part) : `<b>${wordsHtml(part.strong)}</b>`)).join("");

/** The same without strong letters. */
const plainText = (text: MailText): string =>
  typeof text === "string" ? text : text.map((part) => (typeof part === "string" ? part : part.strong)).join("");

function factsHtml(facts: readonly MailFact[], style: string): string[] {
  return facts.length === 0 ? [] : [`<dl class="rule" style="${style}">`, ...facts.map(factHtml), "</dl>"];
}

function factHtml([label, value]: MailFact): string {
  return `<dt class="quiet" style="${styles.label}">${escapeHtml(label)}</dt><dd class="ink rule" style="${styles.value}">${textHtml(value)}</dd>`;
}

function peopleHtml(people: MailContent["people"]): string[] {
  const lines = people.map(
    ([name, deed]) =>
      `<li class="ink rule" style="${styles.person}">${escapeHtml(name)}<div class="quiet" style="${styles.deed}">${escapeHtml(deed)}</div></li>`,
  );
  return lines.length === 0 ? [] : [`<ul class="rule" style="${styles.people}">`, ...lines, "</ul>"];
}

function quoteHtml({ text, by }: NonNullable<MailContent["quote"]>): string {
  return `<div class="quote" style="${styles.quote}"><p style="${styles.words}">${escapeHtml(text)}</p><p class="quiet" style="${styles.by}">${escapeHtml(by)}</p></div>`;
}

function buttonHtml({ label, href }: MailLink): string {
  return `<table ${TABLE} class="wide"><tr><td class="box" style="${styles.box}"><a class="button" href="${escapeHtml(href)}" style="${styles.button}">${escapeHtml(label)}</a></td></tr></table>`;
}

function warningHtml({ link, text }: NonNullable<MailContent["warning"]>): string {
  return `<p class="warning" style="${styles.warning}">${textHtml(text)}${link === null ? "" : ` ${linkHtml(link)}`}</p>`;
}

const linkHtml = ({ label, href }: MailLink): string =>
  `<a class="link" href="${escapeHtml(href)}" style="${styles.link}">${escapeHtml(label)}</a>`;

function footHtml({ footer: { reason, operator, links } }: MailContent): string {
  const anchors = links.map(linkHtml);
  const lines = [wordsHtml(reason), ...(operator === null ? [] : [escapeHtml(operator)]), anchors.join(" · ")];
  return lines.map((line) => `<p style="${styles.footLine}">${line}</p>`).join("\n");
}

/** The same as plain text, for programs and people that read no HTML. Each address stands on its own line. */
export function mailText(content: MailContent): string {
  const { testNotice, heading, code, lead, quote, facts, people, button, remarks, details, warning, footer } = content;
  const { reason, operator, links } = footer;
  return [
    ...(testNotice === null ? [] : [testNotice, ""]),
    heading,
    "",
    ...(code === null ? [] : [code, ""]),
    ...lead.flatMap((paragraph) => [plainText(paragraph), ""]),
    ...(quote === null ? [] : [`> ${quote.text}`, quote.by, ""]),
    ...factLines([...facts, ...people]),
    ...(button === null ? [] : [`${button.label}:`, button.href, ""]),
    ...remarks.flatMap((note) => [plainText(note), ""]),
    ...factLines(details),
    ...(warning === null
      ? []
      : [plainText(warning.text), ...(warning.link === null ? [] : [linkText(warning.link)]), ""]),
    // Marks the rest as a signature, which replies leave out (RFC 3676, 4.3).
    "-- ",
    reason,
    ...(operator === null ? [] : [operator]),
    ...links.map(linkText),
    "",
  ].join("\n");
}

const factLines = (facts: readonly MailFact[]): string[] =>
  facts.length === 0 ? [] : [...facts.map(([label, value]) => `  ${label}: ${plainText(value)}`), ""];

const linkText = ({ label, href }: MailLink): string => `${label}: ${href.replace(/^mailto:/, "")}`;
