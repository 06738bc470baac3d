/** An image inside a mail, so that showing the mail asks no server for anything. */
export interface MailImage {
  /** Its Content-ID without angle brackets: the HTML shows it as `cid:…`. */
  readonly cid: string;
  /** The name of the file for programs that list images as attachments. */
  readonly name: string;
  /** Its media type. */
  readonly type: string;
  readonly content: Buffer;
}

/** One mail to one recipient. */
export interface MailMessage {
  /** Without angle brackets; the same for every attempt to send the mail. */
  readonly messageId: string;
  readonly date: Date;
  readonly recipient: string;
  /** The name that stands before the sender's address; null for the one that the deployment has configured. */
  readonly senderName: string | null;
  /** The address that replies go to; null for the sender's own. */
  readonly replyTo: string | null;
  /** Language tag of the text. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The images that the HTML shows. */
  readonly images: readonly MailImage[];
}

/** One mailbox of RFC 5321 without quoting: it can contain no second mailbox and end no header. */
const ONE_ADDRESS = /^[^\s\p{Cc}<>()[\]"\\,;:@]+@[^\s\p{Cc}<>()[\]"\\,;:@]+$/u;

export const isOneAddress = (text: string): boolean => ONE_ADDRESS.test(text);

/** Hands mails to the server that delivers them. */
export interface MailSender {
  /**
   * Resolves once another server has taken responsibility for the mail.
   * @throws MailError
   */
  send(message: MailMessage): Promise<void>;
}

/** A mail that was not accepted. The message holds only codes, because mail servers repeat addresses in their answers. */
export class MailError extends Error {
  override readonly name = "MailError";
  /** True if the server would refuse this mail again; false if another attempt makes sense. */
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean) {
    super(message);
    this.permanent = permanent;
  }
}
