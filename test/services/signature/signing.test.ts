// The link of a participant: who gets in, and what is read there (signature-service §2 Participant, §4).
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPool } from "../../../src/postgres/pool.ts";
import { sweepSigning } from "../../../workers/signature/sweep-signing.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call, countRows, expectError } from "../../support/rest-client.ts";
import { ORDINARY } from "../../support/uploads.ts";
import { taskContext } from "../../support/worker.ts";
import { aSession } from "./completion-stage.ts";
import { aField, CPF, type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { act, aSent, eventsOf, inContext, type Link, aSession as signIn } from "./signing-stage.ts";

const ORIGIN = "https://app.example.com";

let selo: TestGateway;
let stage: EnvelopeStage;
beforeAll(async () => {
  selo = await startTestGateway({ CORS_ORIGINS: ORIGIN });
  stage = await openStage(selo);
});
afterAll(() => selo.stop());

describe("GET /signing/{participant_id}", () => {
  test("tells what the link is for, without documents before the code", async () => {
    const { link } = await aSent(stage, [{ name: "Maria", email: "maria@example.com" }], { message: "Please sign." });
    const { status, body } = await act(stage, link, "GET");
    expect(status).toBe(200);
    expect(body).toEqual({
      organization: "Test Organization",
      contact: null,
      environment: "test",
      title: "Contract",
      message: "Please sign.",
      status: "sent",
      language: "en",
      turn: "yes",
      single_signer: true,
      participant: { name: "Maria", role: "signatario", modality: "avancada", status: "invited", cpf: null },
      sent_to: "m•••@e•••.com",
      mails_to: "m•••@e•••.com",
      steps: ["code"],
      delegation: null,
      verification_code: null,
      consent: {
        version: "intl-2026-12",
        text: expect.stringMatching(/^I have read the documents/),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      documents: null,
      fields: null,
    });
  });

  test("changes nothing: scanners open links", async () => {
    const { link } = await aSent(stage);
    const before = await countRows(selo);
    for (let opened = 0; opened < 3; opened++) expect((await act(stage, link, "GET")).status).toBe(200);
    expect(await countRows(selo)).toEqual(before);
  });

  test("a link that is unknown, revoked, forged, malformed or of another participant is one and the same 404", async () => {
    const { links } = await aSent(stage, [{}, { name: "João", email: "joao@example.com" }]);
    const [one, other] = links as [Link, Link];
    const { link: revoked } = await aSent(stage);
    await inContext(stage, "update platform.credentials set revoked_at = now() where actor_id = $1", [
      revoked.participantId,
    ]);
    const forged = { participantId: one.participantId, secret: randomBytes(32).toString("base64url") };
    const answers = [
      await act(stage, forged, "GET"),
      await act(stage, revoked, "GET"),
      await act(stage, { ...one, secret: "short" }, "GET"),
      await act(stage, { ...one, secret: other.secret }, "GET"),
      await act(stage, { ...one, participantId: "0197a0c0-0000-7000-8000-000000000000" }, "GET"),
      await call(selo, "GET", `/signing/${one.participantId}`),
      await call(selo, "GET", `/signing/${one.participantId}`, { token: stage.token }),
    ];
    for (const answer of answers) expectError(answer, 404, "not_found");
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.detail))).size).toBe(1);
  });
});

test("addresses are limited for wrong links only: a right link that the gateway has never seen passes", async () => {
  const gateway = await startGatewayBeside(selo, { TOKEN_REQUESTS_PER_MINUTE: "20", TRUST_PROXY: "1" });
  try {
    const beside = { ...stage, selo: { ...selo, baseUrl: gateway.baseUrl } };
    const { links } = await aSent(stage, [{}, {}, {}]);
    // Nobody else asks from this address.
    const get = (link: Link) => act(beside, link, "GET", "", { headers: { "x-forwarded-for": "198.51.100.77" } });
    const wrong = () => ({ ...(links[0] as Link), secret: randomBytes(32).toString("base64url") });
    for (let tried = 0; tried < 20; tried++) expectError(await get(wrong()), 404, "not_found");
    expectError(await get(wrong()), 429, "rate_limited");
    // An office signs at once, and a flood goes on beside it.
    const [flood, office] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => get(wrong()))),
      Promise.all(links.map(get)),
    ]);
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([429]));
    expect(office.map(({ status }) => status)).toEqual([200, 200, 200]);
  } finally {
    await gateway.stop();
  }
});

describe("what GET /signing/{participant_id} says", () => {
  const turnOf = async (link: Link) => (await act(stage, link, "GET")).body.turn;

  test("turn: yes, not_yet, done, over", async () => {
    const { id, links } = await aSent(stage, [{ order_index: 1 }, { order_index: 2 }], { signing_order: "sequential" });
    const [first, second] = links as [Link, Link];
    expect([await turnOf(first), await turnOf(second)]).toEqual(["yes", "not_yet"]);
    await inContext(stage, "update signature.participants set status = 'completed' where id = $1", [
      first.participantId,
    ]);
    expect([await turnOf(first), await turnOf(second)]).toEqual(["done", "yes"]);
    await inContext(stage, "select signature.end_envelope($1, 'cancel')", [id]);
    expect([await turnOf(first), await turnOf(second)]).toEqual(["done", "over"]);
    expect((await act(stage, second, "GET")).body.status).toBe("cancelled");
  });

  test("single_signer: whether only one acts; observers do not count", async () => {
    const single = async (participants: object[]) =>
      (await act(stage, (await aSent(stage, participants)).link, "GET")).body.single_signer;
    expect(await single([{}, { role: "observador" }])).toBe(true);
    expect(await single([{}, { role: "testemunha" }])).toBe(false);
  });

  test("no text is for the trade; texts of before stay as they were agreed to", async () => {
    const { rows } = await selo.database.admin.query(
      "select version, jurisdiction, is_current, body ~ 'envelope' as names_envelope, body ~ 'request|pedido' as names_request from signature.consents",
    );
    expect(rows.length).toBe(12);
    for (const row of rows) {
      expect(row).toMatchObject({ names_envelope: !row.is_current, names_request: row.is_current });
      if (row.is_current) expect(row.version).toBe(`${row.jurisdiction}-2026-12`);
      else expect(row.version).toMatch(/^(intl|us)-2026-11$/);
    }
  });

  test("names of HTML, line breaks and bidi controls stay data", async () => {
    const name = '<img src=x onerror="a">\u202e\u2066';
    const { link } = await aSent(stage, [{}], { title: '</script><b>"&' });
    // A name from before such characters were refused.
    await inContext(stage, "update signature.participants set name = $2 where id = $1", [link.participantId, name]);
    const { body, headers } = await act(stage, link, "GET");
    expect([body.participant.name, body.title]).toEqual([name, '</script><b>"&']);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  test.each([
    [{ language: "pt-BR" }, "pt-BR", /^Li os documentos/],
    [{ language: "pt" }, "pt-BR", /^Li os documentos/],
    [{ language: "de" }, "en", /^I have read/],
    [{ jurisdiction: "us" }, "en", /a handwritten one/],
    [{ jurisdiction: "br", language: "pt-BR" }, "pt-BR", /^Li os documentos/],
  ] as const)("the consent of %j", async (envelope, language, text) => {
    const { link } = await aSent(stage, [{}], envelope);
    const { body } = await act(stage, link, "GET");
    expect(body.language).toBe(language);
    expect(body.consent.text).toMatch(text);
    expect(body.consent.sha256).toBe(createHash("sha256").update(body.consent.text).digest("hex"));
    expect(body.consent.version).toBe(`${"jurisdiction" in envelope ? envelope.jurisdiction : "intl"}-2026-12`);
  });

  test.each([
    ["maria@example.com", "m•••@e•••.com"],
    ["m@example.com.br", "m•••@e•••.br"],
    ["joão.silva+x@sub.example.org", "j•••@s•••.org"],
  ])("the address %s is masked as %s", async (email, masked) => {
    const { rows } = await selo.database.admin.query("select signature.mask_email($1) as masked", [email]);
    expect(rows).toEqual([{ masked }]);
  });

  test("documents and fields only in a session, and the participant's own fields alone", async () => {
    const { link, links, id, documentId } = await aSent(
      stage,
      [{}, { role: "testemunha" }],
      { field_placement: "fields" },
      async (envelopeId, participants, document) => {
        const place = { document_id: document };
        for (const participant_id of participants)
          await aField(stage, envelopeId, { ...place, participant_id, type: "assinatura" }).catch(() => {});
      },
    );
    const session = await aSession(stage, link);
    const { body } = await act(stage, link, "GET", "", { session });
    expect(body.documents).toEqual([
      {
        id: documentId,
        filename: "contract.pdf",
        pages: 1,
        page_sizes: [{ width: 612, height: 792 }],
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        final_sha256: null,
      },
    ]);
    const { rows } = await selo.database.admin.query(
      "select id from signature.fields where envelope_id = $1 and participant_id = $2",
      [id, link.participantId],
    );
    expect(body.fields).toEqual([
      {
        id: rows[0].id,
        document_id: documentId,
        page: 1,
        x: 0.1,
        y: 0.1,
        width: 0.2,
        height: 0.1,
        type: "assinatura",
        required: true,
        condition_field_id: null,
        condition_trigger: null,
        label: null,
        value: null,
        formula: null,
        attachment: null,
      },
    ]);
    for (const token of ["x", "a".repeat(43), session.slice(1)])
      expect((await act(stage, link, "GET", "", { session: token })).body).toMatchObject({
        documents: null,
        fields: null,
      });
    expect(body.participant.cpf).toBeNull();
    // The session of one participant shows another participant nothing.
    expect((await act(stage, (links as [Link, Link])[1], "GET", "", { session })).body.documents).toBeNull();
  });
});

test("a CPF that is known is shown masked, in a session alone", async () => {
  const { link } = await aSent(stage, [{ cpf: CPF }]);
  const cpf = async (headers: { session?: string }) =>
    (await act(stage, link, "GET", "", headers)).body.participant.cpf;
  expect(await cpf({})).toBeNull();
  expect(await cpf({ session: await aSession(stage, link) })).toBe("***.982.247-**");
});

describe("GET /signing/{participant_id}/documents/{id}", () => {
  test("gives the PDF, whole and in ranges, and lets nothing in it run", async () => {
    const { link, documentId } = await aSent(stage);
    const session = await aSession(stage, link);
    const whole = await act(stage, link, "GET", `/documents/${documentId}`, { session });
    expect({ status: whole.status, bytes: whole.bytes.equals(ORDINARY) }).toEqual({ status: 200, bytes: true });
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": expect.stringMatching(/^inline; /),
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
    });
    const part = await act(stage, link, "GET", `/documents/${documentId}`, {
      session,
      headers: { range: "bytes=5-9" },
    });
    expect({ status: part.status, bytes: part.bytes.equals(ORDINARY.subarray(5, 10)) }).toEqual({
      status: 206,
      bytes: true,
    });
  });

  test("needs a session: 401 session_expired without one, with that of another participant, and once it is over", async () => {
    const { links, documentId } = await aSent(stage, [{}, {}]);
    const [one, other] = links as [Link, Link];
    const session = await aSession(stage, one);
    const path = `/documents/${documentId}`;
    expectError(await act(stage, one, "GET", path), 401, "session_expired");
    expectError(await act(stage, other, "GET", path, { session }), 401, "session_expired");
    await inContext(stage, "update signature.signing_sessions set expires_at = now() where participant_id = $1", [
      one.participantId,
    ]);
    expectError(await act(stage, one, "GET", path, { session }), 401, "session_expired");
    expectError(await act(stage, one, "POST", "/view", { session }), 401, "session_expired");
  });

  test("a document of another envelope is 404, also of the same organization", async () => {
    const { link } = await aSent(stage);
    const { documentId } = await aSent(stage);
    const session = await aSession(stage, link);
    expectError(await act(stage, link, "GET", `/documents/${documentId}`, { session }), 404, "not_found");
  });

  test("out of turn 409 not_your_turn, and 409 conflict once the deadline has passed", async () => {
    const { id, links, documentId } = await aSent(stage, [{ order_index: 1 }, { order_index: 2 }], {
      signing_order: "mixed",
    });
    const [first, second] = links as [Link, Link];
    await inContext(stage, "update signature.participants set order_index = 1 where id = $1", [second.participantId]);
    const session = await aSession(stage, second);
    await inContext(stage, "update signature.participants set order_index = 2 where id = $1", [second.participantId]);
    const path = `/documents/${documentId}`;
    expectError(await act(stage, second, "GET", path, { session }), 409, "not_your_turn");
    expectError(await act(stage, second, "POST", "/view", { session }), 409, "not_your_turn");
    const own = await aSession(stage, first);
    await inContext(stage, "update signature.envelopes set expires_at = now() where id = $1", [id]);
    expectError(await act(stage, first, "GET", path, { session: own }), 409, "conflict");
    expectError(await act(stage, first, "POST", "/view", { session: own }), 409, "conflict");
  });

  test("a participant who has finished still reads in the session", async () => {
    const { link, documentId } = await aSent(stage, [{}, {}]);
    const session = await aSession(stage, link);
    await inContext(stage, "update signature.participants set status = 'completed' where id = $1", [
      link.participantId,
    ]);
    expect((await act(stage, link, "GET", `/documents/${documentId}`, { session })).status).toBe(200);
    expect((await act(stage, link, "POST", "/view", { session })).status).toBe(204);
  });
});

describe("POST /signing/{participant_id}/view", () => {
  test("the first view moves the envelope from sent to in_progress, and is told once", async () => {
    const { id, links } = await aSent(stage, [{}, {}], { external_id: "order-7" });
    const [one, other] = links as [Link, Link];
    const session = await aSession(stage, one);
    const viewed = await act(stage, one, "POST", "/view", { session });
    expect({ status: viewed.status, text: viewed.text }).toEqual({ status: 204, text: "" });
    expect((await act(stage, one, "GET")).body).toMatchObject({
      status: "in_progress",
      participant: { status: "viewed" },
    });
    const events = await eventsOf(stage, id);
    expect(events.at(-1)).toMatchObject({ action: "envelope.viewed", actor_id: one.participantId });
    await Promise.all([1, 2, 3].map(() => act(stage, one, "POST", "/view", { session })));
    expect((await eventsOf(stage, id)).length).toBe(events.length);
    expect((await act(stage, other, "POST", "/view", { session: await aSession(stage, other) })).status).toBe(204);
    const { rows } = await selo.database.admin.query<{ data: object }>(
      "select body::json -> 'data' as data from webhooks.events where body::json ->> 'resource_id' = $1 and type = 'envelope.viewed' order by id",
      [id],
    );
    expect(rows.map(({ data }) => data)).toEqual(
      [one, other].map(({ participantId }) => ({
        envelope_id: id,
        status: "in_progress",
        external_id: "order-7",
        participant_id: participantId,
        role: "signatario",
        order_index: null,
      })),
    );
    const { rows: faults } = await selo.database.admin.query("select * from platform.audit_check_records($1)", [
      stage.tenantId,
    ]);
    expect(faults.filter(({ subject_id }) => subject_id === id)).toEqual([]);
  });

  test("of views at once, one is recorded", async () => {
    const { id, link } = await aSent(stage);
    const session = await aSession(stage, link);
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(stage, link, "POST", "/view", { session })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect((await eventsOf(stage, id)).filter(({ action }) => action === "envelope.viewed").length).toBe(1);
  });
});

describe("POST /signing/{participant_id}/link", () => {
  const lose = (id: string) => call(selo, "POST", `/signing/${id}/link`);
  const mailsTo = async ({ participantId }: Link) =>
    (
      await selo.database.admin.query(
        "select recipient from platform.mails where participant_id = $1 and kind = 'envelope_invitation'",
        [participantId],
      )
    ).rows;

  test("answers 202 and nothing, for whatever id, and never quickly", async () => {
    const { link } = await aSent(stage);
    for (const id of [link.participantId, "0197a0c0-0000-7000-8000-000000000000", "x", "a".repeat(200)]) {
      const begun = performance.now();
      const { status, text } = await lose(id);
      expect({ status, text }).toEqual({ status: 202, text: "" });
      expect(performance.now() - begun).toBeGreaterThan(95);
    }
  });

  test("mails the present link to the participant's own address, three times an hour", async () => {
    const { link, id } = await aSent(stage, [{ email: "maria@example.com" }]);
    const invited = (await mailsTo(link)).length;
    for (let lost = 0; lost < 5; lost++) await lose(link.participantId);
    const mails = await mailsTo(link);
    expect(mails.length - invited).toBe(3);
    expect(new Set(mails.map(({ recipient }) => recipient))).toEqual(new Set(["maria@example.com"]));
    expect((await eventsOf(stage, id)).filter(({ action }) => action === "envelope.link_mailed")).toMatchObject(
      Array(3).fill({ actor_type: "system", actor_id: null, channel: "page" }),
    );
    // The link stays what it was.
    expect((await act(stage, link, "GET")).status).toBe(200);
  });

  test("mails nothing out of turn, and nothing once the envelope has ended", async () => {
    const { links, id } = await aSent(stage, [{ order_index: 1 }, { order_index: 2 }], { signing_order: "sequential" });
    const [first, second] = links as [Link, Link];
    await lose(second.participantId);
    expect((await mailsTo(second)).length).toBe(0);
    await inContext(stage, "select signature.end_envelope($1, 'cancel')", [id]);
    const before = (await mailsTo(first)).length;
    await lose(first.participantId);
    expect((await mailsTo(first)).length).toBe(before);
  });
});

test("a minute job erases late codes and deletes sessions that are over, and leaves the others", async () => {
  const late = await aSent(stage);
  const good = await aSent(stage);
  for (const { link } of [late, good]) {
    await signIn(stage, link);
    await act(stage, link, "POST", "/code");
  }
  for (const table of ["signing_codes", "signing_sessions"])
    await inContext(stage, `update signature.${table} set expires_at = now() where participant_id = $1`, [
      late.link.participantId,
    ]);
  const pool = createPool(
    { url: selo.database.workerUrl, role: "selo_worker", applicationName: "test worker" },
    1,
    () => {},
  );
  try {
    await sweepSigning({}, taskContext(pool, masterKeys));
  } finally {
    await pool.end();
  }
  const left = async ({ participantId }: Link) =>
    (
      await selo.database.admin.query(
        `select (select count(*)::int from signature.signing_codes where participant_id = $1 and enciphered_code is not null) as codes,
           (select count(*)::int from signature.signing_codes where participant_id = $1 and code_digest is not null) as digests,
           (select count(*)::int from signature.signing_sessions where participant_id = $1) as sessions`,
        [participantId],
      )
    ).rows[0];
  expect(await left(late.link)).toEqual({ codes: 0, digests: 0, sessions: 0 });
  // The second code was not mailed yet.
  expect(await left(good.link)).toEqual({ codes: 1, digests: 1, sessions: 1 });
});

test("the minute job waits for nobody who ends an envelope or replaces a link, and leaves out what they hold", async () => {
  const [held, free] = [await aSent(stage), await aSent(stage)];
  for (const { link } of [held, free]) {
    await signIn(stage, link);
    await act(stage, link, "POST", "/code");
    await inContext(
      stage,
      `insert into signature.certificate_offers (tenant_id, participant_id, environment, envelope_id, chain, at, documents, expires_at)
       select tenant_id, id, environment, envelope_id, array['\\x00'::bytea], now(), '[]', now() from signature.participants where id = $1`,
      [link.participantId],
    );
    for (const table of ["signing_codes", "signing_sessions"])
      await inContext(stage, `update signature.${table} set expires_at = now() where participant_id = $1`, [
        link.participantId,
      ]);
  }
  const { admin } = selo.database;
  const left = async ({ link }: { readonly link: Link }) =>
    (
      await admin.query(
        `select (select count(*)::int from signature.signing_sessions where participant_id = $1) as sessions,
           (select count(*)::int from signature.certificate_offers where participant_id = $1) as offers,
           (select count(*)::int from signature.signing_codes where participant_id = $1 and code_digest is not null) as codes`,
        [link.participantId],
      )
    ).rows[0];
  const [holding, sweeping] = [await admin.connect(), await admin.connect()];
  try {
    await holding.query("begin");
    for (const table of ["signing_sessions", "certificate_offers", "signing_codes"])
      await holding.query(`select from signature.${table} where envelope_id = $1 for update`, [held.id]);
    // Waiting for any lock at all is a fault.
    await sweeping.query("set lock_timeout = '3s'");
    await sweeping.query("select from jobs.sweep_signing()");
    expect(await left(free)).toEqual({ sessions: 0, offers: 0, codes: 0 });
    expect(await left(held)).toEqual({ sessions: 1, offers: 1, codes: 1 });
    await holding.query("rollback");
    await sweeping.query("select from jobs.sweep_signing()");
    expect(await left(held)).toEqual({ sessions: 0, offers: 0, codes: 0 });
  } finally {
    await holding.query("rollback");
    holding.release();
    sweeping.release(true);
  }
});

describe("other environments and organizations", () => {
  test("a link of one organization opens nothing of another, and a link of test nothing of live", async () => {
    const stranger = await openStage(selo);
    const live: EnvelopeStage = {
      ...stage,
      token: (await selo.operator.createToken(stage.tenantId, "live", "a", await selo.operator.allScopes())).token,
      environment: "live",
    };
    const { link } = await aSent(stage);
    const session = await aSession(stage, link);
    for (const other of [await aSent(stranger), await aSent(live)]) {
      const crossed = { participantId: other.link.participantId, secret: link.secret };
      for (const [method, path] of [
        ["GET", ""],
        ["POST", "/code"],
        ["GET", `/documents/${other.documentId}`],
        ["POST", "/view"],
      ] as const)
        expectError(await act(stage, crossed, method, path, { session }), 404, "not_found");
      expectError(
        await act(stage, crossed, "POST", "/session", { session, body: { code: "123456" } }),
        404,
        "not_found",
      );
      expectError(await act(stage, link, "GET", `/documents/${other.documentId}`, { session }), 404, "not_found");
      expect((await act(stage, other.link, "GET", "", { session })).body.documents).toBeNull();
    }
  });

  test("a link may do nothing of the main API", async () => {
    const { link } = await aSent(stage);
    for (const path of ["/envelopes", "/documents", "/me"])
      expectError(
        await call(selo, "GET", path, { headers: { "x-signing-link": link.secret } }),
        401,
        "unauthenticated",
      );
    expectError(await call(selo, "GET", "/envelopes", { token: link.secret }), 401, "unauthenticated");
  });
});

test("browsers of an allowed origin may send both headers", async () => {
  const preflight = await fetch(`${selo.baseUrl}/api/v1/signing/x`, {
    method: "OPTIONS",
    headers: {
      origin: ORIGIN,
      "access-control-request-method": "GET",
      "access-control-request-headers": "x-signing-link",
    },
  });
  expect(preflight.headers.get("access-control-allow-headers")).toMatch(/X-Signing-Link.*X-Signing-Session/);
});

test("an address is limited for wrong links alone", async () => {
  const strict = await startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "2", TOKEN_REQUESTS_PER_MINUTE: "30" });
  try {
    const own = await openStage(strict);
    const { link } = await aSent(own);
    // More requests than an address may make without a credential.
    for (let read = 0; read < 5; read++) expect((await act(own, link, "GET")).status).toBe(200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 35; guess++)
      statuses.push((await act(own, { ...link, secret: randomBytes(32).toString("base64url") }, "GET")).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    // A good link that this gateway knows goes on.
    expect((await act(own, link, "GET")).status).toBe(200);
  } finally {
    await strict.stop();
  }
});
