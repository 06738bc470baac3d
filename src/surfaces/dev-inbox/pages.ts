import type { Address, Email } from "postal-mime";
import { escapeHtml } from "../http/escape-html.ts";
import type { KeptMail } from "./inbox.ts";

/** A kept mail with its parsed content. */
export interface ReadMail extends KeptMail {
  readonly mail: Email;
}

/** Every mail with its subject, newest first. */
export function listPage(mails: readonly ReadMail[], isCaught: boolean): string {
  const items = mails.map(
    ({ id, receivedAt, mail }) => `
      <li>
        <a href="/dev/inbox/${id}">${escapeHtml(subjectOf(mail))}</a>
        <span class="hint">to ${escapeHtml(addresses(mail.to))}</span>
        ${time(receivedAt)}
      </li>`,
  );
  const empty = isCaught
    ? `No mail yet. Mail of this deployment arrives here: give an organization a contact with <code>org create --email</code>, then create a token.`
    : `Mail goes to SMTP_URL, not here.`;
  return page(
    "Inbox",
    `<section class="intro compact">
      <h1>Inbox</h1>
      <p class="lead">Mail that would have been sent. The data folder keeps the newest 200 mails; no mail leaves this machine.</p>
    </section>
    ${items.length === 0 ? `<p class="card">${empty}</p>` : `<ul class="card mails">${items.join("")}</ul>`}`,
  );
}

/** One mail: headers, text, and its HTML in a frame without any rights. */
export function mailPage({ id, receivedAt, mail }: ReadMail): string {
  const facts = [
    ["From", addresses(mail.from === undefined ? [] : [mail.from])],
    ["To", addresses(mail.to)],
    ["Message-ID", mail.messageId ?? ""],
  ].map(([name = "", value = ""]) => `<div><dt>${name}</dt><dd class="wrap">${escapeHtml(value)}</dd></div>`);
  const headers = mail.headers.map(({ originalKey, value }) => `${originalKey}: ${value}`).join("\n");
  return page(
    subjectOf(mail),
    `<p><a href="/dev/inbox">All mail</a></p>
    <section class="intro compact">
      <h1 class="wrap">${escapeHtml(subjectOf(mail))}</h1>
    </section>
    <section class="card"><dl class="facts">${facts.join("")}<div><dt>Received</dt><dd>${time(receivedAt)}</dd></div></dl></section>
    <section>
      <h2>Text</h2>
      ${mail.text === undefined ? `<p class="card">This mail has no text part.</p>` : `<pre class="card" tabindex="0" aria-label="Text of the mail">${escapeHtml(mail.text)}</pre>`}
    </section>
    ${
      mail.html === undefined
        ? ""
        : `<section>
      <h2>HTML</h2>
      <iframe class="card" sandbox="" src="/dev/inbox/${id}/html" title="The mail as HTML"></iframe>
    </section>`
    }
    <details class="card">
      <summary>All headers</summary>
      <pre tabindex="0" aria-label="Headers of the mail">${escapeHtml(headers)}</pre>
    </details>
    <p class="actions"><a class="button" href="/dev/inbox/${id}/raw" download="${id}.eml">Download as .eml</a></p>`,
  );
}

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
  return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** Made by the server and without scripts: the content of mails cannot act here. */
function page(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)} · Selo inbox</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/dev/inbox/style.css">
  </head>
  <body>
    <div id="app">
      <a class="skip" href="#main">Skip to content</a>
      <header class="site"><a class="brand" href="/">Selo</a><a href="/dev/inbox">Inbox</a></header>
      <main id="main" tabindex="-1">
        ${main}
      </main>
      <footer class="site"><p>A development tool; production has no such page.</p></footer>
    </div>
  </body>
</html>
`;
}
