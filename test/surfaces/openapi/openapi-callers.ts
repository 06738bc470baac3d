import type { CallerHeaders } from "../../../src/surfaces/openapi/record-examples.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { productIsolations } from "../../support/service-facts.ts";

/** As in the documented answers. */
const PUBLIC_URL = "https://selo.example";

/** A gateway like the one that gave the documented answers, with everybody who asked. */
export async function startWithCallers(): Promise<{ readonly selo: TestGateway; readonly callers: CallerHeaders }> {
  const selo = await startTestGateway({ TRUST_PROXY: "1", PUBLIC_REQUESTS_PER_MINUTE: "60", PUBLIC_URL });
  await selo.operator.changeSetting("public_url", PUBLIC_URL);
  const acme = await selo.newOrganization({ name: "Acme Ltda.", plan: "growth", credits: 10 });
  const poor = await selo.newOrganization({ credits: 0 });
  // The address that stands in the documented answers.
  const scopes = await selo.operator.allScopes();
  // Their name stands in documented answers.
  const token = async (tenantId: string, environment: "live" | "test", granted = scopes) =>
    (await selo.operator.createToken(tenantId, environment, "examples", granted)).token;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.1" });
  const callers = {
    live: bearer(await token(acme.id, "live")),
    test: bearer(await token(acme.id, "test")),
    without_scope: bearer(await token(acme.id, "live", ["signatures:read"])),
    without_credits: bearer(await token(poor.id, "live")),
    anyone: anotherAddress(),
    over_limit: anotherAddress(),
  };
  await selo.seal();
  return { selo, callers };
}

/** Headers of sessions of a service's people: one that ran out, and one of a person who may do the least. */
export async function personsOf(selo: TestGateway): Promise<Readonly<Record<"expired" | "least", Headers>>> {
  const makers = (await productIsolations()).flatMap(({ people }) => people ?? []);
  const leastOf = async () => {
    const organization = await selo.newOrganization();
    const stage = { selo, owner: organization, stranger: organization, marker: "" };
    const people = (await Promise.all(makers.map((make) => make(stage, organization)))).flat();
    const [person] = people
      .sort((one, other) => one.scopes.length - other.scopes.length)
      .filter(({ role }) => role !== null);
    if (person === undefined) throw new Error("no service signs people in");
    return { organization, headers: { ...person.headers, ...anotherAddress() } };
  };
  const [{ headers: least }, { organization, headers: expired }] = [await leastOf(), await leastOf()];
  await selo.database.admin.query(
    "update platform.credentials set expires_at = now() where tenant_id = $1 and kind = 'user'",
    [organization.id],
  );
  return { expired, least };
}

type Headers = Readonly<Record<string, string>>;

/** Uses up the requests of the caller `over_limit`, whose minute may have ended since its last request. */
export async function useUpRequests({ baseUrl }: TestGateway, { over_limit: headers }: CallerHeaders): Promise<void> {
  let status: number;
  do {
    const response = await fetch(`${baseUrl}/api/v1/public/platform-key`, { headers });
    await response.arrayBuffer();
    status = response.status;
  } while (status !== 429);
}

let addresses = 0;

/** An address that has not asked for anything yet. */
export function anotherAddress(): Record<string, string> {
  addresses++;
  return { "x-forwarded-for": `198.18.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}` };
}
