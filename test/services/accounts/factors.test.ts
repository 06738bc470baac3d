// Second factors (message-webhooks part B §5): codes of an authenticator app, recovery codes, and organizations that demand a factor.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { newTotp, OpenedTotp } from "../../../src/services/accounts/factors/totp.ts";
import { createUser, removeUserFactors } from "../../../src/services/accounts/store.ts";
import { reencrypt } from "../../../src/services/platform/keys/reencrypt.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { graphql } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { expectError } from "../../support/rest-client.ts";
import { sealedColumns } from "../../support/sealed-columns.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { auth, PASSWORD, sessionHeaders, signedIn } from "./accounts-stage.ts";

let selo: TestGateway;
let acme: TestOrganization;
beforeAll(async () => {
  // Each test asks from another address.
  selo = await startTestGateway({ TRUST_PROXY: "1" });
  acme = await selo.newOrganization({ name: "Acme" });
});
afterAll(() => selo?.stop());

type Headers = Readonly<Record<string, string>>;
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await selo.database.admin.query<Row>(text, values)).rows;
const events = async (personId: string) =>
  (
    await rows<{ action: string }>(
      "select action from platform.audit_events where subject_type = 'user' and subject_id = $1 order by seq",
      [personId],
    )
  ).map(({ action }) => action);

let places = 0;
const from = () => ({ "x-forwarded-for": `198.51.100.${++places}` });

const signIn = (
  email: string,
  code?: string,
  place: Headers = from(),
  password = PASSWORD,
  gateway: Pick<TestGateway, "baseUrl"> = selo,
) =>
  auth(gateway, "POST", "/sign-in", {
    body: { email, password, ...(code === undefined ? {} : { code }) },
    headers: place,
  });

/** The codes of some steps of 30 seconds, counted from the present one, as another program makes them. */
const codesOf = (secret: string, first: number, last: number, now = Date.now()) =>
  execFileSync(
    "oathtool",
    ["--totp", "--base32", `--now=@${Math.floor(now / 1000) + 30 * first}`, `--window=${last - first}`, secret],
    { encoding: "utf8" },
  )
    .trim()
    .split("\n");
const codeOf = (secret: string, steps = 0, now = Date.now()) => codesOf(secret, steps, steps, now)[0] ?? "";
/** All that may count while a test runs. Codes are so short that two steps, or two secrets, may have the same one. */
const nearCodes = (secret: string) => codesOf(secret, -3, 3);

/** A code that is of no step around the present one. */
function wrongCode(secret: string): string {
  const near = nearCodes(secret);
  return ["000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777"].find(
    (code) => !near.includes(code),
  ) as string;
}

async function ask(headers: Headers, query: string, variables: Readonly<Record<string, unknown>> = {}) {
  const { status, headers: answered, data, errors } = await graphql(selo, { ...from(), ...headers }, query, variables);
  const [error] = errors;
  const { code, fields } = error?.extensions ?? {};
  return { status, data: data as never, code, fields, wait: Number(answered.get("retry-after")) };
}
const BEGIN = "mutation { beginTotp { uri secret } }";
const CONFIRM =
  "mutation ($code: String!, $password: String!) { confirmTotp(input: {code: $code, password: $password}) { recoveryCodes } }";
const RENEW = "mutation ($input: RenewRecoveryCodesInput!) { renewRecoveryCodes(input: $input) { recoveryCodes } }";
const REMOVE = "mutation ($input: RemoveTotpInput!) { removeTotp(input: $input) { secondFactor } }";
const FACTOR = "{ secondFactor { secondFactor totpSince recoveryCodesLeft } }";

async function begin(headers: Headers): Promise<{ readonly uri: string; readonly secret: string }> {
  const { data } = await ask(headers, BEGIN);
  return (data as { beginTotp: { uri: string; secret: string } }).beginTotp;
}

const confirm = (headers: Headers, code: string, password = PASSWORD) => ask(headers, CONFIRM, { code, password });

/** Forgets which steps were used, so that the present one is a new one. */
const forgetSteps = (id: string) => rows("update accounts.totp_factors set last_step = 0 where person_id = $1", [id]);

/** A person with an authenticator app, signed in with the password before it was set up. */
async function withTotp(role = "member", organization = acme) {
  const person = await signedIn(selo, organization, role);
  const { secret } = await begin(person.headers);
  const { data } = await confirm(person.headers, codeOf(secret));
  await forgetSteps(person.id);
  return {
    ...person,
    secret,
    recovery: (data as { confirmTotp: { recoveryCodes: string[] } }).confirmTotp.recoveryCodes,
  };
}

describe("setting an authenticator app up", () => {
  test("answers an otpauth address once, asks for nothing before a code confirms it, and then answers ten recovery codes", async () => {
    const { id, email, headers } = await signedIn(selo, acme, "accountant");
    const first = await begin(headers);
    const { uri, secret } = await begin(headers);
    expect(secret).not.toBe(first.secret);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const address = new URL(uri);
    expect([address.protocol, address.host, decodeURIComponent(address.pathname)]).toEqual([
      "otpauth:",
      "totp",
      `/Selo:${email}`,
    ]);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      issuer: "Selo",
      secret,
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
    expect((await signIn(email)).status).toBe(200);
    const earlier = [codeOf(first.secret)].filter((code) => !nearCodes(secret).includes(code));
    for (const code of [wrongCode(secret), ...earlier, "K7QF-2MXR-9TDA", ""])
      expect(await confirm(headers, code)).toMatchObject({ status: 422, fields: [{ field: "code" }] });
    const older = await signIn(email);
    expect(older.body.second_factor).toBe("none");
    const { data } = await confirm(headers, codeOf(secret));
    const codes = (data as { confirmTotp: { recoveryCodes: string[] } }).confirmTotp.recoveryCodes;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
    expect((await auth(selo, "GET", "/session", { headers })).body.second_factor).toBe("totp");
    // A session that began without a code ends.
    expectError(await auth(selo, "GET", "/session", { headers: sessionHeaders(older) }), 401, "unauthenticated");
    expect((await ask(headers, FACTOR)).data).toEqual({
      secondFactor: { secondFactor: "totp", totpSince: expect.stringMatching(/Z$/), recoveryCodesLeft: 10 },
    });
    for (const again of [await ask(headers, BEGIN), await confirm(headers, codeOf(secret, 1))])
      expect([again.status, again.code]).toEqual([409, "conflict"]);
    expect((await events(id)).at(-1)).toBe("user.factor_added");
  });

  test("needs a session; of two confirmations at once one is answered codes", async () => {
    for (const query of [BEGIN, FACTOR])
      expect(await ask({ authorization: `Bearer ${acme.live}` }, query)).toMatchObject({
        status: 403,
        code: "forbidden",
      });
    const { headers } = await signedIn(selo, acme, "member");
    expect(await confirm(headers, "123456")).toMatchObject({ status: 409, code: "conflict" });
    const { secret } = await begin(headers);
    const code = codeOf(secret);
    const answers = await Promise.all([confirm(headers, code), confirm(headers, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("asks for the password: a stolen session sets no app up, ends no session, and locks nobody out", async () => {
    const { id, email, headers } = await signedIn(selo, acme, "member");
    const own = sessionHeaders(await signIn(email));
    // The thief has the session, and the secret of a set-up that it began.
    const { secret } = await begin(headers);
    const without = "mutation ($code: String!) { confirmTotp(input: {code: $code}) { recoveryCodes } }";
    expect((await ask(headers, without, { code: codeOf(secret) })).status).toBe(400);
    const place = from();
    const answers: Awaited<ReturnType<typeof confirm>>[] = [];
    for (const password of ["", "wrong", "wrong", "wrong", "wrong", PASSWORD])
      answers.push(await confirm({ ...headers, ...place }, codeOf(secret), password));
    for (const answer of answers.slice(0, 5))
      expect(answer).toMatchObject({ status: 422, code: "invalid_request", fields: [{ field: "password" }] });
    // They count with the failures of signing in.
    expect(answers[5]).toMatchObject({ status: 429, code: "too_many_attempts" });
    expectError(await signIn(email, undefined, place), 429, "too_many_attempts");
    expect((await events(id)).slice(-2)).toEqual(["user.sign_in_failed", "user.locked_out"]);
    expect(await rows("select confirmed_at from accounts.totp_factors where person_id = $1", [id])).toEqual([
      { confirmed_at: null },
    ]);
    expect((await auth(selo, "GET", "/session", { headers: own })).body.second_factor).toBe("none");
    expect((await signIn(email)).status).toBe(200);
    // A wrong password uses nothing up.
    expect((await confirm(headers, codeOf(secret))).status).toBe(200);
    expectError(await auth(selo, "GET", "/session", { headers: own }), 401, "unauthenticated");
  });

  test("a right password counts for nothing, also where the set-up is no longer under way", async () => {
    const { email, headers } = await signedIn(selo, acme, "member");
    const place = from();
    for (let attempt = 0; attempt < 6; attempt++)
      expect(await confirm({ ...headers, ...place }, "123456")).toMatchObject({ status: 409, code: "conflict" });
    const { secret } = await begin(headers);
    expect((await confirm({ ...headers, ...place }, codeOf(secret))).status).toBe(200);
    expectError(await signIn(email, undefined, place), 401, "second_factor_required");
  });

  test("no row, job or line of the log holds the secret or a recovery code", async () => {
    const { secret, recovery } = await withTotp();
    const found = await rows<{ name: string }>(
      `select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
       where relkind = 'r' and relnamespace::regnamespace::text !~ '^pg_|information_schema'`,
    );
    const bytes = Buffer.from(execFileSync("base32", ["-d"], { input: secret })).toString("hex");
    for (const { name } of found) {
      const text = JSON.stringify(await rows(`select own::text from ${name} as own`));
      for (const word of [secret, bytes, ...recovery, ...recovery.map((code) => code.replaceAll("-", ""))])
        expect(text.includes(word), name).toBe(false);
    }
    for (const word of [secret, ...recovery]) expect(selo.logs.join("")).not.toContain(word);
  });
});

describe("POST sign-in with a second factor", () => {
  test("401 second_factor_required for the right password alone, which counts for nothing; unauthenticated for a wrong one", async () => {
    const { email, secret } = await withTotp();
    const place = from();
    for (let attempt = 0; attempt < 7; attempt++) {
      const answer = await signIn(email, undefined, place);
      expectError(answer, 401, "second_factor_required");
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.text).not.toContain("sealed");
    }
    expectError(await signIn(email, codeOf(secret), place, "not the password"), 401, "unauthenticated");
    const answer = await signIn(email, codeOf(secret), place);
    expect([answer.status, answer.body.second_factor]).toEqual([200, "totp"]);
    const [session] = await rows("select way from accounts.sessions order by id desc limit 1");
    expect(session).toEqual({ way: "password_code" });
    expect(
      await rows(
        "select count from platform.request_counts where key = accounts.keyed_digest('announced attempts of an account', $1)",
        [email],
      ),
    ).toEqual([{ count: 1 }]);
  });

  test("a step is accepted once, also for two sign-ins at one moment, and no earlier one after it", async () => {
    const { email, secret } = await withTotp();
    const now = Date.now();
    const [code, next] = [codeOf(secret, 0, now), codeOf(secret, 1, now)];
    // One time in a million.
    if (code === next) return;
    const both = await Promise.all([signIn(email, code), signIn(email, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expectError(await signIn(email, code), 401, "unauthenticated");
    expect((await signIn(email, `${next.slice(0, 3)} ${next.slice(3)}`)).status).toBe(200);
    for (const used of [code, next]) expectError(await signIn(email, used), 401, "unauthenticated");
  });

  test("a recovery code works once, as it was typed, and is written to the trail", async () => {
    const { id, email, headers, recovery } = await withTotp();
    const [first = "", second = "", third = ""] = recovery;
    const typed = first.toLowerCase().replaceAll("-", " ");
    const both = await Promise.all([signIn(email, typed), signIn(email, first)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expectError(await signIn(email, first), 401, "unauthenticated");
    // Word processors write other hyphens and spaces.
    const copied = second.replace("-", "\u2011").replace("-", "\u2013");
    expect((await signIn(email, `\u00a0${copied}\n`)).status).toBe(200);
    expectError(await signIn(email, third, from(), "not the password"), 401, "unauthenticated");
    expect((await ask(headers, FACTOR)).data).toMatchObject({ secondFactor: { recoveryCodesLeft: 8 } });
    expect((await events(id)).filter((action) => action === "user.recovery_code_used")).toHaveLength(2);
  });

  test("50 wrong codes at once: five are compared, and the others get 429 too_many_attempts", async () => {
    const { id, email, secret } = await withTotp();
    const place = from();
    const wrong = wrongCode(secret);
    const statuses: number[] = [];
    // Ten hashes of one address run or wait at a time.
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(email, wrong, place)));
      statuses.push(...answers.map(({ status }) => status));
      for (const answer of answers.filter(({ status }) => status === 429)) {
        expectError(answer, 429, "too_many_attempts");
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(600);
      }
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
    expectError(await signIn(email, codeOf(secret), place), 429, "too_many_attempts");
    expect((await events(id)).slice(-2)).toEqual(["user.sign_in_failed", "user.locked_out"]);
    expect((await signIn(email, codeOf(secret))).status).toBe(200);
  });

  test("what is no code is wrong and nothing else", async () => {
    const { kept } = newTotp(masterKeys);
    const opened = new OpenedTotp(masterKeys, kept);
    for (const code of ["12345", "1234567", "abcdef", "", "１２３４５６", "K7QF-2MXR-9TD0", "x".repeat(64)])
      expect(opened.proofOf(code)).toEqual({ proof: "", step: null });
    const { email } = await withTotp();
    for (const code of ["", "abcdef"]) expectError(await signIn(email, code), 401, "unauthenticated");
  });

  test("422 invalid_request for a code of 65 characters", async () => {
    expectError(await signIn("a@b.example", "1".repeat(65)), 422, "invalid_request", ["code"]);
  });

  test("the otpauth address names an e-mail address as it is", () => {
    const { uri } = newTotp(masterKeys).shown("ana+selo@people.example");
    expect(uri).toMatch(/^otpauth:\/\/totp\/Selo:ana%2Bselo%40people\.example\?issuer=Selo&/);
  });

  test("a code is right in its step of 30 seconds, and in the one before and after it", () => {
    for (const now of [0, 59_000, 1_111_111_109_000, 20_000_000_000_000]) {
      const step = Math.floor(now / 30_000);
      const first = Math.max(-2, -step);
      const { opened, codes } = withUnlikeCodes((secret) => codesOf(secret, first, 2, now));
      for (const [place, code] of codes.entries()) {
        const delta = first + place;
        const { step: proven } = opened.proofOf(code, now);
        expect([now, delta, proven]).toEqual([now, delta, Math.abs(delta) < 2 ? step + delta : null]);
      }
    }
  });
});

/** A secret whose codes differ from each other, as few do not. */
function withUnlikeCodes(codesOf: (secret: string) => readonly string[]) {
  for (;;) {
    const { kept, shown } = newTotp(masterKeys);
    const codes = codesOf(shown("a@b.example").secret);
    if (new Set(codes).size === codes.length) return { opened: new OpenedTotp(masterKeys, kept), codes };
  }
}

describe("password and code once more", () => {
  test("new recovery codes replace the earlier ones", async () => {
    const { id, email, headers, secret, recovery } = await withTotp();
    const input = { password: PASSWORD, code: codeOf(secret) };
    expect(await ask(headers, RENEW, { input: { ...input, password: "wrong" } })).toMatchObject({
      status: 422,
      fields: [{ field: "password" }],
    });
    expect(await ask(headers, RENEW, { input: { ...input, code: wrongCode(secret) } })).toMatchObject({
      status: 422,
      fields: [{ field: "code" }],
    });
    const { data } = await ask({ ...headers, "idempotency-key": randomUUID() }, RENEW, { input });
    const renewed = (data as { renewRecoveryCodes: { recoveryCodes: string[] } }).renewRecoveryCodes.recoveryCodes;
    expect(renewed).toHaveLength(10);
    expectError(await signIn(email, recovery[0]), 401, "unauthenticated");
    expect((await signIn(email, renewed[0])).status).toBe(200);
    expect(await events(id)).toContain("user.recovery_codes_made");
  });

  test("removing the app: the password alone signs in again, the session stays, and the others end", async () => {
    const { id, email, headers, secret, recovery } = await withTotp();
    const other = sessionHeaders(await signIn(email, recovery[1]));
    expect(await ask(headers, REMOVE, { input: { password: PASSWORD, code: wrongCode(secret) } })).toMatchObject({
      status: 422,
      fields: [{ field: "code" }],
    });
    expect((await ask(headers, REMOVE, { input: { password: PASSWORD, code: recovery[0] } })).data).toEqual({
      removeTotp: { secondFactor: "none" },
    });
    expectError(await auth(selo, "GET", "/session", { headers: other }), 401, "unauthenticated");
    expect((await auth(selo, "GET", "/session", { headers })).body.second_factor).toBe("none");
    expect((await signIn(email)).status).toBe(200);
    expect(
      await rows("select from accounts.recovery_codes where factor_id not in (select id from accounts.totp_factors)"),
    ).toEqual([]);
    for (const query of [REMOVE, RENEW])
      expect(await ask(headers, query, { input: { password: PASSWORD, code: "123456" } })).toMatchObject({
        status: 409,
        code: "conflict",
      });
    expect((await events(id)).at(-2)).toBe("user.factor_removed");
  });

  test("wrong ones count with the failures of signing in", async () => {
    const { email, headers, secret } = await withTotp();
    const place = from();
    const answers: unknown[] = [];
    const wrong = (more: Headers = {}) =>
      ask({ ...headers, ...place, ...more }, REMOVE, { input: { password: "wrong", code: "123456" } });
    for (let attempt = 0; attempt < 6; attempt++) answers.push((await wrong()).code);
    expect(answers).toEqual([...Array(5).fill("invalid_request"), "too_many_attempts"]);
    // Also beside the status 200, which readers of application/json expect.
    for (const [accept, status] of [
      ["application/graphql-response+json", 429],
      ["application/json", 200],
    ] as const) {
      const late = await wrong({ accept });
      expect(late).toMatchObject({ status, code: "too_many_attempts" });
      expect(late.wait).toBeGreaterThan(600);
    }
    expectError(await signIn(email, codeOf(secret), place), 429, "too_many_attempts");
  });
});

describe("who lost the phone and the codes", () => {
  const removal = (headers: Headers, id: string) =>
    ask(headers, "mutation ($id: ID!) { removeMemberFactors(input: {id: $id}) { member { email secondFactor } } }", {
      id,
    });

  test("an admin takes the factor off who stands below, an owner off everybody else, nobody off who stands as high", async () => {
    const people = {
      member: await withTotp("member"),
      admin: await withTotp("admin"),
      otherAdmin: await withTotp("admin"),
      owner: await withTotp("owner"),
      otherOwner: await withTotp("owner"),
    };
    const { member, admin, otherAdmin, owner, otherOwner } = people;
    for (const [by, of] of [
      [member, admin],
      [admin, otherAdmin],
      [admin, owner],
      [admin, admin],
      [owner, owner],
    ] as const)
      expect(await removal(by.headers, of.id)).toMatchObject({ status: 403, code: "forbidden" });
    expect((await removal(admin.headers, member.id)).data).toEqual({
      removeMemberFactors: { member: { email: member.email, secondFactor: "none" } },
    });
    for (const of of [admin, otherOwner]) expect((await removal(owner.headers, of.id)).status).toBe(200);
    for (const of of [member, admin, otherOwner]) expect((await signIn(of.email)).status).toBe(200);
    expect(await removal(owner.headers, member.id)).toMatchObject({ status: 409, code: "conflict" });
    const [event] = await rows(
      "select actor_type, actor_id, action from platform.audit_events where subject_id = $1 and action = 'user.factor_removed'",
      [member.id],
    );
    expect(event).toEqual({ actor_type: "user", actor_id: admin.id, action: "user.factor_removed" });
    // Somebody else may have the phone, and a session.
    expectError(await auth(selo, "GET", "/session", { headers: member.headers }), 401, "unauthenticated");
    const mails = await rows(
      `select recipient, data ->> 'change' as change, data ->> 'by' as by, data ->> 'member' as member from platform.mails
       where kind = 'factors_changed' and recipient in ($1, $2) and data ->> 'change' <> 'factor_added' order by id limit 2`,
      [member.email, admin.email],
    );
    const name = ({ email }: { email: string }) => email.split("@")[0];
    expect(mails).toEqual([
      { recipient: member.email, change: "factor_removed", by: name(admin), member: null },
      { recipient: admin.email, change: "factor_taken_off", by: null, member: name(member) },
    ]);
  });

  test("not through an organization where the caller has power into one where the caller has none", async () => {
    const beta = await selo.newOrganization({ name: "Beta" });
    const [owner, member] = [await signedIn(selo, acme, "owner"), await withTotp("member")];
    await createUser(selo.operator, { tenantId: beta.id, email: member.email, role: "accountant" });
    expect(await removal(owner.headers, member.id)).toMatchObject({ status: 403, code: "forbidden" });
    expectError(await signIn(member.email), 401, "second_factor_required");
    const stranger = await signedIn(selo, await selo.newOrganization(), "owner");
    expect(await removal(stranger.headers, member.id)).toMatchObject({ status: 404, code: "not_found" });
    expect(await removeUserFactors(selo.operator, member.email.toUpperCase())).toBe(true);
    expect(await removeUserFactors(selo.operator, member.email)).toBe(false);
    await expect(removeUserFactors(selo.operator, "nobody@people.example")).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await signIn(member.email)).status).toBe(200);
    expect((await events(member.id)).filter((action) => action === "user.factor_removed")).toHaveLength(2);
  });
});

test("an organization that demands a second factor: who lacks one has no scope, and may still set one up", async () => {
  const beta = await selo.newOrganization({ name: "Beta" });
  const demand = (headers: Headers, demands: boolean) =>
    ask(
      headers,
      "mutation ($on: Boolean!) { updateSignInRules(input: {demandsSecondFactor: $on}) { demandsSecondFactor } }",
      {
        on: demands,
      },
    );
  const session = async (headers: Headers) => (await auth(selo, "GET", "/session", { headers })).body;
  const bare = await signedIn(selo, beta, "owner");
  expect(await demand(bare.headers, true)).toMatchObject({ status: 409, code: "conflict" });
  expect((await session(bare.headers)).second_factor).toBe("none");
  const owner = await withTotp("owner", beta);
  expect(await demand((await withTotp("admin", beta)).headers, true)).toMatchObject({ status: 403, code: "forbidden" });
  expect((await ask(owner.headers, "{ signInRules { demandsSecondFactor } }")).data).toEqual({
    signInRules: { demandsSecondFactor: false },
  });
  expect((await demand(owner.headers, true)).data).toEqual({ updateSignInRules: { demandsSecondFactor: true } });
  const READ = "{ members(limit: 1) { id } }";
  expect(await session(bare.headers)).toMatchObject({ second_factor: "missing", scopes: [] });
  expect(await ask(bare.headers, READ)).toMatchObject({ status: 403, code: "forbidden" });
  expect((await signIn(bare.email)).body).toMatchObject({ second_factor: "missing", scopes: [] });
  expect((await ask(owner.headers, "{ members(limit: 200) { email secondFactor } }")).data).toMatchObject({
    members: expect.arrayContaining([
      { email: bare.email, secondFactor: "missing" },
      { email: owner.email, secondFactor: "totp" },
    ]),
  });
  // Elsewhere the person works as before, and tokens keep working.
  await createUser(selo.operator, { tenantId: acme.id, email: bare.email, role: "accountant" });
  const elsewhere = await auth(selo, "POST", "/switch", {
    headers: bare.headers,
    body: { organization_id: acme.id },
  });
  expect(elsewhere.body).toMatchObject({ second_factor: "none", scopes: expect.arrayContaining(["members:read"]) });
  const here = sessionHeaders(
    await auth(selo, "POST", "/switch", { headers: sessionHeaders(elsewhere), body: { organization_id: beta.id } }),
  );
  expect((await ask({ authorization: `Bearer ${beta.live}` }, "{ proofs { nodes { id } } }")).status).toBe(200);
  const { secret } = await begin(here);
  expect(await confirm(here, codeOf(secret), "wrong")).toMatchObject({ status: 422, fields: [{ field: "password" }] });
  expect((await confirm(here, codeOf(secret))).status).toBe(200);
  expect((await session(here)).scopes).toContain("organization:manage");
  expect((await ask(here, READ)).status).toBe(200);
  expect((await demand(here, false)).status).toBe(200);
  const told = await rows(
    "select details::jsonb -> 'demands_second_factor' as demanded from platform.audit_events where action = 'organization.sign_in_rules_changed' order by seq",
  );
  expect(told).toEqual([{ demanded: true }, { demanded: false }]);
});

test("codes and recovery codes go on while the master key is replaced", async () => {
  const { email, secret, recovery } = await withTotp();
  const newKey = "22".repeat(32);
  const [former, next] = [TEST_MASTER_KEY, newKey].map((key) => Buffer.from(key, "hex")) as [Buffer, Buffer];
  const now = Date.now();
  expect((await signIn(email, codeOf(secret, 0, now))).status).toBe(200);
  const both = await startGatewayBeside(selo, { SELO_MASTER_KEY: newKey, SELO_MASTER_KEY_OTHERS: TEST_MASTER_KEY });
  try {
    const there = (code?: string) => signIn(email, code, from(), PASSWORD, both);
    expect((await there(recovery[0])).status).toBe(200);
    const { reencrypted, left } = await reencrypt(selo.operator, new MasterKeyring(next, [former]), sealedColumns);
    const [{ count }] = (await rows("select count(*)::integer as count from accounts.totp_factors")) as [
      { count: number },
    ];
    expect(reencrypted).toContainEqual({ column: "accounts.totp_factors.sealed_secret", count });
    expect(left).toEqual([]);
    expectError(await there(), 401, "second_factor_required");
    expect((await there(codeOf(secret, 1, now))).status).toBe(200);
    expect((await there(recovery[1])).status).toBe(200);
    // Back, for the tests that follow.
    await reencrypt(selo.operator, new MasterKeyring(former, [next]), sealedColumns);
    expect((await signIn(email, recovery[2])).status).toBe(200);
  } finally {
    await both.stop();
  }
});

test("the audit trail verifies after all of this, and finds a factor that somebody took away by hand", async () => {
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
  const { id } = await withTotp();
  await rows("update accounts.totp_factors set confirmed_at = null, last_step = null where person_id = $1", [id]);
  const { faults } = await verifyAll(selo.operator);
  expect(faults).toContainEqual(
    expect.objectContaining({ check_name: "records", subject_type: "user", subject_id: id }),
  );
  await rows("delete from accounts.totp_factors where person_id = $1", [id]);
});
