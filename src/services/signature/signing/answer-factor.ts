import { z } from "zod";
import { ProviderFailed } from "../../../adapters/identity/contracts.ts";
import { AppError, invalidRequest } from "../../../errors/app-error.ts";
import type { DataKey } from "../documents/data-key.ts";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import { digitsOf, numberDigest, personalNumbers } from "../envelopes/personal-numbers.ts";
import { operation } from "../parts.ts";
import { countAttempt } from "./count-attempt.ts";
import type { FactorProviders } from "./factor-providers.ts";
import {
  callsApart,
  nothingOpen,
  type PreparedFactor,
  personOf,
  preparedFactor,
  provenDigest,
  providerRefusal,
  required,
} from "./factors.ts";
import { withoutNews } from "./signing-news.ts";
import { signingSurface } from "./signing-surface.ts";

const tried = z.object({ factor_id: z.uuid(), reference: z.string().nullable(), tries_left: z.int() }).nullable();
const refused = z.object({ tries_left: z.int(), environment: z.enum(["live", "test"]) }).nullable();

const TEXT = z.string().min(1, "must not be empty").max(200, "must have at most 200 characters");
const answers = z
  .record(z.string().max(100, "must have keys of at most 100 characters"), TEXT)
  .refine((given) => Object.keys(given).length <= 10, "must have at most 10 answers");

interface Given {
  readonly cpf?: string | null | undefined;
  readonly answers?: Readonly<Record<string, string>> | null | undefined;
}
type Try = NonNullable<z.output<typeof tried>>;
/** The digest that passes, and what the provider calls the try. Null for a wrong answer. */
type Outcome = { readonly digest: string; readonly reference?: string } | null;

/** The member of the input that each method takes, and what its refusal says. */
const METHODS = {
  cpf: { member: "cpf", wrong: "The CPF is not that of the request" },
  kba: { member: "answers", wrong: "The answers were not enough" },
  identity_match: { member: null, wrong: "The provider knows no such person by this name and number" },
} as const;

/**
 * Passes the second factor of a session. A try is counted in its own transaction before anything is compared, as a try of a code is. SQL compares
 * digests under the data key. No row, no log and no Idempotency-Key keeps what is answered.
 */
export const answerSigningFactor = operation({
  name: "answerSigningFactor",
  command: "prepare_factor",
  records: "pass_factor",
  isKeyless: true,
  made: ["session_sha256"],
  input: z.object({
    cpf: personalNumbers.cpf.meta({ description: "Required for `cpf`: the CPF of the participant." }),
    answers: answers.nullish().meta({
      description: "Required for `kba`: a choice for each question of `GET /{participant_id}/factor`, by its id.",
    }),
  }),
  answers: { schema: "SigningFactor" },
  errors: ["session_expired", "not_your_turn", "conflict", "link_locked", "wrong_answer", "unavailable"],
  rest: {
    surface: signingSurface,
    method: "POST",
    path: "/{participant_id}/factor",
    status: 200,
    tag: "Signing",
    summary: "Pass the second factor",
    description:
      "For a session whose `next` is a second factor: `cpf` takes `cpf`, `kba` takes `answers`, and for `identity_match` a provider compares name and number that the sender gave. Until then, the other paths return 403 `factor_required`. A wrong answer returns 422 `wrong_answer`, and `tries_left` says how many are left: a link has five of `cpf`, two rounds of questions, one comparison. Once they are used up, the link is locked until the sender reminds the participant. A provider that fails returns 503 `unavailable` and costs no try, ten times for one link. What is answered is kept nowhere, so this path takes no Idempotency-Key: a session that has passed gets the same answer again.",
  },
  run: async (work, { participant_id, ...given }) => {
    const { call, parts, requester } = work;
    const apart = callsApart(work, participant_id);
    const answer = await endingOverdue(work, { command: "end_overdue_signing", participant_id }, async () => {
      const prepared = await call("prepare_factor", { participant_id });
      const factor = preparedFactor.parse(JSON.parse(prepared.body ?? "null"));
      if (factor.has_passed) return { ...prepared, body: JSON.stringify({ next: null }) };
      const { member, wrong } = METHODS[factor.method];
      if (member !== null && given[member] == null) throw invalidRequest([{ field: member, message: "is required" }]);
      // A provider that fails costs no try, ten times.
      if (factor.method !== "cpf") await countAttempt(parts.database, "provider", factor);
      const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
      const open = tried.parse(await apart("count_factor_try"));
      if (open === null) throw nothingOpen("There is no question to answer, or another answer is being compared.");
      const { factor_id } = open;
      const outcome = await outcomeOf(parts.factorProviders, dataKey, factor, open, given).catch(
        async (error: unknown) => {
          if (error instanceof ProviderFailed || error instanceof AppError)
            await apart("refuse_factor", { factor_id, gives_back: true });
          throw providerRefusal(error);
        },
      );
      try {
        if (outcome !== null) return await call("pass_factor", { participant_id, factor_id, ...outcome });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "wrong_answer") throw error;
      }
      const refusal = refused.parse(await apart("refuse_factor", { factor_id }));
      throw wrongAnswer(wrong, refusal?.tries_left ?? open.tries_left, member);
    });
    return withoutNews(answer, () => {});
  },
});

/** The digest that SQL compares: of the number that was typed or, once a provider has judged, of the number that it was asked about. */
async function outcomeOf(
  providers: FactorProviders,
  dataKey: DataKey,
  factor: PreparedFactor,
  { factor_id, reference }: Try,
  { cpf, answers }: Given,
): Promise<Outcome> {
  const { questions, match } = providers.of(factor.environment);
  switch (factor.method) {
    case "cpf":
      return { digest: numberDigest(dataKey, "cpf", digitsOf(cpf ?? ""), factor.participant_id) };
    case "kba": {
      const passed = await required(questions).judge(factor_id, { reference: reference ?? "" }, answers ?? {});
      return passed ? { digest: provenDigest(dataKey, factor) } : null;
    }
    case "identity_match": {
      const matched = await required(match).match(factor_id, personOf(dataKey, factor));
      return matched.match ? { digest: provenDigest(dataKey, factor), reference: matched.reference } : null;
    }
  }
}

function wrongAnswer(what: string, left: number, member: string | null): AppError {
  const rest =
    left <= 0
      ? ", and no tries are left. Ask the sender to remind you: the new mail has a new link."
      : `; ${left} ${left === 1 ? "try is" : "tries are"} left.`;
  const fields = [{ field: member ?? "name", message: "is wrong" }];
  return new AppError(422, "wrong_answer", what + rest, fields, { facts: { tries_left: Math.max(0, left) } });
}
