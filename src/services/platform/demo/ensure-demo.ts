import type { OperatedService } from "../../../postgres/operator/operated-service.ts";
import type { Operator } from "../../../postgres/operator/operator.ts";
import { type Demo, readDemo, writeDemo } from "./demo-file.ts";

const DEMO_CREDITS = 1_000_000;
/** Nobody can own this domain (RFC 2606): the mail shows in the inbox and could reach no person. */
const DEMO_CONTACT = "contact@demo.example";
const SETTING = "demo_organization_id";

/**
 * Makes the demo organization, with credits and with a live and a test token of all scopes. Later starts find it again.
 * `demo.json` (mode 0600) keeps its tokens, and what services add; no other place ever stores a token in the clear.
 * @param made members that this start made
 */
export async function ensureDemo(
  operator: Operator,
  dataDir: string,
  baseUrl: string,
  services: readonly Pick<OperatedService, "demo">[] = [],
  made: Readonly<Record<string, string>> = {},
): Promise<Demo> {
  const organization = await demoOrganization(operator);
  const found = readDemo(dataDir);
  const kept = found?.organization.id === organization.id ? found : null;
  const tokens = kept?.tokens ?? (await makeTokens(operator, organization.id));
  const members: Record<string, unknown> = {};
  // A file of an earlier version lacks the members of later services.
  for (const { demo = {} } of services)
    for (const [name, make] of Object.entries(demo))
      members[name] = kept?.[name] ?? (await make(operator, organization.id));
  const demo = { base_url: baseUrl, organization, tokens, ...members, ...made };
  writeDemo(dataDir, demo);
  return demo;
}

/** Whether the database holds a demo organization, which production must not have. Also works on a database that is not migrated yet. */
export async function hasDemo(operator: Operator): Promise<boolean> {
  return (await operator.isMigrated()) && (await operator.setting(SETTING)) !== null;
}

async function demoOrganization(operator: Operator): Promise<Demo["organization"]> {
  const known = await operator.setting(SETTING);
  if (known !== null) {
    const { id, number } = await operator.findOrganization(known);
    return { id, number };
  }
  const { id, number } = await operator.createOrganization({
    name: "Demo Organization",
    plan: "business",
    email: DEMO_CONTACT,
  });
  for (const kind of ["signature", "icp_brasil"]) await operator.grantCredits(id, kind, DEMO_CREDITS);
  await operator.changeSetting(SETTING, id);
  return { id, number };
}

async function makeTokens(operator: Operator, organizationId: string): Promise<Demo["tokens"]> {
  const scopes = await operator.allScopes();
  const live = await operator.createToken(organizationId, "live", "demo live", scopes);
  const test = await operator.createToken(organizationId, "test", "demo test", scopes);
  return { live: live.token, test: test.token };
}
