import { z } from "zod";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import { operation } from "../parts.ts";
import { countAttempt } from "./count-attempt.ts";
import { callsApart, nothingOpen, personOf, preparedFactor, providerRefusal, required } from "./factors.ts";
import { signingSurface } from "./signing-surface.ts";

const opened = z.object({ factor_id: z.uuid(), tries_left: z.int() }).nullable();

/** What the second factor of a session asks for. The questions come from the provider each time, under the id of the same try, and are kept nowhere. */
export const readSigningFactor = operation({
  name: "readSigningFactor",
  command: "prepare_factor",
  made: ["session_sha256"],
  answers: { schema: "SigningQuestions" },
  errors: ["not_found", "session_expired", "not_your_turn", "conflict", "link_locked", "unavailable"],
  rest: {
    surface: signingSurface,
    method: "GET",
    path: "/{participant_id}/factor",
    status: 200,
    tag: "Signing",
    summary: "Read what the second factor asks",
    description:
      "For a session whose `next` is a second factor. `questions` is null unless that is `kba`, whose questions a provider asks: they stay the same until they are answered. Returns 503 `unavailable` while the provider does not answer.",
  },
  run: async (work, { participant_id }) =>
    endingOverdue(work, { command: "end_overdue_signing", participant_id }, async () => {
      const { call, parts, requester } = work;
      const prepared = await call("prepare_factor", { participant_id });
      const factor = preparedFactor.parse(JSON.parse(prepared.body ?? "null"));
      const { has_passed, method, environment, tries_left } = factor;
      const answer = (body: object) => ({ ...prepared, body: JSON.stringify(body) });
      if (has_passed) return answer({ next: null, tries_left, questions: null });
      if (method !== "kba") return answer({ next: method, tries_left, questions: null });
      const provider = required(parts.factorProviders.of(environment).questions);
      await countAttempt(parts.database, "provider", factor);
      const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
      const apart = callsApart(work, participant_id);
      const open = opened.parse(await apart("open_factor"));
      if (open === null) throw nothingOpen("The last answers are being judged. Try again in a moment.");
      const { factor_id } = open;
      const asked = await provider.ask(factor_id, personOf(dataKey, factor)).catch((error: unknown) => {
        throw providerRefusal(error);
      });
      await apart("open_factor", { factor_id, reference: asked.reference });
      return answer({ next: method, tries_left: open.tries_left, questions: asked.questions });
    }),
});
