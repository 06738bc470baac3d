import { z } from "zod";
import type { CommonParts } from "../../service.ts";
import type { Route } from "../../surfaces/rest/route.ts";

const day = z.iso
  .date("must be a date such as 2026-11-20")
  .refine((text) => text >= "0001", "must be a date of our era");

/** Credits and the plan. */
export const billingRoutes: readonly Route<CommonParts>[] = [
  // Billing: signature-service §7, billing:read
  {
    method: "GET",
    path: "/billing/balance",
    operation: "getCreditBalances",
    tag: "Billing",
    summary: "Read the credit balances",
    command: "billing_balance",
    status: 200,
    answers: { schema: "CreditBalances" },
  },
  {
    method: "GET",
    path: "/billing/usage",
    operation: "getCreditUsage",
    tag: "Billing",
    summary: "Read what was granted and consumed, by day",
    description:
      "A row for each day (in UTC), kind and reason that had movements, oldest first. A period has at most 366 days; " +
      "without dates it is the last 30, today included.",
    command: "billing_usage",
    status: 200,
    answers: { schema: "CreditUsage" },
    query: z.strictObject({
      from: day.optional().meta({ description: "The first day, in UTC; 29 days before `to` by default." }),
      to: day.optional().meta({ description: "The last day, in UTC, itself included; today by default." }),
    }),
  },
  {
    method: "GET",
    path: "/billing/plan",
    operation: "getBillingPlan",
    tag: "Billing",
    summary: "Read the plan and what it includes",
    command: "billing_plan",
    status: 200,
    answers: { schema: "BillingPlan" },
  },
];
