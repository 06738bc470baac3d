import { setTimeout as wait } from "node:timers/promises";
import { operation } from "../parts.ts";
import { signingSurface } from "./signing-surface.ts";

/** Milliseconds that each answer takes at least: longer than writing the mail takes, so the time tells nobody whether there is such a participant. */
const LEAST_MS = 100;

/** Mails the link anew, for a participant whose mail program cut its secret off. */
export const mailSigningLink = operation({
  name: "mailSigningLink",
  command: "mail_signing_link",
  answers: { nothing: "The link is mailed if the participant exists and it is the participant's turn." },
  rest: {
    surface: signingSurface,
    method: "POST",
    path: "/{participant_id}/link",
    status: 202,
    tag: "Signing",
    summary: "Mail the link again",
    description:
      "For a link whose part after `#` was cut off. The answer is the same whether or not such a participant exists. The link is mailed to the participant's own address, at most three times an hour.",
  },
  run: async ({ call }, { participant_id }) => {
    const [answer] = await Promise.all([call("mail_signing_link", { participant_id }, 202), wait(LEAST_MS)]);
    return { ...answer, body: null };
  },
});
