// What schema/openapi.json loses by a change: each kind of removal and narrowing is named in one sentence, and an addition in none.
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { type OpenApi, openApiNarrowings } from "../../../src/main/release/openapi-narrowings.ts";
import { type Schema, schemaNarrowings } from "../../../src/main/release/schema-narrowings.ts";

// biome-ignore lint/suspicious/noExplicitAny: a change may be made anywhere in the document
type Anything = any;

const file = new URL("../../../schema/openapi.json", import.meta.url);
/** Without examples, which are most of it. */
const text = JSON.stringify(
  JSON.parse(fs.readFileSync(file, "utf8"), (key, value) => (/examples$/.test(key) ? undefined : value)),
);
const before: OpenApi = JSON.parse(text);

function changed(change: (document: Anything) => void): string[] {
  const after = JSON.parse(text);
  change(after);
  expect(JSON.stringify(after) === text, "the change changes nothing").toBe(false);
  return [...new Set(openApiNarrowings(before, after))];
}

const list = (document: Anything) => document.paths["/proofs"].get;
const register = (document: Anything) => document.paths["/proofs"].post;
const parameter = (document: Anything, name: string) =>
  list(document).parameters.find((each: Anything) => each.name === name);
const schema = (document: Anything, name: string) => document.components.schemas[name];
const webhook = (document: Anything) => document.webhooks["proof.registered"].post;
const payload = (document: Anything) => webhook(document).requestBody.content["application/json"].schema;
const without = (names: string[], name: string) => names.filter((each) => each !== name);

const narrowings: Record<string, [change: (document: Anything) => void, sentences: string[]]> = {
  "a path less": [(d) => delete d.paths["/me"], ["REST: `GET /me` was removed."]],
  "a method less": [(d) => delete d.paths["/webhooks/{id}"].delete, ["REST: `DELETE /webhooks/{id}` was removed."]],
  "another address": [
    (d) => {
      d.servers[0].url = "/api/v2";
    },
    ["REST: `/api/v1` was removed."],
  ],
  "another operationId": [
    (d) => {
      list(d).operationId = "proofs";
    },
    ["REST: `GET /proofs` has `operationId` `proofs` in place of `listProofs`."],
  ],
  "a further scope": [
    (d) => list(d).security[0].token.push("proofs:write"),
    [
      'REST: `GET /proofs` has `security` `[{"token":["proofs:read","proofs:write"]}]` in place of `{"token":["proofs:read"]}`.',
    ],
  ],
  "a token where none was needed": [
    (d) => {
      d.paths["/public/proofs/{code}"].get.security = [{ token: [] }];
    },
    ['REST: `GET /public/proofs/{code}` has `security` `[{"token":[]}]` in place of `{}`.'],
  ],
  "another way of authentication": [
    (d) => {
      d.components.securitySchemes.token.scheme = "basic";
    },
    ["REST: The way of authentication `token` was changed."],
  ],
  "a parameter less": [
    (d) => {
      list(d).parameters = list(d).parameters.filter((each: Anything) => each.name !== "search");
    },
    ["REST: `GET /proofs?search` was removed."],
  ],
  "a header less to send": [
    (d) => {
      register(d).parameters = [];
    },
    ["REST: `POST /proofs Idempotency-Key` was removed."],
  ],
  "a parameter that is required now": [
    (d) => {
      parameter(d, "search").required = true;
    },
    ["REST: `GET /proofs?search` is required."],
  ],
  "a required parameter more": [
    (d) => list(d).parameters.push({ name: "year", in: "query", required: true, schema: {} }),
    ["REST: `GET /proofs?year` is required."],
  ],
  "a parameter written in another way": [
    (d) => {
      parameter(d, "fields").explode = true;
    },
    ["REST: `GET /proofs?fields` has `explode` `true` in place of `false`."],
  ],
  "a lower maximum": [
    (d) => {
      parameter(d, "limit").schema.maximum = 100;
    },
    ["REST: `GET /proofs?limit` has `maximum` `100` in place of `200`."],
  ],
  "a higher minimum": [
    (d) => {
      parameter(d, "limit").schema.minimum = 2;
    },
    ["REST: `GET /proofs?limit` has `minimum` `2` in place of `1`."],
  ],
  "a shorter text, in all operations that take it": [
    (d) => {
      d.components.parameters.IdempotencyKey.schema.maxLength = 80;
    },
    ["REST: `IdempotencyKey` has `maxLength` `80` in place of `255`."],
  ],
  "a pattern more": [
    (d) => {
      parameter(d, "search").schema.pattern = "^a";
    },
    ["REST: `GET /proofs?search` has `pattern` `^a` in place of none."],
  ],
  "another default": [
    (d) => {
      parameter(d, "limit").schema.default = 20;
    },
    ["REST: `GET /proofs?limit` has `default` `20` in place of `50`."],
  ],
  "a value less to ask for": [
    (d) => {
      parameter(d, "fields").schema.items.enum = without(parameter(d, "fields").schema.items.enum, "label");
    },
    ["REST: `GET /proofs?fields[]` no longer takes `label`."],
  ],
  "a body less": [(d) => delete register(d).requestBody, ["REST: `POST /proofs body` was removed."]],
  "a body that is required now": [
    (d) => {
      d.paths["/webhooks/{id}/rotate"].post.requestBody = { required: true, content: {} };
    },
    ["REST: `POST /webhooks/{id}/rotate body` is required."],
  ],
  "a media type less to send": [
    (d) => {
      const { content } = d.paths["/proofs/files"].post.requestBody;
      content["multipart/mixed"] = content["multipart/form-data"];
      delete content["multipart/form-data"];
    },
    ["REST: `POST /proofs/files body` no longer takes `multipart/form-data`."],
  ],
  "a member less to send": [
    (d) => delete schema(d, "RegisterProofRequest").properties.label,
    ["REST: `RegisterProofRequest.label` was removed."],
  ],
  "a member that is required now": [
    (d) => schema(d, "RegisterProofRequest").required.push("label"),
    ["REST: `RegisterProofRequest.label` is required."],
  ],
  "a member that may be null no more": [
    (d) => {
      schema(d, "RegisterProofRequest").properties.label.type = "string";
    },
    ["REST: `RegisterProofRequest.label` no longer takes `null`."],
  ],
  "a schema of another name": [
    (d) => {
      d.components.schemas.Account = d.components.schemas.Me;
      delete d.components.schemas.Me;
      d.paths["/me"].get.responses["200"].content["application/json"].schema.$ref = "#/components/schemas/Account";
    },
    ["REST: `Me` was removed."],
  ],
  "a member less of an answer": [
    (d) => {
      delete schema(d, "Proof").properties.label;
      schema(d, "Proof").required = without(schema(d, "Proof").required, "label");
    },
    ["REST: `Proof.label` was removed."],
  ],
  "a member less of items": [
    (d) => {
      delete schema(d, "PlatformKey").properties.status;
    },
    ["REST: `PlatformKey.status` was removed."],
  ],
  "a member of an answer that may be absent": [
    (d) => {
      schema(d, "ProofPage").required = without(schema(d, "ProofPage").required, "items");
    },
    ["REST: `ProofPage.items` may be absent."],
  ],
  "a member of an answer that may be null": [
    (d) => {
      schema(d, "Proof").properties.language.type = ["string", "null"];
    },
    ["REST: `Proof.language` may be `null`."],
  ],
  "another type of an answer": [
    (d) => {
      schema(d, "Proof").properties.file_size.type = ["number", "null"];
    },
    ["REST: `Proof.file_size` may be a value of type `number`."],
  ],
  "a further value in an answer": [
    (d) => schema(d, "Proof").properties.evidence_signature_algorithms.items.enum.push("Ed448"),
    ["REST: `Proof.evidence_signature_algorithms[]` may be `Ed448`."],
  ],
  "any value in an answer": [
    (d) => delete schema(d, "Proof").properties.evidence_signature_algorithms.items.enum,
    ["REST: `Proof.evidence_signature_algorithms[]` may be any other value."],
  ],
  "an error code more in an answer": [
    (d) => schema(d, "NotFoundError").properties.detail.properties.code.enum.push("lost"),
    ["REST: `NotFoundError.detail.code` may be `lost`."],
  ],
  "a pattern less of an answer": [
    (d) => delete schema(d, "Proof").properties.sha256.pattern,
    ["REST: `Proof.sha256` has `pattern` none in place of `^[0-9a-f]{64}$`."],
  ],
  "a further form of an answer": [
    (d) => list(d).responses["200"].content["application/json"].schema.anyOf.push({ type: "string" }),
    ['REST: `GET /proofs 200` may be `{"type":"string"}`.'],
  ],
  "forms where an answer had one": [
    (d) => {
      const content = d.paths["/me"].get.responses["200"].content["application/json"];
      content.schema = { anyOf: [content.schema, { $ref: "#/components/schemas/Proof" }] };
    },
    ["REST: `GET /me 200` may be `Proof`."],
  ],
  "a status less": [(d) => delete register(d).responses["201"], ["REST: `POST /proofs 201` was removed."]],
  "a media type less in an answer": [
    (d) => delete d.paths["/proofs/{id}/receipt"].get.responses["200"].content["application/pdf"],
    ["REST: `GET /proofs/{id}/receipt 200` is no longer `application/pdf`."],
  ],
  "a header less in an answer": [
    (d) => delete list(d).responses["200"].headers.Link,
    ["REST: `GET /proofs 200 Link` was removed."],
  ],
  "a webhook less": [(d) => delete d.webhooks["proof.registered"], ["Webhooks: `proof.registered` was removed."]],
  "a header less of a webhook": [
    (d) => webhook(d).parameters.shift(),
    ["Webhooks: `proof.registered User-Agent` was removed."],
  ],
  "a header of webhooks that may be absent": [
    (d) => {
      d.components.parameters["X-Webhook-Id"].required = false;
    },
    ["Webhooks: `X-Webhook-Id` may be absent."],
  ],
  "a member less of a webhook": [
    (d) => delete payload(d).properties.data.properties.label,
    ["Webhooks: `proof.registered body.data.label` was removed."],
  ],
  "a member of a webhook that may be absent": [
    (d) => {
      payload(d).required = without(payload(d).required, "tenant_id");
    },
    ["Webhooks: `proof.registered body.tenant_id` may be absent."],
  ],
  "a status less that a receiver may answer": [
    (d) => delete webhook(d).responses["410"],
    ["Webhooks: `proof.registered 410` was removed."],
  ],
};

describe("a removal or narrowing is named", () => {
  for (const [name, [change, sentences]] of Object.entries(narrowings))
    test(name, () => expect(changed(change)).toEqual(sentences));
});

const additions: Record<string, (document: Anything) => void> = {
  "a path more": (d) => {
    d.paths["/things"] = d.paths["/me"];
  },
  "an optional parameter more": (d) => list(d).parameters.push({ name: "year", in: "query", schema: {} }),
  "a higher maximum": (d) => {
    parameter(d, "limit").schema.maximum = 300;
  },
  "a value more to ask for": (d) => parameter(d, "fields").schema.items.enum.push("year"),
  "a limit less to what is sent": (d) => delete parameter(d, "search").schema.maxLength,
  "a member more to send": (d) => {
    schema(d, "RegisterProofRequest").properties.year = { type: "integer" };
  },
  "a media type more to send": (d) => {
    register(d).requestBody.content["text/plain"] = {};
  },
  "a body that may be left out": (d) => {
    register(d).requestBody.required = false;
  },
  "a member more of an answer": (d) => {
    schema(d, "Proof").properties.year = { type: "integer" };
    schema(d, "Proof").required.push("year");
  },
  "a member of an answer that is always there now": (d) => {
    schema(d, "ProofPage").required = Object.keys(schema(d, "ProofPage").properties);
  },
  "a member of an answer that is null no more": (d) => {
    schema(d, "Proof").properties.label.type = "string";
  },
  "a value less in an answer": (d) => schema(d, "Proof").properties.evidence_signature_algorithms.items.enum.pop(),
  "a form less in an answer": (d) => list(d).responses["200"].content["application/json"].schema.anyOf.pop(),
  "a status more": (d) => {
    list(d).responses["418"] = { description: "Short and stout." };
  },
  "a header more in an answer": (d) => {
    list(d).responses["200"].headers["X-More"] = { schema: {} };
  },
  "a scope less": (d) => {
    list(d).security = [];
  },
  "a webhook more, and a member more of one": (d) => {
    payload(d).properties.data.properties.year = { type: "integer" };
    payload(d).properties.data.required.push("year");
    d.webhooks["proof.aged"] = d.webhooks["proof.registered"];
  },
  "a schema written out where it was named": (d) => {
    schema(d, "Proof").properties.evidence = schema(d, "Evidence");
  },
  "other words and examples": (d) => {
    JSON.stringify(d, function (this: Anything, key, value) {
      if (key === "description" && typeof value === "string") this[key] = "Other words.";
      return value;
    });
    schema(d, "Proof").description = "Other words.";
    schema(d, "Proof").properties.label.example = "Contract";
    register(d).summary = "Other words";
    register(d)["x-examples"] = { one: {} };
    list(d).responses["200"].content["application/json"].examples = {};
    parameter(d, "limit").example = 7;
  },
  "members in another order": (d) => {
    const { properties } = schema(d, "Proof");
    schema(d, "Proof").properties = Object.fromEntries(Object.entries(properties).reverse());
    schema(d, "Proof").required.reverse();
    list(d).parameters.reverse();
  },
};

describe("an addition is no narrowing", () => {
  for (const [name, change] of Object.entries(additions)) test(name, () => expect(changed(change)).toEqual([]));
});

test("an error that operations refer to is compared with the same error written out in each, in both directions", () => {
  const writtenOut: Anything = JSON.parse(text);
  const operations: Anything[] = Object.values(writtenOut.paths).flatMap((methods) => Object.values(methods as object));
  let references = 0;
  for (const { responses } of operations)
    for (const [status, { $ref }] of Object.entries<Anything>(responses)) {
      if ($ref === undefined) continue;
      responses[status] = structuredClone(writtenOut.components.responses[$ref.split("/").at(-1)]);
      references++;
    }
  expect(references).toBeGreaterThan(operations.length);
  delete writtenOut.components.responses;
  expect(openApiNarrowings(writtenOut, before)).toEqual([]);
  expect(openApiNarrowings(before, writtenOut)).toEqual([]);
  delete list(writtenOut).responses["429"].headers["Retry-After"];
  expect(openApiNarrowings(before, writtenOut)).toEqual(["REST: `GET /proofs 429 Retry-After` was removed."]);
});

test("what answers and bodies refer to is compared, and a reference to nothing is an error", () => {
  const document = (maxLength: number): OpenApi => ({
    info: { title: "Notes", version: "1.0.0" },
    paths: {
      "/notes": {
        post: {
          requestBody: { $ref: "#/components/requestBodies/Note" },
          responses: { "201": { $ref: "#/components/responses/Made" } },
        },
      },
    },
    components: {
      requestBodies: { Note: { content: { "application/json": { schema: { maxLength } } } } },
      responses: { Made: { content: { "application/json": { schema: { maxLength: 10 - maxLength } } } } },
    },
  });
  expect(openApiNarrowings(document(5), document(4), "Notes")).toEqual([
    "Notes: `POST /notes body` has `maxLength` `4` in place of `5`.",
    "Notes: `POST /notes 201` has `maxLength` `6` in place of `5`.",
  ]);
  const { components: _, ...broken } = document(4);
  expect(() => openApiNarrowings(document(5), broken)).toThrow("nothing at #/components/requestBodies/Note");
});

describe("what no schema of the document has yet", () => {
  const asked = (before: Schema, after: Schema, schemas: Record<string, Schema> = {}) => {
    const document = { components: { schemas } };
    return schemaNarrowings("It", before, after, { role: "request", before: document, after: document });
  };

  test("a member named description, required or items is a member like others", () => {
    const names = ["description", "required", "items", "default"];
    const all = { properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
    expect(asked(all, { properties: {} })).toEqual(names.map((name) => `\`It.${name}\` was removed.`));
  });

  test("a keyword that nobody named is compared as a whole", () => {
    expect(asked({}, { multipleOf: 2 })).toEqual(["`It` has `multipleOf` `2` in place of none."]);
    expect(asked({ multipleOf: 2 }, {})).toEqual([]);
  });

  test("other members are refused, or of a narrower form", () => {
    expect(asked({}, { additionalProperties: false })).toEqual(["`It` no longer takes other members."]);
    expect(asked({ additionalProperties: false }, {})).toEqual([]);
    expect(asked({}, { additionalProperties: { type: "string" } })).toEqual([
      "`It.*` no longer takes values of any type.",
    ]);
    expect(asked({ additionalProperties: { maxLength: 2 } }, { additionalProperties: { maxLength: 1 } })).toEqual([
      "`It.*` has `maxLength` `1` in place of `2`.",
    ]);
  });

  test("an integer is a number; a constant is a list of one", () => {
    expect(asked({ type: "integer" }, { type: "number" })).toEqual([]);
    expect(asked({ type: "number" }, { type: "integer" })).toEqual(["`It` no longer takes a value of type `number`."]);
    expect(asked({ const: 1 }, { enum: [1, 2] })).toEqual([]);
    expect(asked({ enum: [1, 2] }, { const: 1 })).toEqual(["`It` no longer takes `2`."]);
  });

  test("one of several forms less is named", () => {
    const one = { type: "object", required: ["sha256"] };
    const other = { type: "object", required: ["file"] };
    expect(asked({ oneOf: [one, other] }, { oneOf: [other] })).toEqual([
      expect.stringContaining('no longer takes `{"type":"object","required":["sha256"]}`'),
    ]);
    expect(asked({ oneOf: [other] }, { oneOf: [one, other] })).toEqual([]);
  });

  test("a schema that contains itself comes to an end", () => {
    const tree = { $ref: "#/components/schemas/Tree" };
    const schemas = { Tree: { properties: { branches: { type: "array", items: tree } } } };
    expect(asked(tree, tree, schemas)).toEqual([]);
  });

  test("a reference to nothing is an error", () => {
    expect(() => asked({ $ref: "#/components/schemas/None" }, {})).toThrow("no schema #/components/schemas/None");
  });
});
