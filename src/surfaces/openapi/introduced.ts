/** What the introduction of an API description says of a service. */
export interface Introduced {
  /** What it offers on the main surface, as the first sentence of the description lists it. */
  readonly offers?: readonly string[];
  /** How its lists differ from all other lists. */
  readonly listRules?: string;
}
