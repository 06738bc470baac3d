import { createPrivateKey } from "node:crypto";
import { createTransport } from "nodemailer";
import { isOneAddress, MailError, type MailMessage, type MailSender } from "./mail-sender.ts";
import { mimeFields, WITHOUT_FILES } from "./mime-fields.ts";

export interface SmtpSettings {
  /** smtp:// or smtps://, with credentials if the server needs them. */
  readonly url: string;
  readonly from: { readonly name: string; readonly address: string };
  /** Signs every mail (RFC 6376); null if the server signs, or if nobody does. */
  readonly dkim: { readonly domain: string; readonly selector: string; readonly privateKey: string } | null;
}

const CONNECT_MS = 5_000;
/** Time-out of one mail, from the look-up of the server's name to its last answer. */
const WHOLE_MS = 30_000;

/** Commands whose refusal concerns this mail, so the server would refuse it again. Refusals of other commands concern us or the moment. */
const ABOUT_THE_MAIL = ["MAIL FROM", "RCPT TO", "DATA"];

/** Sends by SMTP, one connection for each mail. With credentials it requires TLS, except on this machine. */
export class SmtpSender implements MailSender {
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #from: SmtpSettings["from"];

  /**
   * @param connectMs how long a server may take to be found, to accept a connection and to greet; given by tests alone
   * @throws Error if the DKIM key is not a private key
   */
  constructor({ url, from, dkim }: SmtpSettings, connectMs = CONNECT_MS) {
    if (dkim !== null) createPrivateKey(dkim.privateKey);
    this.#from = from;
    const { username, protocol, hostname } = new URL(url);
    const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
    this.#transport = createTransport({
      url,
      requireTLS: protocol === "smtp:" && username !== "" && !isHere,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: WHOLE_MS,
      dnsTimeout: connectMs,
      ...WITHOUT_FILES,
      ...(dkim === null
        ? {}
        : { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
    });
  }

  async send(message: MailMessage): Promise<void> {
    const { recipient, replyTo } = message;
    if (!isOneAddress(recipient)) throw new MailError("the recipient is not an e-mail address", true);
    if (replyTo !== null && !isOneAddress(replyTo)) throw new MailError("Reply-To is not an e-mail address", true);
    const mail = {
      ...mimeFields(message, this.#from),
      // Given apart from the headers, so that no address is parsed from headers.
      envelope: { from: this.#from.address, to: [recipient] },
      // Missing in the type declaration. The signal also ends the connection.
      signal: AbortSignal.timeout(WHOLE_MS),
    };
    try {
      await this.#transport.sendMail(mail);
    } catch (error) {
      throw mailError(error);
    }
  }
}

/** The outcome in codes. The library's error is not kept as cause, because it holds addresses and the server's words. */
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
  // 530 asks for credentials or TLS, after any command.
  const aboutTheMail = ABOUT_THE_MAIL.includes(command ?? "") && responseCode !== 530;
  return new MailError(message, aboutTheMail && responseCode >= 500);
}
