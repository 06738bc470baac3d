import { z } from "zod";
import { newId } from "../../../adapters/crypto/new-id.ts";
import { AppError, invalidRequest } from "../../../errors/app-error.ts";
import type { Answer } from "../../../postgres/call.ts";
import type { DataKey } from "../documents/data-key.ts";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import { operation } from "../parts.ts";
import { countAttempt } from "./count-attempt.ts";
import { CODE_FORM, codeDigest, sessionToken } from "./signing-codes.ts";
import { sessionDigest, signingSurface } from "./signing-surface.ts";

const asked = z.object({ asks_code: z.boolean(), link_version: z.int() });
const tried = z.object({ code_id: z.uuid(), tries_left: z.int() }).nullable();
const refused = z.object({ tries_left: z.int(), environment: z.enum(["live", "test"]) }).nullable();

/**
 * Opens a session for the right code. A try is counted in its own transaction before the codes are compared, so however many requests
 * come at once, at most five are compared with a code. SQL compares: it knows a digest of the code under the data key. The session is opened in a
 * second transaction, which uses the code up. The link alone opens the session of a participant who signs with a certificate: that is what authenticates.
 */
export const openSigningSession = operation({
  name: "openSigningSession",
  command: "prepare_signing_session",
  records: "open_signing_session",
  input: z.object({
    code: z.string().regex(CODE_FORM, "must be 6 digits").nullish().meta({
      description:
        "The six digits of the newest code. Required, except for a participant who signs with a certificate.",
    }),
  }),
  answers: { schema: "SigningSession" },
  errors: ["not_your_turn", "conflict", "link_locked", "wrong_code"],
  rest: {
    surface: signingSurface,
    method: "POST",
    path: "/{participant_id}/session",
    status: 200,
    tag: "Signing",
    summary: "Open a session",

    description:
      "The session lasts 60 minutes. Requests send its token as `X-Signing-Session`. A wrong code returns 422 `wrong_code`, and `tries_left` says how many are left. A participant who signs with a certificate (`steps` of `GET /{participant_id}`) needs no code. A request that is repeated with its `Idempotency-Key` gets the same answer.",
  },
  run: async (work, { participant_id, code }) => {
    const { call, parts, requester } = work;
    const { credentialHash, origin } = requester;
    // Without the Idempotency-Key of the request: each request counts.
    const apart = async (command: "count_code_try" | "refuse_code", given: object) => {
      const { body } = await parts.database.call({
        credentialHash,
        origin,
        command,
        arguments: { participant_id, ...given },
      });
      return JSON.parse(body ?? "null") as unknown;
    };
    /** A kept answer has no token: it is made again for a repeated request. */
    const withToken = (dataKey: DataKey, answer: Answer): Answer => {
      const { code_id, ...members } = JSON.parse(answer.body ?? "null") as { readonly code_id: string };
      return { ...answer, body: JSON.stringify({ token: sessionToken(dataKey, code_id), ...members }) };
    };
    const prepare = () => call("prepare_signing_session", { participant_id });
    return endingOverdue(work, { command: "end_overdue_signing", participant_id }, async () => {
      const prepared = await prepare();
      const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
      if (prepared.replayed) return withToken(dataKey, prepared);
      const { asks_code, link_version } = asked.parse(JSON.parse(prepared.body ?? "null"));
      if (!asks_code) {
        // Each is a row.
        await countAttempt(parts.database, "session", { participant_id, link_version });
        const session_id = newId();
        const token_sha256 = sessionDigest(sessionToken(dataKey, session_id));
        return withToken(dataKey, await call("open_signing_session", { participant_id, session_id, token_sha256 }));
      }
      if (code == null) throw invalidRequest([{ field: "code", message: "is required" }]);
      const open = tried.parse(await apart("count_code_try", {}));
      if (open === null) {
        // The same request may have opened its session meanwhile.
        const again = await prepare();
        if (again.replayed) return withToken(dataKey, again);
        throw wrongCode(0, "There is no code that can be tried. Ask for a new code.");
      }
      const { code_id, tries_left } = open;
      const code_digest = codeDigest(dataKey, code, code_id);
      const token_sha256 = sessionDigest(sessionToken(dataKey, code_id));
      try {
        const given = { participant_id, code_id, code_digest, token_sha256 };
        return withToken(dataKey, await call("open_signing_session", given));
      } catch (error) {
        // A try that was counted is recorded, also when another one locked the link meanwhile.
        if (!(error instanceof AppError) || !["wrong_code", "link_locked"].includes(error.code)) throw error;
        // Null for the right code, which was used or replaced meanwhile.
        const wrong = refused.parse(await apart("refuse_code", { code_id, code_digest }));
        if (wrong === null) throw error;
        parts.signatureMetrics.codeWrong(wrong.environment);
        if (error.code === "link_locked") throw error;
        throw wrongCode(
          tries_left,
          tries_left === 0
            ? "The code is wrong, and no tries are left. Ask for a new code."
            : `The code is wrong; ${tries_left} ${tries_left === 1 ? "try is" : "tries are"} left.`,
        );
      }
    });
  },
});

const wrongCode = (tries_left: number, message: string) =>
  new AppError(422, "wrong_code", message, [{ field: "code", message: "is wrong" }], { facts: { tries_left } });
