import type { Refusal } from "../refusals.ts";

/** The signer's certificate is refused. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly reason: Refusal;

  constructor(reason: Refusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
