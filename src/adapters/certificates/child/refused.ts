import type { Refusal } from "../refusals.ts";

/** The file cannot be used. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}
