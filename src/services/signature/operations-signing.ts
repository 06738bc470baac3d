import type { Operation } from "../../surfaces/operation.ts";
import type { SignatureParts } from "./parts.ts";
import { signingSurface as surface } from "./rest/signing-surface.ts";

/** What a participant does with a signing link. The signing page asks these paths, so they have no GraphQL. */
export const signingOperations: readonly Operation<SignatureParts>[] = [
  {
    name: "getSigning",
    command: "read_signing",
    made: ["session_sha256"],
    answers: { schema: "Signing" },
    errors: ["not_found"],
    rest: {
      surface,
      method: "GET",
      path: "/{participant_id}",
      status: 200,
      tag: "Signing",
      summary: "Read what a signing link is for",
      description:
        "Changes nothing, however often a link is opened. `documents` and `fields` are null without a session (`X-Signing-Session`), and while others act first.",
    },
  },
];
