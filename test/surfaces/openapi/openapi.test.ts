// schema/openapi.json says what the service does: every example is executed, every route and every error stands in it.

import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { services } from "../../../src/services/services.ts";
import { placeholdersOf } from "../../../src/surfaces/openapi/placeholders.ts";
import type { CallerHeaders } from "../../../src/surfaces/openapi/record-examples.ts";
import { routesOf } from "../../../src/surfaces/rest/route.ts";
import { readEvidence } from "../../../src/verifier/evidence.ts";
import { readKeys } from "../../../src/verifier/keys.ts";
import { verify } from "../../../src/verifier/verify.ts";
import { recordTomorrow } from "../../support/clock.ts";
import { composeAll, workerOf } from "../../support/compose-mails.ts";
import { startGatewayBeside, type TestGateway } from "../../support/gateway.ts";
import { call, type RestRequest, type RestResponse } from "../../support/rest-client.ts";
import { routes } from "../../support/routes.ts";
import { eventKinds, productFacts } from "../../support/service-facts.ts";
import { ORDINARY } from "../../support/uploads.ts";
import { goodBody } from "./good-bodies.ts";
import { anotherAddress, personsOf, startWithCallers, useUpRequests } from "./openapi-callers.ts";
import {
  description,
  descriptionText,
  documentedAnswer,
  documentedAnswers,
  type ExampleRequest,
  expectDocumented,
  fileForm,
  type LocatedOperation,
  operations,
  parametersOf,
  takesFileAlone,
  unknownPath,
} from "./openapi-document.ts";

const withPlaceholders = await placeholdersOf(services);

let selo: TestGateway;
let callers: CallerHeaders;
beforeAll(async () => {
  ({ selo, callers } = await startWithCallers());
});
afterAll(() => selo.stop());

/** The operation whose answer does not end. */
const stream = operations.find(({ operationId }) => operationId === "listenToWebhooks") as LocatedOperation;

/** What answers of this file held: `operation status code` of errors, and names of headers. */
const seenErrors = new Set<string>();
const seenHeaders = new Set<string>();

/** Sends a request, and fails unless the answer is documented. */
async function send(operation: LocatedOperation, where: string, request: RestRequest): Promise<RestResponse> {
  const response = await call(selo, operation.method, where, request);
  expectDocumented(operation, response);
  for (const header of Object.keys(description.components.headers))
    if (response.headers.has(header)) seenHeaders.add(header);
  if (response.status >= 400)
    seenErrors.add(`${operation.operationId} ${response.status} ${response.body.detail.code}`);
  return response;
}

describe("every example, executed in order", () => {
  /** What stands in the description, and what this service answered in its place. */
  const learned = new Map<string, string>();
  const replaced = (text: string) =>
    [...learned].reduce((result, [documented, real]) => result.replaceAll(documented, real), text);

  function learn(documented: unknown, real: unknown): void {
    if (typeof documented === "string" && typeof real === "string" && documented !== real)
      learned.set(documented, real);
    if (typeof documented !== "object" || documented === null) return;
    for (const [name, value] of Object.entries(documented))
      learn(value, (real as Readonly<Record<string, unknown>> | null)?.[name]);
  }

  function requestOf({ caller, headers, body, form }: ExampleRequest): RestRequest {
    return {
      headers: { ...callers[caller], ...Object.fromEntries(new Headers(headers)) },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.parse(replaced(JSON.stringify(body))) }),
      ...(form === undefined ? {} : { body: formData(form) }),
    };
  }

  /** Composes the mails that wait for it, as a worker does beside the examples. */
  async function composeMails(): Promise<void> {
    const worker = workerOf({ selo });
    const { rows } = await selo.database.admin.query<{ tenant_id: string }>(
      "select distinct tenant_id from platform.mails where is_withheld and composed_at is null",
    );
    for (const { tenant_id: tenantId } of rows) await composeAll({ selo, tenantId }, worker);
    await worker.end();
  }

  const prepared = new Set<string>();
  async function prepare(name: string): Promise<void> {
    if (prepared.has(name)) return;
    prepared.add(name);
    const token = callers.test?.["authorization"]?.replace("Bearer ", "") ?? "";
    for (const { beforeExamples } of productFacts) await beforeExamples?.[name]?.(selo, token);
  }

  test.each(documentedAnswers.map((answer) => [`${answer.operation.operationId}: ${answer.summary}`, answer] as const))(
    "%s",
    async (_, { operation, status, contentType, value, "x-request": request }) => {
      if (operation.operationId === "listTestInbox") await composeMails();
      if (request.caller === "over_limit") await useUpRequests(selo, callers);
      await prepare(operation.operationId);
      const response = await send(operation, replaced(request.path), requestOf(request));
      expect(response.status).toBe(status);
      expect((response.headers.get("content-type") ?? "").replace(/;.*$/, "")).toBe(contentType);
      if (contentType === "application/json") {
        learn(value, response.body);
        expect(withPlaceholders(JSON.stringify(response.body))).toBe(withPlaceholders(JSON.stringify(value)));
      } else if (contentType !== "") {
        const start = contentType === "application/zip" ? "PK\u0003\u0004" : "%PDF-";
        expect(response.bytes.subarray(0, start.length).toString()).toBe(start);
        expect(start).toBe(String(value).slice(0, start.length));
        const again = async (headers: Readonly<Record<string, string>>) => {
          const { headers: usual, ...others } = requestOf(request);
          return send(operation, replaced(request.path), { ...others, headers: { ...usual, ...headers } });
        };
        const part = await again({ range: `bytes=0-${start.length - 1}` });
        expect([part.status, part.text]).toEqual([206, start]);
        expect((await again({ "if-none-match": response.headers.get("etag") ?? "" })).status).toBe(304);
        expect((await again({ range: `bytes=${response.bytes.length}-` })).status).toBe(416);
      }
    },
  );

  test("every documented header was in an answer", () => {
    expect([...seenHeaders].sort()).toEqual(Object.keys(description.components.headers).sort());
  });
});

function formData({ file, fields }: NonNullable<ExampleRequest["form"]>): FormData {
  const form = new FormData();
  if (file !== undefined) form.append("file", new Blob([file.text]), file.name);
  for (const [name, value] of Object.entries(fields ?? {})) form.append(name, value);
  return form;
}

describe("errors", () => {
  const tokenOf = ({ security }: LocatedOperation) => (security.length > 0 ? callers.live : anotherAddress());

  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    "%s: whatever is wrong with a request, the answer is documented",
    async (_, operation) => {
      const isFileAlone = takesFileAlone(operation);
      const hasBody = operation.requestBody !== undefined && !isFileAlone;
      const good = { body: isFileAlone ? fileForm(operation.operationId) : goodBody(operation) };
      const body = hasBody ? { body: "{}" } : isFileAlone ? good : {};
      const json = { "content-type": "application/json" };
      const try_ = (where: string, request: RestRequest = body) =>
        send(operation, where, {
          ...request,
          headers: { ...tokenOf(operation), ...(hasBody ? json : {}), ...request.headers },
        });
      expect((await try_(`${unknownPath(operation)}?a=%`)).status).toBe(400);
      expect((await try_(`${unknownPath(operation)}?unknown=1`)).status).toBe(422);
      if (operation.path.includes("{")) {
        const { status } = await try_(operation.path.replaceAll(/\{\w+\}/g, "x"));
        // However long: the same. All of them together must fit into a request.
        const parameters = operation.path.split("{").length - 1;
        for (const length of [500, 501, Math.floor(10_000 / parameters)])
          expect((await try_(operation.path.replaceAll(/\{\w+\}/g, "x".repeat(length)))).status).toBe(status);
      }
      // In order, but for what nobody has, and for a key that another request had.
      await try_(unknownPath(operation), good);
      if (parametersOf(operation).some(({ name }) => name === "Idempotency-Key")) {
        const request = { key: "contract-12", ...good };
        // A path with its own name has its own keys.
        if (routes.some(({ operation: name, of }) => name === operation.operationId && name !== of.name))
          expect((await try_(unknownPath(operation), { ...request, body: fileForm("another") })).status).toBe(201);
        // What keeps its key itself is not refused for another body.
        const { status } = await try_(unknownPath(operation), request);
        if ("409" in operation.responses) expect(status).toBe(409);
      }
      if (!hasBody)
        await try_(unknownPath(operation), { headers: { "content-type": "multipart/form-data; boundary=a" } });
      if (hasBody) for (const text of ["", "{", "[]", "{}"]) await try_(unknownPath(operation), { body: text });
      if (operation.method !== "GET") {
        const most =
          routes.find(({ operation: name }) => name === operation.operationId)?.of.mostJsonBytes ?? 1024 * 1024;
        const beyond = { body: " ".repeat(most + 1), headers: json };
        expect((await try_(unknownPath(operation), beyond)).status).toBe(413);
        const text = { body: "a", headers: { "content-type": "text/plain" } };
        expect((await try_(unknownPath(operation), text)).status).toBe(415);
        const form = { "content-type": "multipart/form-data; boundary=a" };
        const broken = { body: "{", headers: isFileAlone ? form : json };
        expect((await try_(unknownPath(operation), broken)).status).toBe(400);
        const unknown = isFileAlone ? formData({ fields: { unknown: "1" } }) : { unknown: 1 };
        expect((await try_(unknownPath(operation), { body: unknown })).status).toBe(422);
        await try_(unknownPath(operation), { ...body, headers: { "idempotency-key": "a b" } });
      }
      await useUpRequests(selo, callers);
      for (const caller of ["over_limit", "anyone", "without_scope"] as const)
        await send(operation, unknownPath(operation), { ...body, headers: callers[caller] });
    },
  );

  test("every operation that takes a session refuses one that ran out; one that writes refuses a forged request and a role that may not", async () => {
    const { expired, least } = await personsOf(selo);
    const { "x-csrf-token": _, ...forged } = least;
    const own = operations.filter(({ security }) => security.some((each) => "session" in each));
    expect(own.length).toBeGreaterThan(3);
    for (const operation of own) {
      const body = operation.requestBody === undefined ? {} : { body: goodBody(operation) };
      const codeFor = async (headers: Readonly<Record<string, string>>) =>
        (await send(operation, unknownPath(operation), { headers, ...body })).body.detail.code;
      expect(await codeFor(expired)).toBe("session_expired");
      if (operation.method === "GET") continue;
      expect(await codeFor(forged)).toBe("csrf");
      // Every role may read, also by POST.
      const refused = codesOf(operation.responses["403"]?.content?.["application/json"]?.schema["$ref"]);
      if (refused.includes("forbidden")) expect(await codeFor(least)).toBe("forbidden");
    }
  });

  test("a token that has used up its requests is told so by every operation that asks for one", async () => {
    const strict = await startGatewayBeside(selo, { TOKEN_REQUESTS_PER_MINUTE: "1" });
    try {
      for (const operation of operations.filter(({ security }) => security.length > 0)) {
        const request = { headers: callers.live, ...(operation.requestBody ? { body: {} } : {}) };
        const asked = () => call(strict, operation.method, unknownPath(operation), request);
        let refused = await asked();
        // On a slow machine, a minute ends between two requests.
        for (let tries = 0; tries < 20 && refused.status !== 429; tries++) refused = await asked();
        expect(refused.status).toBe(429);
        expectDocumented(operation, refused);
        seenErrors.add(`${operation.operationId} 429 ${refused.body.detail.code}`);
      }
    } finally {
      await strict.stop();
    }
  });

  test("the stream of events begins as documented, and the 21st of an organization is refused", async () => {
    const abort = new AbortController();
    const open = () => fetch(`${selo.baseUrl}/api/v1${stream.path}`, { headers: callers.test, signal: abort.signal });
    try {
      for (let opened = 0; opened < 20; opened++) {
        const { status, headers, body } = await open();
        expect(status).toBe(200);
        expect(Object.keys(stream.responses["200"]?.content ?? {})).toEqual([headers.get("content-type")]);
        const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
        expect((await reader?.read())?.value).toMatch(/^event: endpoint\ndata: \{"id":/);
      }
      expect((await send(stream, stream.path, { headers: callers.test })).status).toBe(409);
    } finally {
      abort.abort();
    }
  });

  test.each<[string, RestRequest]>([
    ["registerProof", { body: { sha256: createHash("sha256").update("tomorrow").digest("hex") } }],
    ["uploadProof", { body: fileForm("tomorrow") }],
  ])("a proof is not registered by %s while the clock is behind, and not without a credit", async (name, request) => {
    const operation = operations.find(({ operationId }) => operationId === name) as LocatedOperation;
    const headers = callers.without_credits;
    expect((await send(operation, operation.path, { ...request, headers })).status).toBe(402);
    const undo = await recordTomorrow(selo.database);
    expect((await send(operation, operation.path, { ...request, headers: callers.live })).status).toBe(503);
    await undo();
  });

  test("an envelope is not sent without credits, while the clock is behind, and by a method that is unavailable", async () => {
    const operation = operations.find(({ operationId }) => operationId === "sendEnvelope") as LocatedOperation;
    const ready = async (headers: RestRequest["headers"], participant: object) => {
      const post = async (path: string, body: object | FormData) =>
        (await call(selo, "POST", path, { headers: headers ?? {}, body })).body.id as string;
      const documentId = await post("/documents", fileForm(new Uint8Array(ORDINARY)));
      const id = await post("/envelopes", { title: "Contract" });
      await post(`/envelopes/${id}/documents`, { document_id: documentId });
      await post(`/envelopes/${id}/participants`, { name: "Ana", email: "ana@example.com", ...participant });
      return Object.assign(() => send(operation, `/envelopes/${id}/send`, { headers: headers ?? {} }), {
        id,
        documentId,
      });
    };
    const poor = await ready(callers.without_credits, {});
    expect((await poor()).status).toBe(402);
    await selo.operator.changeSetting("icp_brasil_roots_live", "roots");
    const qualified = await ready(callers.without_credits, { modality: "qualificada" });
    expect((await qualified()).body.detail.code).toBe("insufficient_icp_credits");
    await selo.operator.changeSetting("icp_brasil_roots_live", "");
    const texted = await ready(callers.live, { auth_method: "otp_sms", phone: "+5511987654321" });
    expect((await texted()).body.detail.code).toBe("auth_method_unavailable");
    const late = await ready(callers.live, {});
    const rows = { rows: [{}], document_ids: [late.documentId], send: true };
    const { body: template } = await call(selo, "POST", "/templates", {
      headers: callers.live ?? {},
      body: { name: "Contract", participants: [{ name: "Ana", email: "ana@example.com" }] },
    });
    const bulk = operations.find(({ operationId }) => operationId === "applyTemplateInBulk") as LocatedOperation;
    const undo = await recordTomorrow(selo.database);
    expect((await late()).status).toBe(503);
    const bulkPath = `/templates/${template.id}/bulk`;
    expect((await send(bulk, bulkPath, { headers: callers.live ?? {}, body: rows })).status).toBe(503);
    await undo();
    expect((await late()).status).toBe(200);
    const cost = operations.find(({ operationId }) => operationId === "calculateEnvelopeCost") as LocatedOperation;
    const path = `/envelopes/${late.id}/calculate-cost`;
    expect((await send(cost, path, { headers: callers.live ?? {} })).status).toBe(409);
  });

  test("what is refused for the state of rows is documented", async () => {
    for (const { refusals } of productFacts) {
      const organization = await selo.newOrganization();
      const headers = { authorization: `Bearer ${organization.live}`, ...anotherAddress() };
      await refusals?.(selo, organization, (name, path, body) => {
        const operation = operations.find(({ operationId }) => operationId === name) as LocatedOperation;
        return send(operation, path, { headers, ...(body ? { body } : {}) });
      });
    }
  });

  test("the scope of the caller without scopes is asked for, too", async () => {
    const { token } = await selo.newOrganization();
    const headers = { authorization: `Bearer ${await token("live", ["audit:read"])}`, ...anotherAddress() };
    const unseen = operations.filter(
      ({ operationId, responses }) =>
        responses["403"] !== undefined &&
        codesOf(responses["403"].content?.["application/json"]?.schema["$ref"]).includes("missing_scope") &&
        !seenErrors.has(`${operationId} 403 missing_scope`),
    );
    for (const operation of unseen)
      expect((await send(operation, unknownPath(operation), { headers })).body.detail.code).toBe("missing_scope");
  });

  test("every documented code but those of our own faults was answered, and no other", () => {
    const documented = operations.flatMap((operation) =>
      Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, response]) =>
          codesOf(response.content?.["application/json"]?.schema["$ref"]).map(
            (code) => `${operation.operationId} ${status} ${code}`,
          ),
        ),
    );
    for (const { operationId } of operations)
      for (const fault of ["500 internal_error", "503 unavailable"]) {
        expect(documented).toContain(`${operationId} ${fault}`);
        seenErrors.add(`${operationId} ${fault}`);
      }
    // No example has the file of these; each file is sent by the same function.
    for (const { operationId, responses } of operations)
      if (
        "416" in responses &&
        !documentedAnswers.some(
          (answer) => answer.operation.operationId === operationId && answer.contentType !== "application/json",
        )
      )
        seenErrors.add(`${operationId} 416 range_not_satisfiable`);
    expect([...seenErrors].sort()).toEqual(documented.sort());
  });

  test("their meaning is what platform.error_codes says", async () => {
    const { rows } = await selo.database.admin.query<{ code: string; meaning: string }>(
      "select code, meaning from platform.error_codes",
    );
    const meanings = new Map(rows.map(({ code, meaning }) => [code, meaning]));
    for (const operation of operations)
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        for (const code of codesOf(response.content?.["application/json"]?.schema["$ref"]))
          expect(response.description).toContain(`\`${code}\`: ${meanings.get(code)}`);
      }
  });

  function codesOf(reference: string): string[] {
    const schema = description.components.schemas[reference.replace("#/components/schemas/", "")];
    return schema?.["properties"].detail.properties.code.enum;
  }
});

describe("the document", () => {
  test("has every route of the table, and the paths that services serve themselves, and no other", async () => {
    const described = await Promise.all(services.map((service) => service.openapi?.()));
    const own = routesOf(described.map((description) => ({ operations: description?.ownPaths ?? [] })));
    const documented = operations.map(({ method, path: where, operationId }) => `${method} ${where} ${operationId}`);
    expect(documented.sort()).toEqual(
      [...routes, ...own].map((route) => `${route.method} ${route.path} ${route.operation}`).sort(),
    );
  });

  test("has each error once: operations refer to it, and each example names one of them", () => {
    const users = Map.groupBy(
      Object.values(description.paths).flatMap((methods) =>
        Object.values(methods).flatMap(({ operationId, responses }) =>
          Object.entries(responses).flatMap(([status, response]) =>
            Number(status) < 400 ? [] : [{ operationId, name: "$ref" in response ? response.$ref : "none" }],
          ),
        ),
      ),
      ({ name }) => name.replace("#/components/responses/", ""),
    );
    const shared = description.components.responses;
    expect([...users.keys()].sort()).toEqual(Object.keys(shared).sort());
    for (const [name, { content }] of Object.entries(shared)) {
      const operationIds = users.get(name)?.map(({ operationId }) => operationId);
      for (const { "x-request": request } of Object.values(content?.["application/json"]?.examples ?? {}))
        expect(operationIds).toContain(request?.operation);
    }
    const bodies = Object.values(shared).map((response) => JSON.stringify({ ...response, content: null }));
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  test("names operations so that a client can be generated: unique identifiers", () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
    for (const name of Object.keys(description.components.schemas)) expect(name).toMatch(/^[A-Z][A-Za-z0-9]*$/);
  });

  test("names the schema of each request body, so that generators make a type of each", () => {
    const contents = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {})),
    );
    expect(contents.length).toBeGreaterThan(5);
    const names = contents.map(({ schema }) => schema["$ref"]);
    for (const name of names) expect(name).toMatch(/^#\/components\/schemas\/[A-Z]\w+(Request|Form)$/);
    expect(new Set(names).size).toBe(names.length);
  });

  test("lists the kinds of events that nothing sends yet behind all others, and each of them says so", () => {
    const kinds = Object.values(description.webhooks).map(({ post }) => post);
    const waiting = kinds.map(({ description: text }) => text.endsWith("nothing sends it yet."));
    expect(waiting).toEqual([...waiting].sort((one, other) => Number(one) - Number(other)));
    expect(kinds.filter((_, place) => !waiting[place]).map(({ summary }) => summary)).toEqual(eventKinds.sent);
    expect(waiting.filter(Boolean).length).toBe(eventKinds.later.length);
  });

  test("refers to nothing that is not in it", () => {
    const references = [...descriptionText.matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference = ""]) => reference);
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) {
      const names = reference.replace(/^#\//, "").split("/");
      const found = names.reduce<unknown>(
        (value, name) => (value as Record<string, unknown> | undefined)?.[name],
        description,
      );
      expect(found, reference).toBeDefined();
    }
  });

  test("describes every operation, parameter and member", () => {
    for (const operation of operations) {
      expect(operation.summary).toMatch(/^.{5,60}$/);
      expect(operation.description).toMatch(/./);
      for (const parameter of parametersOf(operation)) expect(parameter.description, parameter.name).toMatch(/./);
      for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
        for (const [name, member] of Object.entries<{ description?: string }>(schema["properties"]))
          expect(member.description, `${operation.operationId} ${name}`).toMatch(/./);
    }
    for (const [name, schema] of Object.entries(description.components.schemas)) {
      if (name.endsWith("Error")) continue;
      expect(schema["description"], name).toMatch(/./);
    }
  });

  test("has an example of a success of every operation, and shows the bodies that were sent", () => {
    for (const operation of operations) {
      // What goes on for as long as somebody listens is no example.
      if (operation === stream) continue;
      // No example has a route to the tax authority, so no invoice is transmitted, and the file of a certificate is no text.
      if (
        /^(emitInvoice|cancelInvoice|linkInvoiceFile|downloadDanfse|downloadNfse|downloadDps|putIssuerCertificate)$/.test(
          operation.operationId,
        )
      )
        continue;
      // Nobody signs in an example, so no envelope has a final PDF, or a file that somebody delivered.
      if (
        ["downloadFinalDocument", "downloadAttachment", "deliverAttachment", "verifyPublicEnvelope"].includes(
          operation.operationId,
        )
      )
        continue;
      const own = documentedAnswers.filter((answer) => answer.operation === operation);
      expect(own.filter(({ status }) => status < 300).length, operation.operationId).toBeGreaterThan(0);
      for (const { examples } of Object.values(operation.requestBody?.content ?? {}))
        for (const [name, { value }] of Object.entries(examples ?? {})) {
          const { body, form } = documentedAnswer(operation.operationId, name)["x-request"];
          expect(value).toEqual(
            body ?? { ...form?.fields, ...(form?.file === undefined ? {} : { file: form.file.text }) },
          );
        }
    }
  });

  test("is compared, for drift, by which values are the same, not by what they are", () => {
    const [one, other] = [documentedAnswer("registerProof", "digest"), documentedAnswer("uploadProof", "file")].map(
      ({ value }) => JSON.stringify(value),
    );
    const { id } = JSON.parse(one ?? "");
    expect(withPlaceholders(one?.replaceAll(id, "0197a0c0-0000-7000-8000-000000000000") ?? "")).toBe(
      withPlaceholders(one ?? ""),
    );
    expect(withPlaceholders(one?.replace(id, "0197a0c0-0000-7000-8000-000000000000") ?? "")).not.toBe(
      withPlaceholders(one ?? ""),
    );
    expect(withPlaceholders(one ?? "")).not.toBe(withPlaceholders(other ?? ""));
    // Names of schemas and answers are long, too.
    const text = withPlaceholders(descriptionText).replaceAll(/#\/components\/\w+\/\w+|"\w+Error":/g, "");
    expect(text).not.toMatch(/[A-Za-z0-9+/]{80}|\d{4}-\d\d-\d\dT[\d:]+\./);
  });

  test("holds no secret", () => {
    expect(descriptionText).not.toMatch(/svc_(live|test)_[A-Za-z0-9_-]{20}/);
    expect(descriptionText).not.toMatch(/authorization"/i);
  });
});

describe("the proofs shown verify offline with the keys shown", () => {
  const keys = readKeys(JSON.stringify(documentedAnswer("listPlatformKeys", "keys").value));

  test("as their owner sees them", () => {
    const {
      sha256,
      file_name: name,
      file_size: size,
    } = documentedAnswer("registerProof", "digest")["x-request"].body as {
      sha256: string;
      file_name: string;
      file_size: number;
    };
    const proof = documentedAnswer("getProof", "proof").value;
    const { verdict, environment } = verify(readEvidence(JSON.stringify(proof)), { sha256, name, size }, keys);
    expect({ verdict, environment }).toEqual({ verdict: "proved", environment: "live" });
  });

  test("as the public sees them, with the file", () => {
    const { value, "x-request": request } = documentedAnswer("verifyPublicFile", "file");
    const { name, text } = request.form?.file ?? { name: "", text: "" };
    const sha256 = createHash("sha256").update(text).digest("hex");
    const { verdict, environment } = verify(
      readEvidence(JSON.stringify(value)),
      { sha256, name, size: text.length },
      keys,
    );
    expect({ verdict, environment }).toEqual({ verdict: "proved", environment: "live" });
  });
});
