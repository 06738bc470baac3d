// Templates: made, changed, applied to one recipient. signature-service §1.3, §2 Template, §4 Templates.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answered, graphql } from "../../support/graphql-client.ts";
import { expectError, type RestResponse } from "../../support/rest-client.ts";
import { aDocument, ask, CPF, read } from "./envelope-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";
import { chain, send } from "./sending-stage.ts";

setUpStage();

const create = (body: object) => ask(stage, "POST", "/templates", { name: "Lease", ...body });
const apply = (id: string, body: object = {}) => ask(stage, "POST", `/templates/${id}/apply`, body);

async function aTemplate(body: object = {}): Promise<string> {
  const { status, body: made, text } = await create({ participants: [{}], ...body });
  if (status !== 201) throw new Error(`answered ${status}: ${text}`);
  return made.id;
}

interface TemplatePage {
  readonly nodes: readonly { readonly id: string }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly endCursor: string };
}

const ANA = { name: "Ana", email: "ana@example.net" };
const fieldsOf = ({ body }: RestResponse): string[] => body.fields.map(({ field }: { field: string }) => field).sort();

describe("POST /templates", () => {
  test("answers the template with the defaults of envelopes, and without more", async () => {
    const { status, body } = await create({ participants: [{}, { role: "observador", ...ANA }] });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: "Lease",
      title: null,
      message: null,
      signing_order: "parallel",
      language: null,
      expires_in_days: null,
      participants: [
        { role: "signatario", order_index: 1, auth_method: "email", modality: "avancada", name: null, email: null },
        { role: "observador", order_index: 2, auth_method: "email", modality: "avancada", ...ANA },
      ],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await ask(stage, "GET", `/templates/${body.id}`)).toMatchObject({ status: 200, body });
    const order = ["name", "title", "message", "signing_order", "language", "expires_in_days", "participants"];
    expect(Object.keys(body)).toEqual(["id", ...order, "created_at", "updated_at"]);
    expect(Object.keys(body.participants[0])).toEqual([
      "role",
      "order_index",
      "auth_method",
      "modality",
      "name",
      "email",
    ]);
  });

  test("a missing order_index is the highest so far plus one", async () => {
    const { body } = await create({ participants: [{ order_index: 5 }, {}, { order_index: 2 }, {}] });
    expect(body.participants.map((each: { order_index: number }) => each.order_index)).toEqual([5, 6, 2, 7]);
    const over = await create({ participants: [{ order_index: 999 }, {}] });
    expectError(over, 422, "invalid_request");
    expect(fieldsOf(over)).toEqual(["participants.1.order_index"]);
  });

  test.each<[string, object, string]>([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a name of 161 characters", { name: "n".repeat(161) }, "name"],
    ["a name that turns the direction of writing", { name: "a\u202eb" }, "name"],
    ["a title of 256 characters", { title: "t".repeat(256) }, "title"],
    ["an empty title", { title: "" }, "title"],
    ["a title of two lines", { title: "a\r\nb" }, "title"],
    ["a message of 4,001 characters", { message: "m".repeat(4_001) }, "message"],
    ["an unknown order", { signing_order: "random" }, "signing_order"],
    ["no language tag", { language: "português" }, "language"],
    ["0 days", { expires_in_days: 0 }, "expires_in_days"],
    ["366 days", { expires_in_days: 366 }, "expires_in_days"],
    ["51 participants", { participants: Array(51).fill({}) }, "participants"],
    ["an unknown role", { participants: [{ role: "boss" }] }, "participants.0.role"],
    ["an unknown member", { participants: [{ cpf: CPF }] }, "participants.0.cpf"],
    ["place 0", { participants: [{ order_index: 0 }] }, "participants.0.order_index"],
    ["place 1000", { participants: [{ order_index: 1_000 }] }, "participants.0.order_index"],
    ["an e-mail address without a name", { participants: [{ email: ANA.email }] }, "participants.0.name"],
    ["no e-mail address", { participants: [{ name: "Ana", email: "ana" }] }, "participants.0.email"],
    ["a name with a line break", { participants: [{ ...ANA, name: "A\nB" }] }, "participants.0.name"],
    [
      "a place twice in a sequential template",
      { signing_order: "sequential", participants: [{ order_index: 1 }, { order_index: 1 }] },
      "participants.0.order_index,participants.1.order_index",
    ],
  ])("%s is 422", async (_, body, field) => {
    const answer = await create(body);
    expectError(answer, 422, "invalid_request");
    expect(fieldsOf(answer).join()).toBe(field);
  });

  test.each<[string, object]>([
    ["a name of 160 characters", { name: "n".repeat(160) }],
    ["a title of 255 characters", { title: "t".repeat(255) }],
    ["a message of 4,000 characters", { message: "m".repeat(4_000) }],
    ["365 days", { expires_in_days: 365 }],
    ["no participants", { participants: [] }],
    ["50 participants", { participants: Array(50).fill({}) }],
    [
      "an observador at the place of another of a sequential template",
      {
        signing_order: "sequential",
        participants: [{ order_index: 1 }, { order_index: 1, role: "observador" }],
      },
    ],
    [
      "a place twice in a mixed template",
      { signing_order: "mixed", participants: [{ order_index: 1 }, { order_index: 1 }] },
    ],
  ])("%s is taken", async (_, body) => {
    expect((await create(body)).status).toBe(201);
  });

  test("auth_method none is auth_method_not_allowed", async () => {
    const answer = await create({ participants: [{}, { auth_method: "none" }] });
    expectError(answer, 422, "auth_method_not_allowed");
    expect(fieldsOf(answer)).toEqual(["participants.1.auth_method"]);
  });
});

describe("GET /templates", () => {
  test("is a page, newest first, and searches name and title literally, in any case", async () => {
    const title = `100%_ação ${randomUUID()}`;
    const [first, second] = [
      await aTemplate({ title: title.normalize("NFD") }),
      await aTemplate({ name: title.toUpperCase() }),
    ];
    await aTemplate({ title: title.replace("%_", "xy") });
    const { status, body } = await ask(
      stage,
      "GET",
      `/templates?search=${encodeURIComponent(title.toUpperCase())}&limit=1`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 2, limit: 1, items: [{ id: second }] });
    const next = await ask(stage, "GET", `/templates?search=${encodeURIComponent(title)}&cursor=${body.next_cursor}`);
    expect(next.body.items).toMatchObject([{ id: first }]);
    const found = `templates(search: ${JSON.stringify(title)}, first: 1) { nodes { id } totalCount pageInfo { endCursor } }`;
    const page = answered<TemplatePage>(await graphql(selo, stage.token, `{ ${found} }`), "templates");
    expect(page).toMatchObject({ nodes: [{ id: second }], totalCount: 2 });
    const after = found.replace("first: 1", `first: 5, after: ${JSON.stringify(page.pageInfo.endCursor)}`);
    const last = answered<TemplatePage>(await graphql(selo, stage.token, `{ ${after} }`), "templates");
    expect(last).toMatchObject({ nodes: [{ id: first }], totalCount: 2 });
  });
});

describe("PATCH /templates/{id}", () => {
  test("changes the given members only, and participants as a whole", async () => {
    const id = await aTemplate({ title: "Title", message: "Message", language: "pt-BR", expires_in_days: 5 });
    const { body: before } = await ask(stage, "GET", `/templates/${id}`);
    const named = await ask(stage, "PATCH", `/templates/${id}`, { name: "Other" });
    expect(named).toMatchObject({ status: 200, body: { ...before, name: "Other", updated_at: expect.any(String) } });
    const { body } = await ask(stage, "PATCH", `/templates/${id}`, {
      title: null,
      message: null,
      language: null,
      expires_in_days: null,
      participants: [ANA],
    });
    expect(body).toMatchObject({ title: null, message: null, language: null, expires_in_days: null });
    expect(body.participants).toMatchObject([{ order_index: 1, ...ANA }]);
    expect(body.updated_at > before.updated_at).toBe(true);
  });

  test("changes no envelope", async () => {
    const id = await aTemplate({ title: "Title", message: "Message" });
    const { body: envelope } = await apply(id, { recipients: [{ order_index: 1, ...ANA }] });
    const changed = { name: "Other", title: "New", message: null, signing_order: "mixed", language: "en" };
    await ask(stage, "PATCH", `/templates/${id}`, { ...changed, expires_in_days: 3, participants: [ANA, {}] });
    expect(await read(stage, envelope.id)).toEqual(envelope);
    expect(await chain(stage, envelope.id)).toEqual(["envelope.created"]);
  });

  test("is judged as a whole: a roster that was right for another order is 422, and nothing changes", async () => {
    const id = await aTemplate({ participants: [{ order_index: 1 }, { order_index: 1 }] });
    const { body: before } = await ask(stage, "GET", `/templates/${id}`);
    expectError(await ask(stage, "PATCH", `/templates/${id}`, { signing_order: "sequential" }), 422, "invalid_request");
    expect((await ask(stage, "GET", `/templates/${id}`)).body).toEqual(before);
  });

  test.each([["name"], ["signing_order"], ["participants"]])("%s: null is 422", async (name) => {
    const answer = await ask(stage, "PATCH", `/templates/${await aTemplate()}`, { [name]: null });
    expectError(answer, 422, "invalid_request");
    expect(fieldsOf(answer)).toEqual([name]);
  });
});

describe("DELETE /templates/{id}", () => {
  test("removes it, and leaves its envelopes without a template_id", async () => {
    const id = await aTemplate();
    const { body: envelope } = await apply(id, { recipients: [{ order_index: 1, ...ANA }] });
    expect(envelope.template_id).toBe(id);
    expect((await ask(stage, "DELETE", `/templates/${id}`)).status).toBe(204);
    expect(await read(stage, envelope.id)).toMatchObject({ ...envelope, template_id: null });
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/apply"],
    ] as const)
      expectError(
        await ask(stage, method, `/templates/${id}${path}`, method === "GET" ? undefined : {}),
        404,
        "not_found",
      );
  });

  test("the trail holds names, titles and messages as personal data alone", async () => {
    const id = await aTemplate({ name: "Secret name", title: "Secret title", message: "Secret message" });
    await ask(stage, "PATCH", `/templates/${id}`, { name: "Secret other" });
    await ask(stage, "DELETE", `/templates/${id}`);
    expect(await chain(stage, id)).toEqual(["template.created", "template.changed", "template.deleted"]);
    const { rows } = await selo.database.admin.query(
      "select string_agg(details, ' ') as details, jsonb_agg(personal)::text as personal from platform.audit_events where subject_id = $1",
      [id],
    );
    expect(rows[0].details).not.toContain("Secret");
    for (const text of ["Secret name", "Secret title", "Secret message", "Secret other"])
      expect(rows[0].personal).toContain(text);
  });
});

describe("POST /templates/{id}/apply", () => {
  test("makes a draft of the template: order, message, language, days, and participants in the order of their places", async () => {
    const id = await aTemplate({
      title: "Contract",
      message: "Please sign",
      signing_order: "sequential",
      language: "en",
      expires_in_days: 7,
      participants: [
        { order_index: 3, name: "Company", email: "company@example.com", role: "aprovador" },
        { order_index: 1 },
        { order_index: 2, name: "Witness", role: "testemunha" },
      ],
    });
    const { status, body } = await apply(id, {
      recipients: [
        { order_index: 2, email: "witness@example.net", phone: "+5511987654321" },
        { order_index: 1, ...ANA, cpf: CPF, ssn_last4: "6789" },
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: "Contract",
      message: "Please sign",
      status: "draft",
      signing_order: "sequential",
      language: "en",
      expires_in_days: 7,
      field_placement: "report",
      allow_delegation: false,
      template_id: id,
      documents: [],
      fields: [],
      participants: [
        { ...ANA, role: "signatario", order_index: 1, cpf: "***.982.247-**", ssn_last4: "***-**-**89", phone: null },
        { name: "Witness", email: "witness@example.net", order_index: 2, phone: "+55*********21" },
        { name: "Company", email: "company@example.com", role: "aprovador", order_index: 3, cpf: null },
      ],
    });
    expect(await read(stage, body.id)).toEqual(body);
    expect(await chain(stage, body.id)).toEqual(["envelope.created"]);
  });

  test.each([
    ["with numbers", { cpf: CPF }],
    ["without", {}],
  ])("participants stand in the order of their places, and of the roster within one: %s", async (_, more) => {
    const roster = [
      { order_index: 2 },
      { order_index: 1, name: "Second" },
      { order_index: 1 },
      { order_index: 2, ...ANA },
    ];
    const at = (order_index: number, name: string) => ({ order_index, name, email: `${name}@example.net`, ...more });
    const id = await aTemplate({ participants: roster });
    const { body } = await apply(id, { recipients: [at(2, "third"), at(1, "first"), at(1, "second")] });
    const names = body.participants.map(({ name }: { name: string }) => name);
    expect(names).toEqual(["first", "second", "third", "Ana"]);
  });

  test.each<[string, object, object, string]>([
    ["that of the call", { title: "Title" }, { title: "Mine" }, "Mine"],
    ["else that of the template", { title: "Title" }, {}, "Title"],
    ["else the name of the template", {}, { title: null }, "Lease"],
  ])("the title is %s", async (_, template, body, title) => {
    const id = await aTemplate({ participants: [], ...template });
    expect((await apply(id, body)).body.title).toBe(title);
  });

  test("the draft is sent as any other", async () => {
    const id = await aTemplate();
    const { body } = await apply(id, { recipients: [{ order_index: 1, ...ANA }] });
    await ask(stage, "POST", `/envelopes/${body.id}/documents`, { document_id: await aDocument(stage) });
    const sent = await send(stage, body.id);
    expect(sent).toMatchObject({
      status: 200,
      body: { status: "sent", participants: [{ ...ANA, status: "invited" }] },
    });
  });

  test("several recipients of one place fill it in the order of the roster, as given", async () => {
    const id = await aTemplate({
      participants: [
        { order_index: 1, role: "signatario" },
        { order_index: 1, role: "testemunha" },
      ],
    });
    const { body } = await apply(id, {
      recipients: [
        { order_index: 1, name: "First", email: "1@example.net" },
        { order_index: 1, name: "Second", email: "2@example.net" },
      ],
    });
    expect(body.participants).toMatchObject([
      { name: "First", role: "signatario" },
      { name: "Second", role: "testemunha" },
    ]);
  });

  test("a placeholder without name or e-mail address is template_participant_missing_recipient, and nothing is made", async () => {
    const id = await aTemplate({
      participants: [{ order_index: 4 }, { order_index: 2 }, ANA, { order_index: 9, name: "Known" }],
    });
    const count = async () => (await ask(stage, "GET", "/envelopes?limit=1")).body.total;
    const before = await count();
    const answer = await apply(id, { recipients: [{ order_index: 2, email: ANA.email }] });
    expectError(answer, 422, "template_participant_missing_recipient");
    expect(answer.body.fields).toEqual([
      { field: "recipients.2", message: "must have a name" },
      { field: "recipients.4", message: "must have a name and an e-mail address" },
      { field: "recipients.9", message: "must have an e-mail address" },
    ]);
    expect(await count()).toBe(before);
  });

  test.each<[string, object[], string]>([
    [
      "for whom no placeholder is left",
      [
        { order_index: 1, ...ANA },
        { order_index: 2, ...ANA },
        { order_index: 7, ...ANA },
      ],
      "recipients[2].order_index",
    ],
    [
      "of a place too often",
      [
        { order_index: 1, ...ANA },
        { order_index: 1, ...ANA },
        { order_index: 2, ...ANA },
      ],
      "recipients[1].order_index",
    ],
    [
      "of the place of somebody known",
      [
        { order_index: 1, ...ANA },
        { order_index: 2, ...ANA },
        { order_index: 3, ...ANA },
      ],
      "recipients[2].order_index",
    ],
    ["without a place", [ANA], "recipients.0.order_index"],
    ["with a wrong CPF", [{ order_index: 1, ...ANA, cpf: "11111111111" }], "recipients.0.cpf"],
    ["with a wrong telephone number", [{ order_index: 1, ...ANA, phone: "11987654321" }], "recipients.0.phone"],
    ["with wrong SSN digits", [{ order_index: 1, ...ANA, ssn_last4: "12" }], "recipients.0.ssn_last4"],
    ["with no e-mail address", [{ order_index: 1, name: "Ana", email: "ana" }], "recipients.0.email"],
    [
      "with a name that turns the direction of writing",
      [{ order_index: 1, ...ANA, name: "\u202eAna" }],
      "recipients.0.name",
    ],
    ["with line breaks in its name", [{ order_index: 1, ...ANA, name: "Ana\r\nBcc: x" }], "recipients.0.name"],
    ["with an unknown member", [{ order_index: 1, ...ANA, role: "aprovador" }], "recipients.0.role"],
  ])("a recipient %s is 422", async (_, recipients, field) => {
    const id = await aTemplate({ participants: [{}, {}, { name: "Known", email: "known@example.com" }] });
    const answer = await apply(id, { recipients });
    expectError(answer, 422, "invalid_request");
    expect(fieldsOf(answer)).toEqual([field]);
  });

  test("a name with HTML stays as it is, and a draft without the CPF that its method needs says so when it is sent", async () => {
    const id = await aTemplate({ participants: [{ auth_method: "cpf" }] });
    const name = '<img src=x onerror="alert(1)">';
    const { body } = await apply(id, { recipients: [{ order_index: 1, ...ANA, name }] });
    expect(body.participants[0].name).toBe(name);
    await ask(stage, "POST", `/envelopes/${body.id}/documents`, { document_id: await aDocument(stage) });
    const sent = await send(stage, body.id);
    expect(fieldsOf(sent)).toContain(`participants.${body.participants[0].id}.cpf`);
  });
});

test("GraphQL has all of it", async () => {
  const asked = async (query: string, variables: Readonly<Record<string, unknown>>) => {
    const { data, errors } = await graphql(selo, stage.token, query, variables);
    expect(errors).toEqual([]);
    // biome-ignore lint/suspicious/noExplicitAny: the members of an answer are compared, not typed
    return data as any;
  };
  const { createTemplate } = await asked(
    "mutation($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id name signingOrder participants { role orderIndex authMethod modality name email } } } }",
    {
      input: { name: "By GraphQL", signingOrder: "MIXED", participants: [{ orderIndex: 3, authMethod: "otp_email" }] },
    },
  );
  const { id } = createTemplate.template;
  const participant = {
    role: "SIGNATARIO",
    orderIndex: 3,
    authMethod: "OTP_EMAIL",
    modality: "AVANCADA",
    name: null,
    email: null,
  };
  expect(createTemplate.template).toMatchObject({ signingOrder: "MIXED", participants: [participant] });
  const updated = await asked(
    "mutation($input: UpdateTemplateInput!) { updateTemplate(input: $input) { template { title } } }",
    { input: { id, title: "Title" } },
  );
  expect(updated.updateTemplate.template.title).toBe("Title");
  const { applyTemplate } = await asked(
    "mutation($input: ApplyTemplateInput!) { applyTemplate(input: $input) { envelope { id templateId title } } }",
    { input: { id, recipients: [{ orderIndex: 3, ...ANA, ssnLast4: "1234" }] } },
  );
  expect(applyTemplate.envelope).toMatchObject({ templateId: id, title: "Title" });
  const { templates, template } = await asked(
    "query($id: ID!) { template(id: $id) { name participants { role orderIndex authMethod modality name email } } templates(first: 1) { nodes { id } } }",
    { id },
  );
  expect(template).toEqual({ name: "By GraphQL", participants: [participant] });
  expect(templates.nodes).toEqual([{ id }]);
  await asked("mutation($input: DeleteTemplateInput!) { deleteTemplate(input: $input) { done } }", {
    input: { id },
  });
});
