// The state of a draft: ready exactly when sending would be accepted. Moves: sql/signature/README.md.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signature } from "../../../src/services/signature/service.ts";
import { sqlReadme } from "../../support/service-readme.ts";
import { aDocument, aField, anEnvelope, aParticipant, aSendable, ask, read, withFields } from "./envelope-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";

setUpStage();

const statusOf = async (id: string) => (await read(stage, id)).status;
const lacksOf = async (id: string) => {
  const { rows } = await selo.database.admin.query<{ code: string; field: string }>(
    `select lack.code, lack.field from signature.envelopes as envelope, signature.envelope_lacks(envelope) as lack where envelope.id = $1 order by 1, 2`,
    [id],
  );
  return rows;
};
const lack = (field: string, code = "envelope_not_sendable") => ({ code, field });

describe("draft ⇄ ready", () => {
  test("no document, no signatario", async () => {
    const { id } = await anEnvelope(stage);
    expect(await lacksOf(id)).toEqual([lack("documents"), lack("participants")]);
    await aParticipant(stage, id, { role: "aprovador" });
    const document_id = await aDocument(stage);
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });
    expect(await lacksOf(id)).toEqual([lack("participants")]);
    await aParticipant(stage, id);
    expect(await statusOf(id)).toBe("ready");
    await ask(stage, "DELETE", `/envelopes/${id}/documents/${document_id}`);
    expect(await statusOf(id)).toBe("draft");
  });

  test("a document that is not ready, until its check ends", async () => {
    const { id } = await aSendable(stage);
    const document_id = await aDocument(stage, { status: "processing" });
    const { body } = await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });
    expect(body).toMatchObject({ status: "processing", pages: 0 });
    expect({ lacks: await lacksOf(id), status: await statusOf(id) }).toEqual({
      lacks: [lack(`documents.${document_id}`)],
      status: "draft",
    });
    const client = await selo.database.admin.connect();
    await client.query("begin");
    await client.query("select platform.enter_context($1, 'test', null, null, null)", [stage.tenantId]);
    await client.query(
      "update signature.documents set status = 'ready', pages = '[{}]', checked_at = now() where id = $1",
      [document_id],
    );
    await client.query("select signature.settle_drafts_of($1)", [document_id]);
    await client.query("commit");
    client.release();
    expect(await statusOf(id)).toBe("ready");
    const { rows } = await selo.database.admin.query(
      "select action from platform.audit_events where subject_id = $1 order by seq desc limit 1",
      [id],
    );
    expect(rows).toEqual([{ action: "envelope.settled" }]);
  });

  test("fields placement: a signatario without assinatura", async () => {
    const { id, participantId, place } = await withFields(stage);
    await aField(stage, id, { ...place, type: "rubrica" });
    expect(await lacksOf(id)).toEqual([lack(`participants.${participantId}.fields`)]);
    const { id: field } = await aField(stage, id, place);
    expect(await statusOf(id)).toBe("ready");
    await aParticipant(stage, id, { role: "aprovador" });
    expect(await statusOf(id)).toBe("ready");
    await ask(stage, "DELETE", `/envelopes/${id}/fields/${field}`);
    expect(await statusOf(id)).toBe("draft");
  });

  test("sequential: ties in order_index; a missing one comes last, an observador never blocks", async () => {
    const { id, participantId } = await aSendable(stage, { signing_order: "sequential" });
    await aParticipant(stage, id);
    await aParticipant(stage, id, { order_index: 1, role: "observador" });
    const one = await aParticipant(stage, id, { order_index: 1 });
    expect(await statusOf(id)).toBe("ready");
    const two = await aParticipant(stage, id, { order_index: 1, role: "testemunha" });
    const ties = [one, two]
      .map((participant) => lack(`participants.${participant.id}.order_index`))
      .sort((a, b) => (a.field < b.field ? -1 : 1));
    expect({ lacks: await lacksOf(id), status: await statusOf(id) }).toEqual({ lacks: ties, status: "draft" });
    for (const signing_order of ["mixed", "parallel"])
      expect((await ask(stage, "PATCH", `/envelopes/${id}`, { signing_order })).body.status).toBe("ready");
    await ask(stage, "PATCH", `/envelopes/${id}`, { signing_order: "sequential" });
    await ask(stage, "PATCH", `/envelopes/${id}/participants/${participantId}`, { order_index: 2 });
    await ask(stage, "PATCH", `/envelopes/${id}/participants/${two.id}`, { order_index: null });
    expect(await statusOf(id)).toBe("ready");
  });

  test.each([
    [{ auth_method: "kba" }, "cpf", "envelope_not_sendable"],
    [{ auth_method: "identity_match" }, "cpf", "envelope_not_sendable"],
    [{ modality: "qualificada" }, "modality", "auth_method_unavailable"],
    // A certificate authenticates.
    [{ auth_method: "kba", modality: "qualificada" }, "modality", "auth_method_unavailable"],
  ])("what a participant lacks: %j", async (body, member, code) => {
    const { id } = await aSendable(stage);
    const participant = await aParticipant(stage, id, body);
    expect({ lacks: await lacksOf(id), status: await statusOf(id) }).toEqual({
      lacks: [lack(`participants.${participant.id}.${member}`, code)],
      status: "draft",
    });
  });
});

describe("signature.envelope_moves", () => {
  const moves = async () =>
    (
      await selo.database.admin.query<{ from: string; action: string; to: string }>(
        `select from_status as "from", action, to_status as "to" from signature.envelope_moves`,
      )
    ).rows;

  test("the README draws every legal move, and no other", async () => {
    const drawn = [
      ...sqlReadme(signature, "States of an envelope").matchAll(/^\| `(\w+)` \| `(\w+)` \| `(\w+)` \|/gm),
    ].map(([, from, action, to]) => `${from} ${action} ${to}`);
    expect(drawn.sort()).toEqual((await moves()).map(({ from, action, to }) => `${from} ${action} ${to}`).sort());
  });

  test("move_envelope makes the moves of the table alone", async () => {
    const legal = new Map((await moves()).map(({ from, action, to }) => [`${from} ${action}`, to]));
    const statuses = (await selo.database.admin.query("select name from signature.envelope_statuses")).rows.map(
      ({ name }) => name as string,
    );
    const actions = [...new Set([...legal.keys()].map((key) => key.split(" ")[1] ?? ""))];
    const { id } = await anEnvelope(stage);
    const client = await selo.database.admin.connect();
    await client.query("begin");
    await client.query("select platform.enter_context($1, 'test', null, null, null)", [stage.tenantId]);
    for (const from of statuses)
      for (const action of [...actions, "nothing"]) {
        await client.query("savepoint try");
        await client.query("update signature.envelopes set status = $2 where id = $1", [id, from]);
        const to = await client.query("select signature.move_envelope($1, $2) as status", [id, action]).then(
          ({ rows }) => rows[0].status as string,
          (error: { code: string }) => error.code,
        );
        expect({ from, action, to }).toEqual({ from, action, to: legal.get(`${from} ${action}`) ?? "PT409" });
        await client.query("rollback to try");
      }
    await client.query("rollback");
    client.release();
  });
});

// ── The property ──────────────────────────────────────────────────────────────────────────────────────────────────────
interface Model {
  order: string;
  placement: string;
  documents: string[];
  participants: { id: string; role: string; index: number | null; method: string }[];
  fields: { id: string; participant: string; document: string; type: string }[];
}

/** The rules of `send`, written a second time. */
function isSendable({ order, placement, documents, participants, fields }: Model): boolean {
  const signers = participants.filter(({ role }) => role === "signatario");
  const places = participants.flatMap(({ role, index }) => (role === "observador" || index === null ? [] : [index]));
  return (
    documents.length > 0 &&
    signers.length > 0 &&
    participants.every(({ method }) => method === "email" || method === "otp_email") &&
    (order !== "sequential" || new Set(places).size === places.length) &&
    (placement !== "fields" ||
      signers.every(({ id }) => fields.some(({ participant, type }) => participant === id && type === "assinatura")))
  );
}

const step = fc.oneof(
  fc.record({ kind: fc.constant("order" as const), order: fc.constantFrom("parallel", "sequential", "mixed") }),
  fc.record({ kind: fc.constant("placement" as const), placement: fc.constantFrom("report", "fields") }),
  fc.record({ kind: fc.constant("attach" as const) }),
  fc.record({ kind: fc.constant("detach" as const), pick: fc.nat(9) }),
  fc.record({
    kind: fc.constant("join" as const),
    role: fc.constantFrom("signatario", "signatario", "aprovador", "observador", "testemunha"),
    index: fc.option(fc.integer({ min: 1, max: 3 })),
    method: fc.constantFrom("email", "email", "email", "otp_email", "kba"),
  }),
  fc.record({ kind: fc.constant("leave" as const), pick: fc.nat(9) }),
  fc.record({ kind: fc.constant("place" as const), pick: fc.nat(9), type: fc.constantFrom("assinatura", "texto") }),
  fc.record({ kind: fc.constant("unplace" as const), pick: fc.nat(9) }),
);

test("after any sequence of commands the status is that of a model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const { id } = await anEnvelope(stage);
      const path = `/envelopes/${id}`;
      const model: Model = { order: "parallel", placement: "report", documents: [], participants: [], fields: [] };
      const chosen = <Item>(items: readonly Item[], pick: number): Item | undefined =>
        items[pick % Math.max(items.length, 1)];
      for (const each of steps) {
        if (each.kind === "order") {
          await ask(stage, "PATCH", path, { signing_order: each.order });
          model.order = each.order;
        } else if (each.kind === "placement") {
          const { status } = await ask(stage, "PATCH", path, { field_placement: each.placement });
          expect(status).toBe(model.fields.length > 0 && each.placement !== model.placement ? 409 : 200);
          if (status === 200) model.placement = each.placement;
        } else if (each.kind === "attach") {
          const document_id = await aDocument(stage);
          await ask(stage, "POST", `${path}/documents`, { document_id });
          model.documents.push(document_id);
        } else if (each.kind === "detach") {
          const document = chosen(model.documents, each.pick);
          if (document === undefined) continue;
          await ask(stage, "DELETE", `${path}/documents/${document}`);
          model.documents = model.documents.filter((other) => other !== document);
          model.fields = model.fields.filter((field) => field.document !== document);
        } else if (each.kind === "join") {
          const { role, index, method } = each;
          const made = await aParticipant(stage, id, { role, order_index: index, auth_method: method });
          model.participants.push({ id: made.id, role, index, method });
        } else if (each.kind === "leave") {
          const participant = chosen(model.participants, each.pick);
          if (participant === undefined) continue;
          await ask(stage, "DELETE", `${path}/participants/${participant.id}`);
          model.participants = model.participants.filter((other) => other !== participant);
          model.fields = model.fields.filter((field) => field.participant !== participant.id);
        } else if (each.kind === "place") {
          const participant = chosen(model.participants, each.pick);
          const document = chosen(model.documents, each.pick);
          if (participant === undefined || document === undefined) continue;
          const member = { participant_id: participant.id, document_id: document, type: each.type };
          const { status, body } = await ask(stage, "POST", `${path}/fields`, {
            ...member,
            page: 1,
            x: 0,
            y: 0,
            width: 1,
            height: 1,
          });
          expect(status).toBe(model.placement === "report" ? 409 : participant.role === "observador" ? 422 : 201);
          if (status === 201)
            model.fields.push({ id: body.id, participant: participant.id, document, type: each.type });
        } else {
          const field = chosen(model.fields, each.pick);
          if (field === undefined) continue;
          await ask(stage, "DELETE", `${path}/fields/${field.id}`);
          model.fields = model.fields.filter((other) => other !== field);
        }
        const kept = await read(stage, id);
        expect(kept.status).toBe(isSendable(model) ? "ready" : "draft");
        expect(kept.fields.map((field: { id: string }) => field.id)).toEqual(model.fields.map((field) => field.id));
      }
    }),
    { numRuns: 25 },
  );
});
