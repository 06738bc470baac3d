import { createPrivateKey } from "node:crypto";
import { createTransport } from "nodemailer";
import { MailError, type MailMessage, type MailSender } from "./mail-sender.ts";

export interface SmtpSettings {
  /** smtp:// or smtps://, with credentials if the server wants any. */
  readonly url: string;
  readonly from: { readonly name: string; readonly address: string };
  /** Signs every mail (RFC 6376); null for a server that does so itself, or none. */
  readonly dkim: { readonly domain: string; readonly selector: string; readonly privateKey: string } | null;
}

const CONNECT_MS = 5_000;
/** Of one mail, from the look-up of the server's name to its last answer. */
const WHOLE_MS = 30_000;

/** One mailbox as RFC 5321 has it, without quoting: nothing in it can be taken for a second one, or end a header. */
const ONE_ADDRESS = /^[^\s\p{Cc}<>()[\]"\\,;:@]+@[^\s\p{Cc}<>()[\]"\\,;:@]+$/u;
/** What a mail server refuses about this mail: asked again, it says the same. Other commands are about us, or about now. */
const ABOUT_THE_MAIL = ["MAIL FROM", "RCPT TO", "DATA"];

/** Sends by SMTP, over one connection a mail. With credentials it insists on TLS, save on this very machine. */
export class SmtpSender implements MailSender {
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #from: SmtpSettings["from"];

  /** @throws when the DKIM key is no private key */
  constructor({ url, from, dkim }: SmtpSettings) {
    if (dkim !== null) createPrivateKey(dkim.privateKey);
    this.#from = from;
    const { username, protocol, hostname } = new URL(url);
    const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
    this.#transport = createTransport({
      url,
      requireTLS: protocol === "smtp:" && username !== "" && !isHere,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: WHOLE_MS,
      dnsTimeout: CONNECT_MS,
      // A message is text of ours; nothing in it names a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(dkim === null
        ? {}
        : { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
    });
  }

  async send({ messageId, date, recipient, language, subject, text, html }: MailMessage): Promise<void> {
    if (!ONE_ADDRESS.test(recipient)) throw new MailError("the recipient is not an e-mail address", true);
    const mail = {
      from: { ...this.#from },
      to: { name: "", address: recipient },
      // Said apart from the headers, so that nothing is ever parsed out of them.
      envelope: { from: this.#from.address, to: [recipient] },
      subject,
      text,
      html,
      date,
      messageId: `<${messageId}>`,
      // RFC 3834: nobody's holiday notice answers it.
      headers: { "Auto-Submitted": "auto-generated", "Content-Language": language },
      // Missing in the declaration; ends the connection as well.
      signal: AbortSignal.timeout(WHOLE_MS),
    };
    try {
      await this.#transport.sendMail(mail);
    } catch (error) {
      throw mailError(error);
    }
  }
}

/** What became of it, in codes. No cause: the library's errors hold addresses, and the server's words. */
function mailError(error: unknown): MailError {
  const { code, command, responseCode, response } = error as {
    code?: string;
    command?: string;
    responseCode?: number;
    response?: string;
  };
  if (responseCode === undefined) return new MailError(`the mail server was not reached (${code ?? "unknown"})`, false);
  const [, enhanced] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "") ?? [];
  const message = [responseCode, enhanced, "to", command].filter((part) => part !== undefined).join(" ");
  // 530 asks for credentials or TLS, wherever it is said.
  const aboutTheMail = ABOUT_THE_MAIL.includes(command ?? "") && responseCode !== 530;
  return new MailError(message, aboutTheMail && responseCode >= 500);
}
