import { newId } from "../../../adapters/crypto/new-id.ts";
import { AppError } from "../../../errors/app-error.ts";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import { operation } from "../parts.ts";
import { newCode, sealCode } from "./signing-codes.ts";
import { withoutNews } from "./signing-news.ts";
import { signingSurface } from "./signing-surface.ts";

/** Sends a one-time code, by mail or SMS. The database gets it encrypted, and the job that composes the message opens it. */
export const sendSigningCode = operation({
  name: "sendSigningCode",
  command: "send_signing_code",
  made: ["code_id", "enciphered_code"],
  answers: { schema: "SigningCode" },
  errors: ["not_your_turn", "conflict", "link_locked"],
  rest: {
    surface: signingSurface,
    method: "POST",
    path: "/{participant_id}/code",
    status: 202,
    tag: "Signing",
    summary: "Send a one-time code to the participant",
    description:
      "The code goes by SMS with `auth_method` otp_sms, and by mail otherwise. It is valid for 10 minutes and 5 tries. It replaces the previous code. At most 5 codes are sent within an hour, and within a day at most 20 by SMS, and 200 for all participants of an envelope. Fifteen wrong tries lock the link.",
  },
  run: async (work, { participant_id }) => {
    const { call, parts, requester } = work;
    const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
    const code_id = newId();
    const enciphered_code = sealCode(dataKey, newCode(), code_id);
    try {
      const act = () => call("send_signing_code", { participant_id, code_id, enciphered_code }, 202);
      const sent = await endingOverdue(work, { command: "end_overdue_signing", participant_id }, act);
      return withoutNews(sent, parts.signatureMetrics.codeMailed);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "rate_limited") throw error;
      const { body } = await call("wait_for_signing_code", { participant_id });
      const { seconds } = JSON.parse(body ?? "{}") as { readonly seconds: number };
      throw new AppError(429, "rate_limited", error.message, undefined, { retryAfterSeconds: seconds });
    }
  },
});
