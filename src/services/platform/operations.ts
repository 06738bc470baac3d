import type { Operation } from "../../surfaces/operation.ts";
import type { CommonParts } from "../started-service.ts";
import { auditChain } from "./audit/audit-chain.ts";
import { readMe } from "./read-me.ts";
import { createApiToken } from "./tokens/create-api-token.ts";

/** What a token may do, keys, seals and the audit trail. */
export const platformOperations: readonly Operation<CommonParts>[] = [
  readMe,
  createApiToken,
  {
    name: "listPlatformKeys",
    command: "list_platform_keys",
    answers: { schema: "PlatformKeys" },
    rest: {
      method: "GET",
      path: "/public/platform-key",
      status: 200,
      tag: "Public verification",
      summary: "List the platform's public keys",
      description:
        "Every key that ever sealed evidence, including retired keys, so that old proofs stay verifiable. Also every certificate that ever sealed a PDF, the operator's own with those that issued it: `pdfsig` and other PDF readers compare the seal with it.",
    },
  },
  {
    name: "listAuditSeals",
    command: "list_audit_seals",
    answers: { schema: "AuditSealPage" },
    rest: {
      method: "GET",
      path: "/public/audit-seals",
      status: 200,
      tag: "Public verification",
      summary: "List the seals of the audit trail, newest first",
      description:
        "A seal is the Merkle root of all chain heads of the audit trail, of all organizations, signed with both platform keys. If you keep copies of the seals, you can detect later changes to the events that they cover.",
    },
  },
  {
    name: "listAuditEvents",
    command: "list_audit_events",
    answers: { schema: "AuditEventPage" },
    rest: {
      method: "GET",
      path: "/audit",
      status: 200,
      tag: "Audit trail",
      summary: "List audit events, newest first",
    },
  },
  auditChain,
];

/** Credits and the plan: signature-service §7. */
export const billingOperations: readonly Operation<CommonParts>[] = [
  {
    name: "getCreditBalances",
    command: "billing_balance",
    answers: { schema: "CreditBalances" },
    rest: {
      method: "GET",
      path: "/billing/balance",
      status: 200,
      tag: "Billing",
      summary: "Read the credit balances",
    },
  },
  {
    name: "getCreditUsage",
    command: "billing_usage",
    answers: { schema: "CreditUsage" },
    rest: {
      method: "GET",
      path: "/billing/usage",
      status: 200,
      tag: "Billing",
      summary: "Read credits granted and consumed, by day",
      description:
        "One row for each day (in UTC), kind and reason with movements, oldest first. A period has at most 366 days. Without dates, the period is the last 30 days, including today.",
    },
  },
  {
    name: "getBillingPlan",
    command: "billing_plan",
    answers: { schema: "BillingPlan" },
    rest: {
      method: "GET",
      path: "/billing/plan",
      status: 200,
      tag: "Billing",
      summary: "Read the plan and its features",
    },
  },
];

/** Mails of the test environment, which are composed and not sent. */
export const testInboxOperations: readonly Operation<CommonParts>[] = [
  {
    name: "listTestInbox",
    command: "list_test_inbox",
    answers: { schema: "TestMailPage" },
    errors: ["forbidden"],
    rest: {
      method: "GET",
      path: "/test-inbox",
      status: 200,
      tag: "Test inbox",
      summary: "List the mails of the test environment, newest first",
      description:
        "With a test token, mail to anyone but the organization's contact is composed as in live but not sent. It appears here within moments, so a test can read the link and the code that a recipient would get.",
    },
  },
];
