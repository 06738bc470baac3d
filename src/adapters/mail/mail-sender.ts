/** One mail to one recipient. */
export interface MailMessage {
  /** Without angle brackets; the same for every attempt to send the mail. */
  readonly messageId: string;
  readonly date: Date;
  readonly recipient: string;
  /** Language tag of the text. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

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
