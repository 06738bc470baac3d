// Templates that are applied in bulk, for tests.
import type { TestGateway } from "../../support/gateway.ts";
import { aDocument, ask, type EnvelopeStage } from "./envelope-stage.ts";

export const ANA = { name: "Ana", email: "ana@example.net" };
/** A row whose recipient fills the placeholder at place 1. */
export const aRow = (recipient: object = {}, row: object = {}): object => ({
  recipients: [{ order_index: 1, ...ANA, ...recipient }],
  ...row,
});

/** An organization that may send in bulk, with a ready document. */
export async function openBulkStage(
  selo: TestGateway,
  environment: "live" | "test" = "test",
  options: { readonly credits?: number; readonly plan?: string } = {},
): Promise<EnvelopeStage & { readonly documentId: string }> {
  const organization = await selo.newOrganization({ plan: "growth", ...options });
  const stage = { selo, tenantId: organization.id, token: organization[environment], environment };
  return { ...stage, documentId: await aDocument(stage) };
}

export async function aTemplate(stage: EnvelopeStage, body: object = {}): Promise<string> {
  const made = await ask(stage, "POST", "/templates", { name: "Lease", participants: [{}], ...body });
  if (made.status !== 201) throw new Error(`answered ${made.status}: ${made.text}`);
  return made.body.id;
}

export const bulk = (stage: Pick<EnvelopeStage, "selo" | "token">, id: string, body: object) =>
  ask(stage, "POST", `/templates/${id}/bulk`, body);

/** What is left of a kind of credits. */
export async function balance({ selo, tenantId }: EnvelopeStage, kind = "signature"): Promise<number> {
  const { rows } = await selo.database.admin.query<{ left: number }>(
    "select coalesce(sum(balance), 0)::integer as left from platform.credit_balances where tenant_id = $1 and kind = $2",
    [tenantId, kind],
  );
  return rows[0]?.left ?? 0;
}
