import { Writable } from "node:stream";
import {
  buildClientSchema,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  printSchema,
} from "graphql";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startGateway } from "../../../src/main/gateway.ts";
import { createLogger } from "../../../src/main/log.ts";
import { Actors } from "../../../src/postgres/actors.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { readService } from "../../../src/postgres/read-service.ts";
import { services } from "../../../src/services/services.ts";
import { buildGatewaySchema } from "../../../src/surfaces/graphql/schema/schema.ts";
import type { Operation } from "../../../src/surfaces/operation.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { productFacts } from "../../support/service-facts.ts";

const facts = productFacts.flatMap(({ graphql: own }) => own ?? []);

let selo: TestGateway;
let organization: TestOrganization;
let schema: ReturnType<typeof buildClientSchema>;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  const { data } = await graphql(selo, organization.live, getIntrospectionQuery());
  schema = buildClientSchema(data as unknown as Parameters<typeof buildClientSchema>[0]);
});
afterAll(() => selo.stop());

const fieldsOf = (type: string) => Object.keys((schema.getType(type) as GraphQLObjectType).getFields()).sort();
const argumentsOf = (field: string) =>
  Object.fromEntries(
    schema
      .getQueryType()
      ?.getFields()
      [field]?.args.map(({ name, type }) => [name, String(type)]) ?? [],
  );
const valuesOf = (type: string) => {
  const found = schema.getType(type);
  return isEnumType(found) ? found.getValues().map(({ name }) => name) : null;
};

/** Text members with the name of an enum elsewhere. Their values are in no reference table. */
const FREE_TEXTS = [
  "DnsChangedRecord.content",
  "DnsRecord.content",
  // As it stands in the file, also where no such type exists.
  "DnsSkippedRecord.type",
  // Lists that others extend.
  "TestMail.kind",
  "WebhookEvent.type",
];

test("what anyone may read has the enums and the Datetime of what the organization reads", () => {
  const members = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith("__")
      ? Object.values(type.getFields()).map(({ name, type: of }) => ({ type: type.name, name, of: getNamedType(of) }))
      : [],
  );
  const names = new Set(members.filter(({ of }) => isEnumType(of)).map(({ name }) => name));
  const texts = members.filter(({ name, of }) => names.has(name) && of.name === "String");
  expect(texts.map(({ type, name }) => `${type}.${name}`).sort()).toEqual(FREE_TEXTS);
  // brokenAt is a place in a chain.
  const times = members.filter(
    ({ name, of }) => /(At|Since)$/.test(name) && name !== "brokenAt" && of.name !== "Datetime",
  );
  expect(times).toEqual([]);
});

test("the root has these fields and no others", () => {
  expect(fieldsOf("Query")).toEqual(facts.flatMap(({ queries }) => queries).sort());
  expect(fieldsOf("Mutation")).toEqual(facts.flatMap(({ mutations }) => mutations).sort());
  expect(schema.getSubscriptionType()).toBeFalsy();
});

test("what is read is named after what it is, and not after reading", () => {
  const verbs = /^(ask|check|count|fetch|find|get|list|load|look|query|read|search|show|verify)([A-Z]|$)/;
  expect(fieldsOf("Query").filter((name) => verbs.test(name))).toEqual([]);
  expect(fieldsOf("Mutation").filter((name) => verbs.test(name))).toEqual(
    facts.flatMap((own) => own.verbs ?? []).sort(),
  );
});

test("only what is signed or hashed, has no one form, or is a list of measures, is JSON", () => {
  const found = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith("__")
      ? Object.values(type.getFields()).flatMap((field) =>
          getNamedType(field.type).name === "JSON" ? [`${type.name}.${field.name}`] : [],
        )
      : [],
  );
  expect(found.sort()).toEqual(facts.flatMap(({ json }) => json).sort());
});

test("every function of schema api: none was left out silently", async () => {
  const { rows } = await selo.database.admin.query(
    "select proname from pg_proc where pronamespace = 'api'::regnamespace order by proname",
  );
  // What is read is named after what it is, and not after reading.
  const names = rows.map(({ proname }) =>
    String(proname)
      .replace(/^(get|list)_/, "")
      .replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
  );
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect([...fieldsOf("Query"), ...fieldsOf("Mutation")]).toContain(name);
});

test("a proof has the documented members, without created, which the payload has", () => {
  expect(fieldsOf("Proof")).toEqual([
    "evidence",
    "evidenceSignatureAlgorithms",
    "fileName",
    "fileSize",
    "id",
    "label",
    "language",
    "nodeId",
    "platformKey",
    "platformKeyId",
    "platformPqKey",
    "platformPqKeyId",
    "platformSignature",
    "platformSignaturePq",
    "registeredAt",
    "sha256",
    "verificationCode",
    "verifyUrl",
  ]);
  expect(fieldsOf("RegisterProofPayload")).toEqual(["created", "proof"]);
});

test("only columns that opted in are filtered and ordered by; the default is newest first", () => {
  expect(argumentsOf("proofs")).toEqual({
    first: "Int",
    last: "Int",
    after: "Cursor",
    before: "Cursor",
    filter: "ProofFilter",
    orderBy: "ProofOrderBy",
    search: "String",
  });
  expect(argumentsOf("platformKeys")).toEqual({ first: "Int", last: "Int", after: "Cursor", before: "Cursor" });
  expect(valuesOf("ProofOrderBy")).toEqual(["REGISTERED_AT_ASC", "REGISTERED_AT_DESC"]);
  const filter = schema.getType("ProofFilter");
  expect(isInputObjectType(filter) && Object.keys(filter.getFields())).toEqual(["registeredAt"]);
  expect(
    schema
      .getQueryType()
      ?.getFields()
      .proofs?.args.find(({ name }) => name === "orderBy")?.defaultValue,
  ).toBe("REGISTERED_AT_DESC");
});

test("parameters without a default are required, and functions page by their own arguments", () => {
  expect(argumentsOf("publicProof")).toEqual({ code: "String!" });
  expect(argumentsOf("creditUsage")).toEqual({ from: "Date", to: "Date" });
  expect(argumentsOf("proof")).toEqual({ id: "ID!" });
  expect(argumentsOf("platformKey")).toEqual({ id: "ID!" });
});

test("enum reference tables are enums, in answers and in inputs, their names in capitals", () => {
  for (const [name, values] of facts.flatMap(({ enums = {} }) => Object.entries(enums)))
    expect([name, valuesOf(name)?.sort()]).toEqual([name, values]);
  const fields = (schema.getType("PlatformKey") as GraphQLObjectType).getFields();
  expect(String(fields.environment?.type)).toBe("Environment!");
  expect(String(fields.status?.type)).toBe("PlatformKeyStatus!");
  for (const [input, members] of facts.flatMap(({ enumInputs = {} }) => Object.entries(enumInputs))) {
    const taken = schema.getType(input);
    for (const [member, type] of Object.entries(members))
      expect(isInputObjectType(taken) && String(taken.getFields()[member]?.type)).toBe(type);
  }
  for (const type of Object.values(schema.getTypeMap()))
    if (isEnumType(type) && !type.name.startsWith("__"))
      for (const { name } of type.getValues()) expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
});

const NULL_LISTS: ReadonlySet<string> = new Set(facts.flatMap(({ nullLists = [] }) => nullLists));

test("a connection is never null, nor are its lists and cursors; neither is any other list", () => {
  const found: string[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      const nullable = getNullableType(field.type);
      const isConnection = /Connection$/.test(String(nullable));
      if (!isListType(nullable) && !isConnection && !(field.name === "cursor" && /Edge$/.test(type.name))) continue;
      found.push(type.name);
      if (NULL_LISTS.has(`${type.name}.${field.name}`)) continue;
      expect([`${type.name}.${field.name}`, String(field.type)]).toEqual([
        `${type.name}.${field.name}`,
        expect.stringMatching(isListType(nullable) ? /^\[\w+!\]!$/ : /!$/),
      ]);
    }
  }
  expect(found).toEqual(expect.arrayContaining(["Query", "ProofConnection", "ProofEdge", "PublicProof"]));
});

test("every type, field, argument, input field and enum value is described", () => {
  const undescribed: string[] = [];
  const look = (name: string, { description }: { readonly description?: string | null | undefined }) => {
    if (!description) undescribed.push(name);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith("__")) continue;
    look(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
    if (!("getFields" in type)) continue;
    for (const field of Object.values(type.getFields())) {
      look(`${type.name}.${field.name}`, field);
      for (const arg of "args" in field ? field.args : []) look(`${type.name}.${field.name}(${arg.name})`, arg);
    }
  }
  expect(undescribed).toEqual([]);
});

const LISTED = /\b(live or test|failing or gone|ACTIVE or DISABLED|EXHAUSTED or SKIPPED|manual or test)\./;

test("no phrase of a library, and no name in the form of SQL, describes a mutation or an argument", () => {
  const fields = ["Query", "Mutation"].flatMap((root) =>
    Object.values((schema.getType(root) as GraphQLObjectType).getFields()),
  );
  const described = fields.flatMap(({ args, description }) => [description, ...args.map((arg) => arg.description)]);
  for (const text of described) expect(text).not.toMatch(/exclusive input|used in determining|has_more/);
  const replay = schema.getMutationType()?.getFields()["replayWebhook"]?.description;
  expect(replay).toMatch(/oldest first\. If hasMore is true, repeat the request/);
  const { disabledReason } = (schema.getType("WebhookEndpoint") as GraphQLObjectType).getFields();
  expect(disabledReason?.description).toBe("Why an endpoint is disabled. Null for an active endpoint.");
});

test("types of views and their fields are described by the comments of SQL, word for word", async () => {
  const { rows } = await selo.database.admin.query<{ view: string; column: string; comment: string; about: string }>(`
    select view.relname as view, attribute.attname as column,
      coalesce(said.comment, col_description(view.oid, attribute.attnum)) as comment, about.comment as about
    from pg_class as view join pg_attribute as attribute on attribute.attrelid = view.oid and attribute.attnum > 0
    join gateway.view_comments as about on about.view = 'api.' || view.relname and about.column_name = ''
    left join gateway.view_comments as said on said.view = about.view and said.column_name = attribute.attname
    where view.relnamespace = 'api'::regnamespace and view.relkind = 'v' and (has_table_privilege('selo_app', view.oid, 'select') or not has_table_privilege('selo_analyst', view.oid, 'select'))`);
  const words = (comment: string) => comment.replace(/^(@.*\n)*/, "");
  const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const types: Readonly<Record<string, string>> = Object.assign({}, ...facts.map(({ types: own }) => own));
  const hidden = facts.flatMap((own) => own.hidden ?? []);
  const shown = rows.filter(({ view }) => !hidden.includes(view));
  expect([...new Set(shown.map(({ view }) => view))].sort()).toEqual(Object.keys(types).sort());
  for (const { view, column, comment, about } of shown) {
    if (hidden.includes(`${view}.${column}`)) continue;
    const type = schema.getType(types[view] ?? "") as GraphQLObjectType;
    expect(type.description).toBe(words(about));
    const field = type.getFields()[camel(column)];
    if (/^@behavior -attribute:select$/m.test(comment)) {
      expect([view, column, field]).toEqual([view, column, undefined]);
      continue;
    }
    // An enum lists its names itself.
    if (isEnumType(getNamedType(field?.type as GraphQLOutputType))) expect(field?.description).not.toMatch(LISTED);
    else expect([view, column, field?.description]).toEqual([view, column, words(comment)]);
  }
});

async function build(some: Parameters<typeof buildGatewaySchema>[0] = services): Promise<string[]> {
  const pool = createPool({ url: selo.database.appUrl, role: null, applicationName: "test" }, 2, () => {});
  try {
    return Object.keys((await buildGatewaySchema(some, readService(pool, new Actors()))).schema.getTypeMap());
  } finally {
    await pool.end();
  }
}

describe("an operation without an example stops the build", () => {
  test("of a path, where neither it nor its service has one", async () => {
    const unasked = services.map((service) => ({
      ...service,
      examples: async () => ((await service.examples?.()) ?? []).filter(({ operation }) => operation !== "getProof"),
    }));
    await expect(build(unasked)).rejects.toThrow("operation getProof: the operation has no example");
  });

  test("of GraphQL alone, where it asks what the schema does not have", async () => {
    const operation: Operation = {
      name: "keyCount",
      command: "list_platform_keys",
      rest: null,
      graphql: {
        description: "How many keys there are.",
        payload: { value: z.int32() },
        example: { document: "{ keyCount(of: 1) }" },
      },
      run: async () => ({ status: 200, body: "1", replayed: false }),
    };
    await expect(build([...services, { operations: [operation] }])).rejects.toThrow(
      'operation keyCount: its example of GraphQL is not valid: Unknown argument "of"',
    );
  });
});

describe("what PostGraphile would only print stops the build", () => {
  test("an enum table the gateway may not read", async () => {
    await selo.database.admin.query("revoke select on platform.platform_key_statuses from selo_app");
    await expect(build()).rejects.toThrow(/platform_key_statuses/);
    await selo.database.admin.query("grant select on platform.platform_key_statuses to selo_app");
    await build();
  });

  test("a smart tag that names nothing", async () => {
    const ofView = "view = 'api.proofs' and column_name = ''";
    const { rows } = await selo.database.admin.query(`select comment from gateway.view_comments where ${ofView}`);
    const set = (comment: string) =>
      selo.database.admin.query(`update gateway.view_comments set comment = $1 where ${ofView}`, [comment]);
    await set(`@foreignKey (nothing) references platform.environments (name)\n${rows[0].comment}`);
    await expect(build()).rejects.toThrow(/nothing/);
    await set(rows[0].comment.replace("REGISTERED_AT_DESC", "LABEL_ASC"));
    await expect(build()).rejects.toThrow(/defaultOrder/);
    await set(rows[0].comment);
    await build();
  });

  test("a function that writes and that gateway.call does not know", async () => {
    await selo.database.admin.query(`
      create function api.forget(p_id uuid) returns boolean language sql volatile set search_path = '' as 'select true';
      grant execute on function api.forget(uuid) to selo_app`);
    await expect(build()).rejects.toThrow(/gateway\.call does not know api\.forget/);
    await selo.database.admin.query("drop function api.forget(uuid)");
  });

  test("functions of a later version, which a gateway leaves out and names in its log", async () => {
    await selo.database.admin.query(`
      create function api.forget(p_id uuid) returns boolean language sql volatile set search_path = '' as 'select true';
      create function api.forgotten(p_id uuid) returns setof api.proofs language sql stable set search_path = '' as 'select * from api.proofs';
      create function api.forget_everything() returns boolean language sql volatile set search_path = '' as 'select true';
      grant execute on function api.forget(uuid), api.forgotten(uuid), api.forget_everything() to selo_app`);
    const logged: string[] = [];
    const sink = new Writable({ write: (line, _encoding, done) => done(void logged.push(String(line)) as never) });
    const older = await startGateway({
      config: selo.config,
      databaseUrl: selo.database.appUrl,
      masterKeys,
      log: createLogger("warn", sink),
    });
    try {
      expect(logged.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ level: 40, functions: ["forget", "forget_everything", "forgotten"] }),
      ]);
      const at = { baseUrl: `http://127.0.0.1:${older.port}` };
      const { data } = await graphql(at, organization.live, getIntrospectionQuery());
      const shown = buildClientSchema(data as unknown as Parameters<typeof buildClientSchema>[0]);
      expect(printSchema(shown)).toBe(printSchema(schema));
    } finally {
      await older.stop();
      await selo.database.admin.query("drop function api.forget(uuid), api.forgotten(uuid), api.forget_everything()");
    }
  });

  test("an answer whose member has no type", async () => {
    const { rows } = await selo.database.admin.query(
      "select oid::regprocedure as name, obj_description(oid, 'pg_proc') as comment from pg_proc where proname = 'replay_webhook'",
    );
    const set = (comment: string) =>
      selo.database.admin.query(`comment on function ${rows[0].name} is ${pg.escapeLiteral(comment)}`);
    for (const [wrong, words] of [
      ["has_more", /@answers has_more: it must be/],
      ["has_more jsonb Whether", /@answers has_more jsonb: its type/],
    ] as const) {
      await set(rows[0].comment.replace(/has_more boolean .*/, wrong));
      await expect(build()).rejects.toThrow(words);
    }
    await set(rows[0].comment);
    await build();
  });

  test("a function that becomes no field", async () => {
    await selo.database.admin.query(`
      create function api.forget_everything() returns boolean language sql volatile set search_path = '' as 'select true';
      grant execute on function api.forget_everything() to selo_app`);
    await expect(build()).rejects.toThrow(/api\.forget_everything became no field/);
    await selo.database.admin.query("drop function api.forget_everything()");
  });
});

test("deletions answer the id that went, everywhere", () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const deletions = mutations.flatMap(({ name, args, type }) => {
    const ids = inputMembersOf(args[0]?.type).filter(({ type: of }) => String(of) === "ID!");
    return /^(delete|end|leave|remove|revoke|withdraw)[A-Z]/.test(name) && ids.length > 0
      ? [{ name, ids: ids.map((id) => id.name), answers: getNullableType(type) as GraphQLObjectType }]
      : [];
  });
  expect(deletions.map(({ name }) => name)).toEqual(expect.arrayContaining(["deleteDnssecKey", "removePasskey"]));
  const answered = deletions.map(({ name, ids, answers }) => {
    const fields = Object.values(answers.getFields());
    const given = fields.filter((field) => ids.includes(field.name) && String(field.type) === "ID!");
    // What was revoked, or lost something else, is still there.
    const row = fields.find((field) => isObjectType(getNullableType(field.type)));
    return [name, given.map((field) => field.name).join() || row?.name];
  });
  expect(Object.fromEntries(answered)).toEqual({
    deleteConnector: "id",
    deleteDnsRecord: "recordId",
    deleteDnsZone: "zoneId",
    deleteDnssecKey: "keyId",
    deleteDocument: "id",
    deleteEnvelope: "id",
    deleteInvoice: "id",
    deleteLabel: "id",
    deleteTemplate: "id",
    deleteWebhook: "id",
    endSession: "id",
    leaveOrganization: "organizationId",
    removeEnvelopeDocument: "documentId",
    removeField: "fieldId",
    removeMember: "id",
    removeMemberFactors: "member",
    removeParticipant: "participantId",
    removePasskey: "id",
    revokeApiToken: "apiToken",
    revokeDnsKey: "dnsKey",
    withdrawInvitation: "id",
  });
});

const inputMembersOf = (type: unknown) => {
  const input = getNamedType(type as GraphQLOutputType | undefined);
  return isInputObjectType(input) ? Object.values(input.getFields()) : [];
};
