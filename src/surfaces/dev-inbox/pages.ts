import type { Address, Email } from "postal-mime";
import { escapeHtml } from "../http/escape-html.ts";
import type { KeptMail } from "./inbox.ts";
import { NOT_SENT } from "./keep-test-mail.ts";
import { SMS_TO } from "./sms-file.ts";

const IMAGE = /^image\/(png|jpeg|gif|webp)$/;

/** A kept mail with its parsed content. */
export interface ReadMail extends KeptMail {
  readonly mail: Email;
}

/** What the pages of the inbox share with the other pages. */
export interface Shell {
  /** The `<link>` elements of the design's style sheets and font; none while the web app is not built. */
  readonly styleLinks: readonly string[];
  /** The mark, as an SVG element. */
  readonly mark: string;
}

/** Every mail with its subject, newest first. */
export function listPage(mails: readonly ReadMail[], isCaught: boolean, shell: Shell): string {
  const items = mails.map(
    ({ id, receivedAt, mail }) => `
          <li>
            <a href="/dev/inbox/${id}">${escapeHtml(subjectOf(mail))}</a>
            <span class="small quiet">to ${escapeHtml(recipientOf(mail))}${isSent(mail) ? "" : ` ${notSentTag(mail)}`}</span>
            ${time(receivedAt)}
          </li>`,
  );
  const empty = isCaught
    ? `No mail yet. Mail of this deployment arrives here: give an organization a contact with <code>org create --email</code>, then create a token.`
    : `Mail goes to SMTP_URL, not here, save test mail to others than the organization’s contact, which is not sent.`;
  return page(
    shell,
    "Inbox",
    `<div class="stack">
          <h1>Inbox</h1>
          <p class="quiet">Mail and SMS that would have been sent. The data folder keeps the newest 200; none leaves this machine.</p>
          <p class="quiet">Every test SMS, and test mail to others than the organization’s contact, is marked: nobody is ever sent it. Programs read it by <a href="/docs"><code>GET /api/v1/test-inbox</code></a>.</p>
        </div>
        ${items.length === 0 ? `<p class="card">${empty}</p>` : `<ul class="card mails">${items.join("")}\n        </ul>`}`,
  );
}

/** One mail: headers, its HTML in a frame without any rights, and its text. */
export function mailPage({ id, receivedAt, mail }: ReadMail, shell: Shell): string {
  const facts = [
    ["From", addresses(mail.from === undefined ? [] : [mail.from])],
    ["To", recipientOf(mail)],
    ["Message-ID", mail.messageId ?? ""],
  ].map(([name = "", value = ""]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`);
  const headers = mail.headers.map(({ originalKey, value }) => `${originalKey}: ${value}`).join("\n");
  const html = `<section class="stack">
          <h2>HTML</h2>
          <iframe sandbox="" src="/dev/inbox/${id}/html" title="The mail as HTML"></iframe>
        </section>`;
  return page(
    shell,
    subjectOf(mail),
    `<div class="stack">
          <p><a href="/dev/inbox">All mail</a></p>
          <h1>${escapeHtml(subjectOf(mail))}</h1>
          ${isSent(mail) ? "" : `<p>${notSentTag(mail)}</p>`}
        </div>
        <section class="card" aria-label="Headers">
          <dl class="facts">${facts.join("")}<div><dt>Received</dt><dd>${time(receivedAt)}</dd></div></dl>
        </section>
        ${mail.html === undefined ? "" : html}
        <section class="stack">
          <h2>Text</h2>
          ${mail.text === undefined ? `<p class="card">This mail has no text part.</p>` : `<pre tabindex="0" role="region" aria-label="Text of the mail">${escapeHtml(mail.text)}</pre>`}
        </section>
        <details class="card">
          <summary>All headers</summary>
          <pre tabindex="0" role="region" aria-label="Headers of the mail">${escapeHtml(headers)}</pre>
        </details>
        <p class="row"><a class="button" href="/dev/inbox/${id}/raw" download="${id}.eml">Download as .eml</a></p>`,
  );
}

/** The images inside a mail: other programs show them as `cid:`, but no address of a page leads there. */
export function withImages({ html = "", attachments }: Email): string {
  return attachments.reduce((shown, { contentId, mimeType, content }) => {
    if (contentId === undefined || !IMAGE.test(mimeType) || typeof content === "string") return shown;
    const data = `data:${mimeType};base64,${Buffer.from(new Uint8Array(content)).toString("base64")}`;
    return shown.replaceAll(`cid:${contentId.replace(/^<|>$/g, "")}`, data);
  }, html);
}

const NOT_SENT_TAG = `<span class="tag info">Test mail, not sent</span>`;

const notSentTag = (mail: Email): string =>
  numberOf(mail) === null ? NOT_SENT_TAG : NOT_SENT_TAG.replace("mail", "SMS");

function isSent({ headers }: Email): boolean {
  return headers.every(({ originalKey }) => originalKey !== NOT_SENT);
}

/** The addresses of a mail, or the number of an SMS. */
function recipientOf(mail: Email): string {
  const number = numberOf(mail);
  return number === null ? addresses(mail.to) : `${number} by SMS`;
}

const numberOf = ({ headers }: Email): string | null =>
  headers.find(({ originalKey }) => originalKey === SMS_TO)?.value ?? null;

function subjectOf({ subject }: Email): string {
  return subject?.trim() || "(no subject)";
}

function addresses(list: readonly Address[] | undefined): string {
  return (list ?? [])
    .map(({ name, address }) => [name, address && `<${address}>`].filter(Boolean).join(" "))
    .join(", ");
}

function time(instant: Date): string {
  const iso = instant.toISOString();
  return `<time class="small quiet" datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** Made by the server and without scripts: the content of mails cannot act here. The frame is that of the other pages. */
function page({ styleLinks, mark }: Shell, title: string, main: string): string {
  const links = [...styleLinks, '<link rel="stylesheet" href="/dev/inbox/style.css">'];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)} · Selo inbox</title>
    <link rel="icon" href="data:,">
    ${links.join("\n    ")}
  </head>
  <body>
    <a class="skip" href="#main">Skip to content</a>
    <header class="bar">
      <div class="page">
        <a class="brand" href="/">${mark} Selo <small>Development</small></a>
        <nav aria-label="Main">
          <ul>
            <li><a href="/dev/inbox" aria-current="page">Inbox</a></li>
            <li class="wide"><a href="/guides">Guides</a></li>
            <li class="wide"><a href="/docs">API</a></li>
          </ul>
        </nav>
      </div>
    </header>
    <main id="main" tabindex="-1">
      <div class="page inbox">
        ${main}
      </div>
    </main>
    <footer class="foot">
      <div class="page">
        <p>A development tool; production has no such page.</p>
      </div>
    </footer>
  </body>
</html>
`;
}
