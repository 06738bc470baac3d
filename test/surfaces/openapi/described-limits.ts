// The limits that schema/openapi.json documents are the real ones: at each the request is taken, beyond it 422 names the member.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallerHeaders } from "../../../src/surfaces/openapi/record-examples.ts";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { call, expectError, type RestRequest, type RestResponse } from "../../support/rest-client.ts";
import { goodBody, ruleOf } from "./good-bodies.ts";
import { anotherAddress, startWithCallers } from "./openapi-callers.ts";
import {
  type Content,
  expectDocumented,
  fileForm,
  GOOD,
  goodFile,
  type LocatedOperation,
  operations,
  parametersOf,
  takesFileAlone,
  unknownPath,
} from "./openapi-document.ts";

/** Values of members whose rule is more than a length: a pattern, check digits, numbers that are assigned. */
const OF_RULES: Readonly<Record<string, { readonly at: readonly string[]; readonly beyond: readonly string[] }>> = {
  cpf: { at: ["529.982.247-25", "52998224725"], beyond: ["529.982.247-26", "529.982.247-255", "11111111111", "a"] },
  ssn_last4: { at: ["6789"], beyond: ["678", "67890", "678a"] },
  phone: { at: ["+5511987654321"], beyond: ["11987654321", "+551198765432100", "+5511987654321 ", "+0"] },
  language: { at: ["pt-BR", "de-CH-1996-abcdefgh-abcdefgh-abcdef"], beyond: ["a".repeat(36)] },
};

interface Limited {
  readonly type: string | readonly string[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly items?: { readonly enum?: readonly unknown[] };
}

/** At the limits of a member, and beyond them. */
interface Values {
  readonly at: readonly unknown[];
  readonly beyond: readonly unknown[];
}

/** Values around a member's limits; the first of each kind is at, or just beyond, its most. */
function valuesAround(limited: Limited): Values {
  const { type, maxLength, pattern, format, minimum, maximum, minItems, maxItems, items } = limited;
  const at: unknown[] = [];
  const beyond: unknown[] = [];
  // One character, two UTF-16 units, four bytes: what is counted are code points.
  const character = pattern === undefined ? "😀" : "a";
  if (format === "cursor") {
    // Good ones are those of the list.
    beyond.push("a".repeat((maxLength ?? 0) + 1), "x");
  } else if (format === "uri" && maxLength !== undefined) {
    const start = "https://example.com/";
    at.push(start.padEnd(maxLength, "a"));
    beyond.push(start.padEnd(maxLength + 1, "a"), "example.com", "/hook", "ftp://example.com/");
  } else if (maxLength !== undefined) {
    at.push(character.repeat(maxLength));
    beyond.push(character.repeat(maxLength + 1));
  }
  if (maximum !== undefined) {
    at.push(maximum);
    beyond.push(maximum + 1);
  }
  if (minimum !== undefined) {
    at.push(minimum);
    beyond.push(minimum - 1);
  }
  if (format === "date") {
    at.push(new Date().toISOString().slice(0, 10));
    beyond.push("2025-02-29", "0000-01-01", "today");
  }
  if (format === "uuid") {
    at.push("0197a0c0-0000-7000-8000-000000000000");
    beyond.push("0197a0c0-0000-7000-8000-00000000000", "x");
  }
  if (format === "date-time") {
    at.push("0001-01-01T00:00:00Z", "2026-11-20T12:34:56.123456-03:00", "9999-12-31T23:59:59.999999+00:00");
    beyond.push("2026-11-20T12:34:56", "2026-11-20", "2026-02-30T12:00:00Z", "0000-01-01T00:00:00Z", "now");
  }
  if (items?.enum !== undefined) {
    at.push(items.enum, ...items.enum);
    beyond.push(Array((maxItems ?? 0) + 1).fill(items.enum[0]), "x", "");
  } else if (minItems !== undefined && maxItems !== undefined) {
    at.push(Array(maxItems).fill("*"), Array(minItems).fill("*"));
    beyond.push(Array(maxItems + 1).fill("*"), Array(minItems - 1).fill("*"));
  }
  if (type === "boolean") {
    at.push(true, false);
    beyond.push("true", 1, null);
  }
  if (limited.enum !== undefined) {
    at.push(...limited.enum);
    beyond.push("x", "");
  }
  if (type.includes("null") && typeof type !== "string") at.push(null);
  return { at, beyond };
}

/** Values of a member of JSON. */
function valuesOf(operation: LocatedOperation, name: string, limited: Limited): Values {
  const own = ruleOf(operation, name);
  if (own !== undefined) return own;
  const rule = OF_RULES[name];
  if (rule === undefined) return valuesAround(limited);
  const { pattern = "", maxLength = Number.POSITIVE_INFINITY } = limited;
  for (const value of rule.at)
    expect([value, value.length <= maxLength]).toEqual([expect.stringMatching(pattern), true]);
  return { at: [...rule.at, ...(limited.type.includes("null") ? [null] : [])], beyond: [...rule.beyond] };
}

/** `[name of the test, operation, name of the member, its schema]` for each. */
function membersOf(contentType: string): [string, LocatedOperation, string, Limited][] {
  return operations.flatMap((operation) => {
    const properties = operation.requestBody?.content[contentType]?.schema["properties"] ?? {};
    return Object.entries<Limited>(properties).map(([name, schema]): [string, LocatedOperation, string, Limited] => [
      `${operation.operationId}: ${name}`,
      operation,
      name,
      schema,
    ]);
  });
}

/** The test inbox is refused to live tokens. */
const environmentOf = ({ path }: LocatedOperation) => (path.startsWith("/test-inbox") ? "test" : "live");

/** Defines the tests of all values around each limit, or of the first on either side. */
export function testDescribedLimits(isFull: boolean): void {
  const asked = ({ at, beyond }: Values): Values =>
    isFull ? { at, beyond } : { at: at.slice(0, 1), beyond: beyond.slice(0, 1) };
  let selo: TestGateway;
  let callers: CallerHeaders;
  /** Whose idempotency keys the writing operations have. */
  let owner: TestOrganization;
  beforeAll(async () => {
    ({ selo, callers } = await startWithCallers());
    owner = await selo.newOrganization();
    await call(selo, "POST", "/proofs", { headers: callers.live, body: { sha256: GOOD["sha256"] } });
  });
  afterAll(() => selo.stop());

  async function send(operation: LocatedOperation, query: string, request: RestRequest): Promise<RestResponse> {
    const caller = operation.security.length > 0 ? callers[environmentOf(operation)] : anotherAddress();
    const response = await call(selo, operation.method, `${unknownPath(operation)}${query}`, {
      ...request,
      headers: { ...caller, ...request.headers },
    });
    expectDocumented(operation, response);
    return response;
  }

  /** 404 where nobody registered what was asked for, and 422 with a code of its own where a body names it: the request itself was in order. */
  const expectTaken = ({ status, body }: RestResponse) =>
    expect([200, 201, 202, 204, 404]).toContain(
      status === 422 && body.detail.code !== "invalid_request" ? 404 : status,
    );

  describe("members of JSON bodies", () => {
    const withBody = operations.filter(({ requestBody }) => requestBody?.content["application/json"] !== undefined);

    test.each(membersOf("application/json"))("%s", async (_, operation, name, schema) => {
      const { at, beyond } = asked(valuesOf(operation, name, schema));
      expect(at.length + beyond.length).toBeGreaterThan(0);
      for (const value of at)
        expectTaken(await send(operation, "", { body: { ...goodBody(operation), [name]: value } }));
      for (const value of beyond)
        expectError(
          await send(operation, "", { body: { ...goodBody(operation), [name]: value } }),
          422,
          "invalid_request",
          [name],
        );
    });

    test.each(withBody.map((operation) => [operation.operationId, operation] as const))(
      "%s: those that are required are, and others than those documented are refused",
      async (_, operation) => {
        const { required } = operation.requestBody?.content["application/json"]?.schema ?? {};
        const empty = await send(operation, "", { body: {} });
        if (required === undefined) expectTaken(empty);
        else expectError(empty, 422, "invalid_request", required);
        const unknown = { ...goodBody(operation), unknown: 1 };
        expectError(await send(operation, "", { body: unknown }), 422, "invalid_request", ["unknown"]);
      },
    );
  });

  describe("members of forms", () => {
    const formOf = (members: Readonly<Record<string, unknown>>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(members))
        if (name === "file") form.append(name, new Blob([value as Content]), "a.txt");
        else form.append(name, String(value));
      return { body: form };
    };
    const schemaOf = (operation: LocatedOperation) =>
      operation.requestBody?.content["multipart/form-data"]?.schema ?? {};
    const withForm = operations.filter((operation) => "properties" in schemaOf(operation));
    /** What must be sent along with a member. */
    const beside = (operation: LocatedOperation, name: string) =>
      ((schemaOf(operation)["required"] ?? []) as string[]).filter((each) => each !== name).map((each) => [each, "x"]);

    test.each(membersOf("multipart/form-data"))("%s", async (_, operation, name, schema) => {
      const rest = Object.fromEntries(beside(operation, name));
      if (name === "file")
        return expectTaken(await send(operation, "", formOf({ ...rest, file: goodFile(operation) })));
      const { at, beyond } = asked(valuesAround(schema));
      expect(at.length).toBeGreaterThan(0);
      for (const value of at) expectTaken(await send(operation, "", formOf({ ...rest, [name]: value })));
      for (const value of beyond)
        expectError(await send(operation, "", formOf({ ...rest, [name]: value })), 422, "invalid_request", [name]);
    });

    test.each(withForm.map((operation) => [operation.operationId, operation] as const))(
      "%s: without a file, or with unknown parts",
      async (_, operation) => {
        expectError(await send(operation, "", formOf({ unknown: "x" })), 422, "invalid_request", ["unknown"]);
        expectError(await send(operation, "", formOf({ file: "x", unknown: "x" })), 422, "invalid_request", [
          "unknown",
        ]);
        const [beside] = Object.keys(schemaOf(operation)["properties"]).filter((name) => name !== "file");
        if (beside === undefined) return;
        expectError(await send(operation, "", formOf({ [beside]: "x" })), 422, "invalid_request", ["file"]);
      },
    );
  });

  describe("parameters", () => {
    // Its answer does not end, and its longest list of kinds is longer than an address may be.
    const ended = operations.filter(({ operationId }) => operationId !== "listenToWebhooks");
    const inQuery = ended.flatMap((operation) =>
      parametersOf(operation)
        .filter((parameter) => parameter.in === "query")
        .map((parameter) => [`${operation.operationId}: ${parameter.name}`, operation, parameter] as const),
    );

    test.each(inQuery)("%s", async (_, operation, { name, schema, required }) => {
      const query = (value: unknown) => `?${new URLSearchParams({ [name]: String(value) })}`;
      // In an address, everything is text.
      const isText = schema["type"] === "boolean";
      const { at, beyond } = asked(
        isText
          ? { at: [true, false], beyond: ["yes", "1", ""] }
          : (ruleOf(operation, name) ?? valuesAround(schema as unknown as Limited)),
      );
      if (schema["format"] === "cursor")
        for (const cursor of await cursorsOf(operation)) expectTaken(await send(operation, query(cursor), {}));
      else expect(at.length).toBeGreaterThan(0);
      for (const value of at) expectTaken(await send(operation, query(value), {}));
      for (const value of beyond) expectError(await send(operation, query(value), {}), 422, "invalid_request", [name]);
      if (!required && isFull) expectTaken(await send(operation, "", {}));
    });

    /** Of the first page, where the list has more than one. */
    async function cursorsOf(operation: LocatedOperation): Promise<unknown[]> {
      const { status, body } = await send(operation, "?limit=1", {});
      return status === 200 && body.next_cursor !== null ? [body.next_cursor] : [];
    }

    test("the defaults that are documented are the real ones", async () => {
      const { body: webhook } = await call(selo, "POST", "/webhooks", {
        headers: callers.live,
        body: { url: GOOD["url"], event_types: GOOD["event_types"] },
      });
      const { endpoint, region, bucket, access_key_id, secret, name } = GOOD;
      const { body: connector } = await call(selo, "POST", "/integrations/connectors", {
        headers: callers.live,
        body: { endpoint, region, bucket, access_key_id, secret, name },
      });
      for (const operation of ended.filter(({ operationId }) => operationId.startsWith("list"))) {
        const path = operation.path
          .replace("/webhooks/{id}", `/webhooks/${webhook.id}`)
          .replace("/connectors/{id}", `/connectors/${connector.id}`);
        const { body } = await send({ ...operation, path }, "", {});
        for (const { in: place, name, schema } of parametersOf(operation)) {
          if (place !== "query" || !("default" in schema)) continue;
          if (name in body) expect(body[name]).toBe(schema["default"]);
          else expect((await send({ ...operation, path }, `?${name}=${schema["default"]}`, {})).body).toEqual(body);
        }
      }
    });

    const writing = operations.filter((operation) =>
      parametersOf(operation).some(({ name }) => name === "Idempotency-Key"),
    );

    test.each(writing.map((operation) => [operation.operationId, operation] as const))(
      "%s: Idempotency-Key",
      async (_, operation) => {
        const schema = parametersOf(operation).find(({ name }) => name === "Idempotency-Key")?.schema;
        const most = Number(schema?.["maxLength"]);
        const body = takesFileAlone(operation) ? fileForm(goodFile(operation)) : goodBody(operation);
        // An organization's keys are those of all its operations.
        const { live } = isFull ? await selo.newOrganization() : owner;
        const headers = { authorization: `Bearer ${live}` };
        const withKey = (key: string) => send(operation, "", { key, body, headers });
        const longest = String(writing.indexOf(operation)).padEnd(most, "k");
        for (const key of isFull ? ["!", "~", longest] : [longest]) {
          expect(key).toMatch(new RegExp(schema?.["pattern"]));
          expectTaken(await withKey(key));
        }
        for (const key of ["k".repeat(most + 1), "a b"])
          expectError(await withKey(key), 422, "invalid_request", ["Idempotency-Key"]);
      },
    );
  });
}
