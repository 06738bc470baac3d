import { z } from "zod";
import { AppError } from "../../../errors/app-error.ts";
import { operationsOf } from "../../../surfaces/operation.ts";
import type { CommonParts } from "../../started-service.ts";

/** The member `chain` of `GET /audit?subject_id=`. */
interface Chain {
  readonly length: number;
  readonly head_hash: string | null;
  readonly sealed_by: number | null;
  readonly faults: readonly { readonly seq: number }[];
}

/** The state of the chain of one subject, for a panel. REST answers it beside the events of the subject. */
export const auditChain = operationsOf<CommonParts>()({
  name: "auditChain",
  command: "list_audit_events",
  made: ["subject_type", "action", "actor_id", "from", "to", "fields", "cursor", "limit", "offset"],
  input: z.object({ subject_id: z.uuid().meta({ description: "The subject, such as an envelope." }) }),
  errors: ["not_found"],
  rest: null,
  graphql: {
    description:
      "The state of a subject's chain in the audit trail, recomputed for this answer. Returns 404 not_found for a subject without events.",
    example: {
      document:
        '{ auditChain(subjectId: "01a1fba4-b4c6-717b-8089-2cd0f88410ec") { valid length brokenAt headHash sealedBy } }',
    },
    payload: {
      name: "AuditChainState",
      description: "The state of a subject's chain.",
      members: z.object({
        valid: z.boolean().meta({ description: "Whether the chain is as it was recorded." }),
        length: z.int32().meta({ description: "Number of events in the chain." }),
        broken_at: z.int32().nullable().meta({ description: "Place of the first fault. Null for a valid chain." }),
        head_hash: z.string().nullable().meta({ description: "Hash of the last event, hexadecimal." }),
        sealed_by: z.int32().nullable().meta({
          description: "Number of the last seal that covers an event of the chain. Null until a seal does.",
        }),
      }),
    },
  },
  run: async ({ call }, { subject_id }) => {
    const { body, ...answer } = await call("list_audit_events", { subject_id, limit: 1 });
    const { chain } = JSON.parse(body ?? "") as { readonly chain: Chain };
    const { length, head_hash, sealed_by, faults } = chain;
    // A chain whose events are all gone has faults.
    if (length === 0 && faults.length === 0)
      throw new AppError(404, "not_found", "The audit trail has no such subject.");
    const shown = { valid: faults.length === 0, length, broken_at: faults[0]?.seq ?? null, head_hash, sealed_by };
    return { ...answer, body: JSON.stringify(shown) };
  },
});
