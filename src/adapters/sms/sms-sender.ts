/** One SMS to one number. */
export interface SmsMessage {
  /** The same for every attempt: the service sends a message that it gets twice once. */
  readonly id: string;
  /** E.164, such as +5511987654321. */
  readonly to: string;
  /** One message of the GSM alphabet: see gsm-text.ts. */
  readonly text: string;
}

/** Hands SMS to the service that sends them. */
export interface SmsSender {
  /**
   * Resolves once the service has taken responsibility for the message.
   * @throws SmsError
   */
  send(message: SmsMessage): Promise<void>;
}

/** A message that was not accepted. Its text holds only codes, because services repeat numbers in their answers. */
export class SmsError extends Error {
  override readonly name = "SmsError";
  /** True if the service would refuse this message again; false if another attempt makes sense. */
  readonly permanent: boolean;

  constructor(message: string, permanent: boolean) {
    super(message);
    this.permanent = permanent;
  }
}
