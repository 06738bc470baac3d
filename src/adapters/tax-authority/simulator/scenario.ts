import { z } from "zod";

const authorityError = z.strictObject({
  code: z.string().min(1).max(20),
  message: z.string().max(1000).default("Recusado pelo simulador"),
  complement: z.string().max(1000).optional(),
});

/** What one request meets in place of the ordinary answer. */
const incident = z.discriminatedUnion("kind", [
  /** The ordinary answer: a place in the queue. */
  z.strictObject({ kind: z.literal("pass") }),
  /** A refusal with errors, before anything is stored. */
  z.strictObject({
    kind: z.literal("reject"),
    errors: z.array(authorityError).min(1).max(20),
    status: z.int().min(400).max(499).default(400),
  }),
  /** 500 with an error, before anything is stored. */
  z.strictObject({ kind: z.literal("error_before") }),
  /** 500 with an error, although the document is stored. */
  z.strictObject({ kind: z.literal("error_after") }),
  /** A status without errors, before anything is stored. */
  z.strictObject({
    kind: z.literal("status"),
    status: z.int().min(300).max(599),
    retry_after: z.string().max(40).optional(),
  }),
  /** 403 without errors, as a proxy before the tax authority answers. */
  z.strictObject({ kind: z.literal("forbidden") }),
  /** The ordinary answer, later. */
  z.strictObject({ kind: z.literal("delay"), ms: z.int().min(0).max(600_000) }),
  z.strictObject({ kind: z.literal("drop_before") }),
  /** The connection ends after the document is stored. */
  z.strictObject({ kind: z.literal("drop_after") }),
  /** The connection ends after the document is stored, in the middle of the answer. */
  z.strictObject({ kind: z.literal("drop_halfway") }),
  /** A good status, after the document is stored, with a body that is no JSON. */
  z.strictObject({ kind: z.literal("garbage") }),
  /** The ordinary answer byte by byte, one in each interval. */
  z.strictObject({ kind: z.literal("slow_drip"), ms: z.int().min(1).max(10_000).default(1000) }),
  /** After the document is stored: a small answer that inflates to 64 MiB. */
  z.strictObject({ kind: z.literal("gzip_bomb") }),
  /** The document is stored; the answer has it signed by somebody else. */
  z.strictObject({ kind: z.literal("wrong_signer") }),
  /** The document is stored; the answer has another description of the service, soundly signed. */
  z.strictObject({ kind: z.literal("altered_dps") }),
  /** Somebody else cancelled the NFS-e: the event is stored, and the answer is E0840. */
  z.strictObject({ kind: z.literal("already_canceled") }),
]);

/** Schema of what the control port's POST /scenario takes: it replaces the steps of the issuer, or of all issuers without steps of their own. */
export const scenario = z.strictObject({
  /** CNPJ of the client's certificate. */
  issuer: z.string().max(14).optional(),
  next: z
    // `on`: which requests meet the step.
    .array(z.looseObject({ on: z.enum(["write", "read", "any"]).default("write") }))
    .max(1000)
    .transform((steps, context) =>
      steps.flatMap(({ on, ...given }) => {
        const { data, error } = incident.safeParse(given);
        if (data !== undefined) return [{ ...data, on }];
        context.addIssue({ code: "custom", message: error?.message ?? "not a step" });
        return [];
      }),
    ),
});

export type Incident = z.output<typeof incident>;
export type ScenarioInput = z.input<typeof scenario>;
type Step = Incident & { readonly on: "write" | "read" | "any" };

/** The steps that wait, for each issuer and for all others. */
export class Scenarios {
  readonly #steps = new Map<string, Step[]>();

  set(given: z.output<typeof scenario>): void {
    this.#steps.set(given.issuer ?? "", given.next);
  }

  /** What a request meets; a step is used once. */
  take(issuer: string, isWrite: boolean): Incident {
    for (const key of [issuer, ""]) {
      const steps = this.#steps.get(key) ?? [];
      const first = steps[0];
      if (first === undefined || (first.on !== "any" && (first.on === "write") !== isWrite)) continue;
      steps.shift();
      return first;
    }
    return { kind: "pass" };
  }
}
