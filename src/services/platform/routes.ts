import { z } from "zod";
import type { CommonParts } from "../../service.ts";
import { instant, page, type Route } from "../../surfaces/rest/route.ts";
import { wireText } from "./wire-text.ts";

const auditFilter = page.extend({
  subject_type: wireText(64)
    .optional()
    .meta({ description: "Only events about this kind of subject, such as `proof`." }),
  subject_id: z.uuid("must be a UUID").optional().meta({
    description: "Only events about this subject; the answer then also has the state of its chain.",
  }),
  action: wireText(129).optional().meta({ description: "Only this action, such as `proof.registered`." }),
  actor_id: z.uuid("must be a UUID").optional().meta({ description: "Only what this token did." }),
  from: instant.optional().meta({ description: "Only events at or after this instant." }),
  to: instant.optional().meta({ description: "Only events before this instant." }),
});
/** Keys, seals and the audit trail. */
export const platformRoutes: readonly Route<CommonParts>[] = [
  {
    method: "GET",
    path: "/public/platform-key",
    operation: "listPlatformKeys",
    tag: "Public verification",
    summary: "List the platform's public keys",
    description: "Every key that ever sealed evidence, retired ones included, so that old proofs stay verifiable.",
    command: "list_platform_keys",
    status: 200,
    answers: { schema: "PlatformKeys" },
  },
  {
    method: "GET",
    path: "/public/audit-seals",
    operation: "listAuditSeals",
    tag: "Public verification",
    summary: "List the seals of the audit trail, newest first",
    description:
      "Each is the Merkle root of all chain heads of the audit trail, of all organizations, signed with both platform keys. Who " +
      "keeps copies notices when anything that they cover is rewritten later.",
    command: "list_audit_seals",
    status: 200,
    answers: { schema: "AuditSealPage" },
    query: page,
  },
  // The audit trail
  {
    method: "GET",
    path: "/audit",
    operation: "listAuditEvents",
    tag: "Audit trail",
    summary: "List what was written, newest first",
    command: "list_audit_events",
    status: 200,
    answers: { schema: "AuditEventPage" },
    query: auditFilter,
  },
];
