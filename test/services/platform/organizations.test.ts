import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type NewOrganization, Operator, type Organization } from "../../../src/postgres/operator/operator.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let operator: Operator;
beforeAll(async () => {
  database = await createTestDatabase();
  operator = await Operator.connect(database.adminUrl);
});
afterAll(async () => {
  await operator.close();
  await database.drop();
});

const create = (members: Partial<NewOrganization> = {}) => operator.createOrganization({ name: "Acme", ...members });

test("an organization gets one project for each environment, each with its own id", async () => {
  const made = [await create(), await create()];
  const { rows } = await database.admin.query<{ tenant_id: string; environment: string; id: string }>(
    "select tenant_id, environment, id from platform.projects where tenant_id = any ($1)",
    [made.map(({ id }) => id)],
  );
  for (const { id } of made) {
    const environments = rows.filter(({ tenant_id }) => tenant_id === id).map(({ environment }) => environment);
    expect(environments.sort()).toEqual(["live", "test"]);
  }
  expect(new Set(rows.map(({ id }) => id)).size).toBe(4);
});

test("by its name alone it is on plan free, jurisdiction intl, language en, time zone UTC, without an e-mail address", async () => {
  const { rows } = await database.admin
    .query<Organization>(
      "set role selo_owner; select plan, jurisdiction, language, time_zone, contact_email from platform.create_organization('Acme'); reset role",
    )
    .then((results) => (results as unknown as { rows: Organization[] }[])[1] ?? { rows: [] });
  expect(rows).toEqual([{ plan: "free", jurisdiction: "intl", language: "en", time_zone: "UTC", contact_email: null }]);
});

test.each(["br", "us", "intl"])("jurisdiction %s is stored as it was given", async (jurisdiction) => {
  const { id, jurisdiction: answered } = await create({ jurisdiction });
  const { rows } = await database.admin.query("select jurisdiction from platform.organizations where id = $1", [id]);
  expect([answered, rows]).toEqual([jurisdiction, [{ jurisdiction }]]);
});

describe("limits", () => {
  const email = (length: number) => `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(length - 193)}`;
  const language = (length: number) => `en${"-abcdefgh".repeat(3)}-${"x".repeat(length - 30)}`;

  test.each<[string, Partial<NewOrganization>]>([
    ["name of 1", { name: "a" }],
    ["name of 255", { name: "a".repeat(255) }],
    ["name of 255 characters beyond the basic plane", { name: "😀".repeat(255) }],
    ["contact_email of 5", { email: "a@b.c" }],
    ["contact_email of 254", { email: email(254) }],
    ["language of 2", { language: "pt" }],
    ["language of 35", { language: language(35) }],
    ["time_zone with a slash", { timeZone: "America/Argentina/Buenos_Aires" }],
    ["the highest plan", { plan: "enterprise" }],
  ])("%s is taken and stored as it was given", async (_, members) => {
    const { id } = await create(members);
    expect(await operator.findOrganization(id)).toMatchObject({
      name: members.name ?? "Acme",
      plan: members.plan ?? "free",
      contact_email: members.email ?? null,
      language: members.language ?? "en",
      time_zone: members.timeZone ?? "UTC",
    });
  });

  test.each<[string, Partial<NewOrganization>, readonly string[]]>([
    ["name of 0", { name: "" }, ["name"]],
    ["name of 256", { name: "a".repeat(256) }, ["name"]],
    ["name that cannot be drawn in documents", { name: "Acme \ue000" }, ["name"]],
    ["contact_email of 255", { email: email(255) }, ["contact_email"]],
    ["contact_email that is none", { email: "a.b.com" }, ["contact_email"]],
    ["language of 36", { language: language(36) }, ["language"]],
    ["language that is none", { language: "english please" }, ["language"]],
    ["time_zone that nobody knows", { timeZone: "Mars/Olympus_Mons" }, ["time_zone"]],
    ["time_zone that is an offset", { timeZone: "+03:00" }, ["time_zone"]],
    ["plan that nobody offers", { plan: "gold" }, ["plan"]],
    ["jurisdiction in upper case", { jurisdiction: "BR" }, ["jurisdiction"]],
    ["several at once", { name: "", plan: "gold", language: "-" }, ["language", "name", "plan"]],
  ])("%s is refused and named, and nothing is made", async (_, members, fields) => {
    const before = (await operator.listOrganizations()).length;
    const error = await create(members).then(
      () => null,
      (reason: { status: number; code: string; fields: { field: string }[] }) => reason,
    );
    expect([error?.status, error?.code, error?.fields.map(({ field }) => field).sort()]).toEqual([
      422,
      "invalid_request",
      fields,
    ]);
    expect((await operator.listOrganizations()).length).toBe(before);
  });
});
