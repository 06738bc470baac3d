import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";

/** Changes the given members of a draft. An empty text removes a text, as null does. */
export const updateEnvelope = operation({
  name: "updateEnvelope",
  command: "update_envelope",
  answers: { schema: "Envelope" },
  errors: ["not_found"],
  rest: {
    method: "PATCH",
    path: "/envelopes/{id}",
    status: 200,
    tag: "Envelopes",
    summary: "Change a draft",
    description: "Only the given members change. `field_placement` changes only while the envelope has no fields.",
  },
  graphql: {
    description: "Changes the given members of a draft.",
    payload: {
      name: "UpdateEnvelopePayload",
      description: "The changed envelope.",
      members: z.object({ envelope: rowOf("envelopes").meta({ description: "The envelope." }) }),
    },
  },
  run: ({ call }, input) => {
    const removed = (["message", "language", "external_id"] as const).filter((name) => input[name] === "");
    return call("update_envelope", { ...input, ...Object.fromEntries(removed.map((name) => [name, null])) });
  },
});
