import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../../app-error.ts";
import { operation } from "../parts.ts";
import { sessionDigest, signingSurface } from "../rest/signing-surface.ts";
import { CODE_FORM, isCode, openCode } from "./signing-codes.ts";

const tried = z.object({ code_id: z.uuid(), tries_left: z.int(), enciphered_code: z.base64() }).nullable();

/**
 * Opens a session for the right code. A try is counted in a transaction of its own before the codes are compared, so however many requests
 * come at once, at most five are compared with a code. The session itself is opened in a second transaction, which uses the code up.
 */
export const openSigningSession = operation({
  name: "openSigningSession",
  command: "prepare_signing_session",
  records: "open_signing_session",
  input: z.object({
    code: z.string().regex(CODE_FORM, "must be 6 digits").meta({ description: "The six digits of the newest mail." }),
  }),
  answers: { schema: "SigningSession" },
  errors: ["not_your_turn", "conflict", "link_locked", "wrong_code"],
  rest: {
    surface: signingSurface,
    method: "POST",
    path: "/{participant_id}/session",
    status: 200,
    tag: "Signing",
    summary: "Open a session with the one-time code",
    description:
      "The session lives for 60 minutes. Requests send its token as `X-Signing-Session`. A wrong code answers 422 `wrong_code`, and the message says how many tries are left.",
  },
  run: async ({ call, prepared, parts, requester }, { participant_id, code }) =>
    prepared("prepare_signing_session", { participant_id }, async () => {
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
      const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
      const open = tried.parse(await apart("count_code_try", {}));
      if (open === null) throw wrongCode("There is no code that can be tried. Ask for a new code.");
      const { code_id, tries_left, enciphered_code } = open;
      if (!isCode(code, openCode(dataKey, enciphered_code, code_id))) {
        await apart("refuse_code", { code_id });
        throw wrongCode(
          tries_left === 0
            ? "The code is wrong, and no tries are left. Ask for a new code."
            : `The code is wrong; ${tries_left} ${tries_left === 1 ? "try is" : "tries are"} left.`,
        );
      }
      const token = randomBytes(32).toString("base64url");
      const opened = await call("open_signing_session", {
        participant_id,
        code_id,
        token_sha256: sessionDigest(token),
      });
      if (opened.replayed || opened.body === null) return opened;
      return { ...opened, body: JSON.stringify({ token, ...(JSON.parse(opened.body) as object) }) };
    }),
});

const wrongCode = (message: string) =>
  new AppError(422, "wrong_code", message, [{ field: "code", message: "is wrong" }]);
