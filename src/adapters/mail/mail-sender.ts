/** One mail to one recipient. */
export interface MailMessage {
  /** Without the angle brackets; the same for every attempt to send it. */
  readonly messageId: string;
  readonly date: Date;
  readonly recipient: string;
  /** Language tag of what it says. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Hands mails to the server that delivers them. */
export interface MailSender {
  /**
   * Resolves once somebody else answers for the mail.
   * @throws MailError
   */
  send(message: MailMessage): Promise<void>;
}

/** A mail that was not taken. The message holds codes only: what a mail server says repeats addresses. */
export class MailError extends Error {
  override readonly name = "MailError";
  /** Whether this mail would be refused again; otherwise it is worth another try. */
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean) {
    super(message);
    this.permanent = permanent;
  }
}
