import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { networkOf } from "../../../adapters/ip-addresses.ts";
import { accountsSurface } from "../accounts-surface.ts";
import { operation } from "../parts.ts";
import { attemptAnswer } from "./attempt-answers.ts";
import { linkSha256, mailedLinkSecret } from "./password-link.ts";

/** Milliseconds that each answer takes at least: longer than the database takes, so the time tells nobody whether somebody has the address. */
const LEAST_MS = 100;

/** Mails a link with which a person sets another password. */
export const requestPasswordReset = operation({
  name: "requestPasswordReset",
  command: "request_password_reset",
  made: ["network", "link_id", "link_sha256"],
  answers: { schema: "PasswordReset" },
  errors: ["csrf", "too_many_attempts"],
  rest: {
    surface: accountsSurface,
    method: "POST",
    path: "/password-reset",
    status: 202,
    tag: "Signing in",
    summary: "Ask for a link that sets another password",
    description:
      "The answer is the same whether or not somebody has the address. A person who belongs to an organization gets a mail with a link, which is good for an hour and once. The newest link counts. After five requests with an address within an hour, or twenty from one place within a quarter of an hour, further ones get 429 `too_many_attempts`.",
  },
  run: async ({ call, parts, requester }, { email }) => {
    const network = networkOf(requester.origin.address);
    const link_id = randomUUID();
    const link_sha256 = linkSha256(mailedLinkSecret(parts.masterKeys, link_id));
    const asked = { email, network, link_id, link_sha256 };
    const [answer] = await Promise.all([call("request_password_reset", asked, 202), wait(LEAST_MS)]);
    attemptAnswer(answer.body);
    return answer;
  },
});
