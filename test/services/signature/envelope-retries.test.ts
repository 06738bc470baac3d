// Each write of envelopes with an Idempotency-Key: signature-service §4, §5.6.
import { describe, expect, test } from "vitest";
import { call, expectError } from "../../support/rest-client.ts";
import { aSession, CONSENT, sentWith, TYPED } from "./completion-stage.ts";
import { aDocument, aField, ask, withFields } from "./envelope-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";
import { chain } from "./sending-stage.ts";
import { act } from "./signing-stage.ts";

setUpStage();

const admin = async (text: string, values: readonly unknown[] = []) =>
  (await selo.database.admin.query(text, [...values])).rows;

describe("Idempotency-Key", () => {
  type Draft = Awaited<ReturnType<typeof withFields>> & {
    readonly fieldId: string;
    /** A document that is not in the envelope. */
    readonly more: string;
  };
  interface Write {
    readonly what: string;
    readonly method?: string;
    readonly to: (draft: Draft) => string;
    readonly body?: (draft: Draft) => object;
    /** What makes it another payload. */
    readonly other?: object;
  }
  const where = { page: 1, x: 0, y: 0, width: 1, height: 1 };
  const writes: readonly Write[] = [
    { what: "POST /envelopes", to: () => "", body: () => ({ title: "once" }), other: { title: "twice" } },
    {
      what: "PATCH /envelopes/{id}",
      method: "PATCH",
      to: ({ id }) => `/${id}`,
      body: () => ({ title: "once" }),
      other: { title: "twice" },
    },
    { what: "DELETE /envelopes/{id}", method: "DELETE", to: ({ id }) => `/${id}` },
    {
      what: "POST /envelopes/{id}/documents",
      to: ({ id }) => `/${id}/documents`,
      body: ({ more }) => ({ document_id: more }),
      other: { position: 1 },
    },
    {
      what: "POST /envelopes/{id}/participants",
      to: ({ id }) => `/${id}/participants`,
      body: () => ({ name: "Ana", email: "ana@example.com", cpf: "529.982.247-25" }),
      other: { name: "Ana", email: "ana@example.com", cpf: "111.444.777-35" },
    },
    {
      what: "PATCH /envelopes/{id}/participants/{participant_id}",
      method: "PATCH",
      to: ({ id, participantId }) => `/${id}/participants/${participantId}`,
      body: () => ({ phone: "+5511987654321" }),
      other: { phone: "+14155552671" },
    },
    {
      what: "DELETE /envelopes/{id}/participants/{participant_id}",
      method: "DELETE",
      to: ({ id, participantId }) => `/${id}/participants/${participantId}`,
    },
    {
      what: "POST /envelopes/{id}/fields",
      to: ({ id }) => `/${id}/fields`,
      body: ({ place }) => ({ ...place, ...where }),
      other: { page: 2 },
    },
    {
      what: "PATCH /envelopes/{id}/fields/{field_id}",
      method: "PATCH",
      to: ({ id, fieldId }) => `/${id}/fields/${fieldId}`,
      body: () => ({ required: false }),
      other: { required: true },
    },
    {
      what: "DELETE /envelopes/{id}/fields/{field_id}",
      method: "DELETE",
      to: ({ id, fieldId }) => `/${id}/fields/${fieldId}`,
    },
    {
      what: "DELETE /envelopes/{id}/documents/{document_id}",
      method: "DELETE",
      to: ({ id, documentId }) => `/${id}/documents/${documentId}`,
    },
    {
      what: "PATCH /envelopes/{id}/documents/{document_id}",
      method: "PATCH",
      to: ({ id, documentId }) => `/${id}/documents/${documentId}`,
      body: () => ({ position: 1 }),
      other: { position: 2 },
    },
    { what: "POST /envelopes/{id}/send", to: ({ id }) => `/${id}/send` },
    {
      what: "POST /envelopes/{id}/cancel",
      to: ({ id }) => `/${id}/cancel`,
      body: () => ({ reason: "once" }),
      other: { reason: "twice" },
    },
    {
      what: "POST /envelopes/{id}/remind",
      to: ({ id }) => `/${id}/remind`,
      body: () => ({}),
      other: { participant_id: null },
    },
  ];
  test.each(writes)(
    "$what: repeated it answers the same and does nothing; with another payload it is 409 conflict",
    async ({ what, method = "POST", to, body, other }) => {
      const made = await withFields(stage);
      const field = await aField(stage, made.id, made.place);
      const envelope = { ...made, fieldId: field.id as string, more: await aDocument(stage) };
      if (/cancel|remind/.test(what))
        expect((await ask(stage, "POST", `/envelopes/${envelope.id}/send`)).status).toBe(200);
      const path = `/envelopes${to(envelope)}`;
      const given = body?.(envelope);
      const request = (asked: object | undefined) =>
        call(selo, method, path, { token: stage.token, key: `once-${envelope.id}`, body: asked });
      const first = await request(given);
      expect(first.status).toBeLessThan(300);
      const events = async () =>
        (
          await admin("select count(*)::integer as count from platform.audit_events where tenant_id = $1", [
            stage.tenantId,
          ])
        )[0];
      const before = await events();
      const again = await request(given);
      expect({ status: again.status, body: again.body, replayed: again.headers.get("idempotent-replayed") }).toEqual({
        status: first.status,
        body: first.body,
        replayed: "true",
      });
      if (other !== undefined) expectError(await request({ ...given, ...other }), 409, "conflict");
      expect(await events()).toEqual(before);
    },
  );

  test("of POST …/complete and …/decline: the answer is the same, and the act is recorded once", async () => {
    const { id, links } = await sentWith(stage, [{}, {}]);
    const acts = [
      ["/complete", { consent_version: CONSENT, signature: TYPED }],
      ["/decline", { reason: "No." }],
    ] as const;
    for (const [place, [path, body]] of acts.entries()) {
      const link = links[place] ?? links[0];
      const session = await aSession(stage, link);
      const [first, again] = [
        await act(stage, link, "POST", path, { session, body, key: `act-${link.participantId}` }),
        await act(stage, link, "POST", path, { session, body, key: `act-${link.participantId}` }),
      ];
      expect([first.status, again.body]).toEqual([200, first.body]);
    }
    const done = (await chain(stage, id)).filter((action) => /participant_(signed|declined)/.test(action));
    expect(done).toEqual(["envelope.participant_signed", "envelope.participant_declined"]);
  });
});
