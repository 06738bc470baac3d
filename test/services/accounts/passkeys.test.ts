// Passkeys (message-webhooks part B §5; WebAuthn Level 2): added in a session, they sign a person in as both factors.
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { passkeyPurpose } from "../../../src/services/accounts/passkeys/passkey-secret.ts";
import { createUser, removeUserFactors } from "../../../src/services/accounts/store.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { addApp, addPerson, auth, PASSWORD, sessionHeaders, signedIn, trySignIn } from "./accounts-stage.ts";
import { mailsTo } from "./mail-stage.ts";
import { SoftwareDevice } from "./software-device.ts";

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

let places = 0;
const from = () => ({ "x-forwarded-for": `203.0.113.${++places}` });

async function ask(headers: Headers, query: string, variables: Readonly<Record<string, unknown>> = {}) {
  const { status, data, errors } = await graphql(selo, { ...from(), ...headers }, query, variables);
  const [error] = errors;
  return { status, data: data as never, code: error?.extensions.code, fields: error?.extensions.fields };
}
const OPTIONS = "{ passkeyCreationOptions { options } }";
const ADD =
  "mutation ($input: AddPasskeyInput!) { addPasskey(input: $input) { passkey { id name createdAt lastUsedAt } } }";
const REMOVE = "mutation ($input: RemovePasskeyInput!) { removePasskey(input: $input) { id secondFactor } }";
const FACTORS = "{ secondFactor { secondFactor passkeys { id name lastUsedAt } } }";
const DEMAND =
  "mutation ($demanded: Boolean!) { updateSignInRules(input: {demandsSecondFactor: $demanded}) { demandsSecondFactor } }";

interface CreationOptions {
  readonly challenge: string;
  readonly user: { readonly id: string; readonly name: string };
  readonly excludeCredentials: readonly { readonly id: string }[];
}

async function creation(headers: Headers): Promise<CreationOptions> {
  const { data } = await ask(headers, OPTIONS);
  return (data as { passkeyCreationOptions: { options: CreationOptions } }).passkeyCreationOptions.options;
}

/** Adds a passkey of a new device in a session. */
async function add(headers: Headers, name = "Phone", device = new SoftwareDevice()) {
  const response = device.make(await creation(headers));
  const { data, ...told } = await ask(headers, ADD, { input: { name, password: PASSWORD, response } });
  return {
    device,
    told,
    id: (data as { addPasskey: { passkey: { id: string } } } | null)?.addPasskey?.passkey.id ?? "",
  };
}

async function withPasskey(role = "member", organization = acme) {
  const person = await signedIn(selo, organization, role);
  return { ...person, ...(await add(person.headers)), personId: person.id };
}

const options = async (): Promise<{ readonly challenge: string }> =>
  (await auth(selo, "POST", "/passkey/options", { body: {}, headers: from() })).body.options;
const send = (response: unknown, place: Headers = from()) =>
  auth(selo, "POST", "/passkey", { body: { response }, headers: place });
const signIn = async (device: SoftwareDevice) => send(device.sign(await options()));
const session = async (headers: Headers) => (await auth(selo, "GET", "/session", { headers })).body;

test("a passkey that is added in a session signs in without a password, and is both factors", async () => {
  const { id, email, headers } = await signedIn(selo, acme, "accountant");
  const asked = await creation(headers);
  expect(asked).toMatchObject({
    rp: { id: "selo.test", name: "Selo" },
    user: { name: email, id: Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url") },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
    excludeCredentials: [],
    timeout: 300_000,
  });
  const { device, id: passkeyId } = await add(headers, "Celular da Ana");
  expect((await creation(headers)).excludeCredentials.map((each) => each.id)).toEqual([device.id]);
  expect((await session(headers)).second_factor).toBe("passkey");
  const answer = await auth(selo, "POST", "/passkey/options", { body: {} });
  expect(answer.body.options).toMatchObject({ rpId: "selo.test", userVerification: "required", timeout: 300_000 });
  const opened = await signIn(device);
  expect([opened.status, opened.body.user.email, opened.body.second_factor]).toEqual([200, email, "passkey"]);
  expect((await session(sessionHeaders(opened))).scopes).toContain("proofs:read");
  expect((await ask(headers, FACTORS)).data).toEqual({
    secondFactor: {
      secondFactor: "passkey",
      passkeys: [{ id: passkeyId, name: "Celular da Ana", lastUsedAt: expect.stringMatching(/Z$/) }],
    },
  });
  const ways = await rows<{ way: string }>("select way from accounts.sessions where person_id = $1 order by id", [id]);
  expect(ways.map(({ way }) => way)).toEqual(["password_passkey", "passkey"]);
  expect((await mailsTo(selo, email)).map(({ kind }) => kind)).toEqual(["factors_changed"]);
  // Another organization of the person, in the same session.
  const beta = await selo.newOrganization({ name: "Beta" });
  await createUser(selo.operator, { tenantId: beta.id, email, role: "member" });
  const switched = await auth(selo, "POST", "/switch", {
    headers: sessionHeaders(opened),
    body: { organization_id: beta.id },
  });
  expect([switched.status, switched.body.second_factor]).toEqual([200, "passkey"]);
});

describe("401 unauthenticated", () => {
  test("for whatever is wrong with a signature", async () => {
    const { device } = await withPasskey();
    const other = await withPasskey();
    const strange = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const wrongs = [
      { origin: "https://selo.test" },
      { origin: "http://evil.selo.test" },
      { rpId: "evil.test" },
      { type: "webauthn.create" },
      { key: strange },
      // The device did not make sure that it is the person.
      { flags: 1 },
      { flags: 4 },
      { userHandle: Buffer.from(other.personId.replaceAll("-", ""), "hex").toString("base64url") },
      { userHandle: "" },
      { challenge: randomBytes(56).toString("base64url") },
      { challenge: "" },
    ];
    for (const wrong of wrongs) {
      const refused = await send(device.sign(await options(), wrong));
      expect([wrong, refused.status]).toEqual([wrong, 401]);
      expectError(refused, 401, "unauthenticated");
      expect(refused.headers.getSetCookie()).toEqual([]);
    }
    expectError(await send(new SoftwareDevice().sign(await options())), 401, "unauthenticated");
    const good = device.sign(await options());
    expectError(await send({ ...good, response: { ...good.response, signature: "MAA" } }), 401, "unauthenticated");
    expectError(await send({ ...good, response: { ...good.response, authenticatorData: "" } }), 401, "unauthenticated");
    expect((await signIn(device)).status).toBe(200);
  });

  test("for a challenge that is used, over, or made for something else; of two requests at once one signs in", async () => {
    const { device, headers } = await withPasskey();
    const response = device.sign(await options());
    const both = await Promise.all([send(response), send(response)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expectError(await send(response), 401, "unauthenticated");
    // The challenge of a set-up is no challenge of a sign-in.
    expectError(await send(device.sign(await creation(headers))), 401, "unauthenticated");
    const [late] = await rows<{ challenge: string }>(
      `select head || encode(accounts.keyed_digest('challenge', 'sign in', head), 'hex') as challenge
       from (select $1 || encode(int8send(extract(epoch from clock_timestamp())::bigint - 1), 'hex') as head) as made`,
      [randomBytes(16).toString("hex")],
    );
    const challenge = Buffer.from(late?.challenge ?? "", "hex").toString("base64url");
    expectError(await send(device.sign({ challenge })), 401, "unauthenticated");
  });

  test("for a device whose count does not grow: it was copied", async () => {
    const { device } = await withPasskey();
    for (const [counter, status] of [
      [7, 200],
      [7, 401],
      [6, 401],
      [0, 401],
      [8, 200],
    ]) {
      device.counter = counter as number;
      expect([counter, (await signIn(device)).status]).toEqual([counter, status]);
    }
  });

  test("the 21st failure from one place gets 429, and a right one counts for nothing", async () => {
    const { device } = await withPasskey();
    const place = from();
    expect((await send(device.sign(await options()), place)).status).toBe(200);
    const stranger = new SoftwareDevice();
    for (let failure = 0; failure < 20; failure++)
      expectError(await send(stranger.sign({ challenge: "AA" }), place), 401, "unauthenticated");
    const refused = await send(device.sign(await options()), place);
    expectError(refused, 429, "too_many_attempts");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await signIn(device)).status).toBe(200);
  });
});

describe("adding", () => {
  test("refuses a wrong answer with 422, and keeps nothing", async () => {
    const { headers } = await signedIn(selo, acme, "member");
    const other = await signedIn(selo, acme, "member");
    const device = new SoftwareDevice();
    const wrongs = [
      { origin: "https://evil.test" },
      { rpId: "evil.test" },
      { type: "webauthn.get" },
      { flags: 1 },
      { challenge: (await creation(other.headers)).challenge },
      { challenge: (await options()).challenge },
      { challenge: "AA" },
    ];
    for (const wrong of wrongs) {
      const response = device.make(await creation(headers), wrong);
      expect(await ask(headers, ADD, { input: { name: "x", password: PASSWORD, response } })).toMatchObject({
        status: 422,
        fields: [{ field: "response" }],
      });
    }
    for (const response of [{}, "x", { id: "x" }])
      expect((await ask(headers, ADD, { input: { name: "x", password: PASSWORD, response } })).status).toBe(422);
    // Refused before it ran.
    expect((await ask(headers, ADD, { input: { name: "x", password: PASSWORD, response: null } })).status).toBe(400);
    const response = device.make(await creation(headers));
    for (const [name, status] of [
      ["", 422],
      ["x".repeat(101), 422],
      ["a\u0000", 400],
    ])
      expect((await ask(headers, ADD, { input: { name, password: PASSWORD, response } })).status).toBe(status);
    for (const transports of ["usb", 5, [{}], Array(21).fill("usb")]) {
      const made = device.make(await creation(headers));
      const response = { ...made, response: { ...made.response, transports } };
      expect((await ask(headers, ADD, { input: { name: "x", password: PASSWORD, response } })).status).toBe(422);
    }
    expect((await session(headers)).second_factor).toBe("none");
    // A challenge counts once, for a passkey of its session.
    expect((await ask(headers, ADD, { input: { name: "x", password: PASSWORD, response } })).status).toBe(200);
    expect((await ask(headers, ADD, { input: { name: "x", password: PASSWORD, response } })).status).toBe(422);
  });

  test("asks for the password, and for a code where there is an app: a stolen session gets no passkey", async () => {
    const { headers } = await signedIn(selo, acme, "member");
    const adding = async (proof: object) => {
      const response = new SoftwareDevice().make(await creation(headers));
      return ask(headers, ADD, { input: { name: "x", response, ...proof } });
    };
    expect(await adding({ password: "wrong" })).toMatchObject({ status: 422, fields: [{ field: "password" }] });
    const { recovery } = await addApp(selo, headers);
    for (const code of [{}, { code: "000000" }])
      expect(await adding({ password: PASSWORD, ...code })).toMatchObject({ status: 422, fields: [{ field: "code" }] });
    expect((await adding({ password: PASSWORD, code: recovery[0] })).status).toBe(200);
  });

  test("reads nothing of what the device says of its maker, such as addresses in certificates", async () => {
    const { headers } = await signedIn(selo, acme, "member");
    const device = new SoftwareDevice();
    const statement = new Map<string, number | Buffer>([
      ["alg", -7],
      ["sig", Buffer.from("not read")],
    ]);
    for (const format of ["packed", "android-key"]) {
      const response = device.make(await creation(headers), { attestation: [format, statement] });
      const { status } = await ask(headers, ADD, { input: { name: format, password: PASSWORD, response } });
      expect([format, status]).toEqual([format, format === "packed" ? 200 : 409]);
    }
    expect((await signIn(device)).status).toBe(200);
  });

  test("409 conflict for a known passkey, and for the 21st", async () => {
    const { headers, device, personId } = await withPasskey();
    expect((await add(headers, "again", device)).told).toMatchObject({ status: 409, code: "conflict" });
    const other = await signedIn(selo, acme, "member");
    expect((await add(other.headers, "taken", device)).told).toMatchObject({ status: 409, code: "conflict" });
    await rows(
      `insert into accounts.passkeys (id, person_id, name, credential_id, public_key, counter, transports, sealed_secret, secret_digest)
       select gen_random_uuid(), $1, 'filled in', uuid_send(gen_random_uuid()), '\\x00', 0, '{}', '\\x00', sha256('') from generate_series(1, 19)`,
      [personId],
    );
    expect((await add(headers)).told).toMatchObject({ status: 409, code: "conflict" });
    await rows("delete from accounts.passkeys where person_id = $1 and name = 'filled in'", [personId]);
    expect((await add(headers)).told.status).toBe(200);
  });

  test("needs a session", async () => {
    for (const query of [OPTIONS, FACTORS])
      expect(await ask({ authorization: `Bearer ${acme.live}` }, query)).toMatchObject({
        status: 403,
        code: "forbidden",
      });
  });
});

describe("the password alone, of a person with a passkey", () => {
  test("signs in, has no rights where a second factor is demanded, and changes no factor", async () => {
    const beta = await selo.newOrganization();
    const { email, headers, device, id } = await withPasskey("owner", beta);
    expect((await ask(headers, DEMAND, { demanded: true })).status).toBe(200);
    expect((await session(headers)).scopes).toContain("organization:manage");
    const opened = await signIn(device);
    expect(opened.body).toMatchObject({ second_factor: "passkey", role: "owner" });
    expect(opened.body.scopes).toContain("organization:manage");
    const alone = await trySignIn(selo, email, PASSWORD, from());
    expect(alone.body).toMatchObject({ second_factor: "missing", scopes: [] });
    const thief = sessionHeaders(alone);
    expect(await ask(thief, "{ members { id } }")).toMatchObject({ code: "forbidden" });
    for (const [query, input] of [
      [OPTIONS, {}],
      ["mutation { beginTotp { uri } }", {}],
      [REMOVE, { id, password: PASSWORD }],
      [ADD, { name: "x", password: PASSWORD, response: new SoftwareDevice().make(await creation(headers)) }],
    ] as const)
      expect(await ask(thief, query, { input })).toMatchObject({ status: 409, code: "conflict" });
    const change = "mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { changed } }";
    const input = { presentPassword: PASSWORD, password: "staple-orbit-lantern-42" };
    expect(await ask(thief, change, { input })).toMatchObject({ status: 409, code: "conflict" });
    const leaving = `mutation { leaveOrganization(input: {organizationId: "${beta.id}"}) { done } }`;
    expect(await ask(thief, leaving)).toMatchObject({ status: 403, code: "forbidden" });
    expect((await session(thief)).scopes).toEqual([]);
    expect((await signIn(device)).status).toBe(200);
  });

  test("does not confirm an authenticator app whose set-up began before there was a passkey", async () => {
    const { email, headers } = await signedIn(selo, acme, "member");
    const { URI } = await import("otpauth");
    const before = sessionHeaders(await trySignIn(selo, email, PASSWORD, from()));
    const { data } = await ask(before, "mutation { beginTotp { uri } }");
    const code = URI.parse((data as { beginTotp: { uri: string } }).beginTotp.uri).generate();
    await add(headers);
    expectError(await auth(selo, "GET", "/session", { headers: before }), 401, "unauthenticated");
    const thief = sessionHeaders(await trySignIn(selo, email, PASSWORD, from()));
    const confirm = `mutation { confirmTotp(input: {code: "${code}", password: "${PASSWORD}"}) { recoveryCodes } }`;
    expect(await ask(thief, confirm)).toMatchObject({ status: 409, code: "conflict" });
    // In the session of the passkey it may be confirmed, and is asked for from then on.
    expect((await ask(headers, confirm)).status).toBe(200);
    expectError(await trySignIn(selo, email, PASSWORD, from()), 401, "second_factor_required");
  });
});

describe("removing", () => {
  test("asks for the password, and for a code where there is an app", async () => {
    const { headers, device, id, personId } = await withPasskey();
    const other = await withPasskey();
    expect(await ask(headers, REMOVE, { input: { id, password: "wrong" } })).toMatchObject({
      status: 422,
      fields: [{ field: "password" }],
    });
    for (const unknown of [other.id, randomUUID()])
      expect(await ask(headers, REMOVE, { input: { id: unknown, password: PASSWORD } })).toMatchObject({
        status: 404,
        code: "not_found",
      });
    const { URI } = await import("otpauth");
    const app = URI.parse((await addApp(selo, headers)).uri);
    await rows("update accounts.totp_factors set last_step = 0 where person_id = $1", [personId]);
    expect(await ask(headers, REMOVE, { input: { id, password: PASSWORD } })).toMatchObject({
      status: 422,
      fields: [{ field: "code" }],
    });
    expect((await ask(headers, REMOVE, { input: { id, password: PASSWORD, code: app.generate() } })).data).toEqual({
      removePasskey: { id, secondFactor: "totp" },
    });
    expectError(await signIn(device), 401, "unauthenticated");
    expect((await signIn(other.device)).status).toBe(200);
  });

  test("ends the other sessions, and a session by a passkey has no rights any more where a factor is demanded", async () => {
    const beta = await selo.newOrganization();
    const { headers, device, id } = await withPasskey("owner", beta);
    expect((await ask(headers, DEMAND, { demanded: true })).status).toBe(200);
    const opened = sessionHeaders(await signIn(device));
    expect((await ask(headers, REMOVE, { input: { id, password: PASSWORD } })).data).toEqual({
      removePasskey: { id, secondFactor: "missing" },
    });
    expectError(await auth(selo, "GET", "/session", { headers: opened }), 401, "unauthenticated");
    expect(await session(headers)).toMatchObject({ second_factor: "missing", scopes: [] });
    expect((await add(headers)).told.status).toBe(200);
    expect((await session(headers)).scopes).toContain("organization:manage");
  });

  test("an owner, and an operator, take the passkeys off who has lost them", async () => {
    const { headers } = await signedIn(selo, acme, "owner");
    const lost = await withPasskey("admin");
    const members = await ask(headers, "{ members(limit: 200) { id secondFactor } }");
    expect((members.data as { members: unknown[] }).members).toContainEqual({
      id: lost.personId,
      secondFactor: "passkey",
    });
    const taken = await ask(
      headers,
      `mutation { removeMemberFactors(input: {id: "${lost.personId}"}) { member { secondFactor } } }`,
    );
    expect(taken.data).toEqual({ removeMemberFactors: { member: { secondFactor: "none" } } });
    expectError(await signIn(lost.device), 401, "unauthenticated");
    const another = await withPasskey();
    expect(await removeUserFactors(selo.operator, another.email)).toBe(true);
    expectError(await signIn(another.device), 401, "unauthenticated");
  });
});

test("the login of the gateway alone signs nobody in: it cannot open the secret of a passkey", async () => {
  const { device, personId } = await withPasskey();
  const credential_id = Buffer.from(device.id, "base64url").toString("hex");
  const asLogin = async (command: string, given: object) => {
    const [answer] = await rows<{ body: string }>("select body from gateway.call(null, $1, $2)", [command, given]);
    return JSON.parse(answer?.body ?? "");
  };
  const { passkey } = await asLogin("find_passkey_to_prove", { credential_id, network: "192.0.2.9" });
  const sealed = Buffer.from(passkey.sealed_secret, "base64");
  expect(masterKeys.open(sealed, passkeyPurpose(passkey.id))).toHaveLength(32);
  const [kept] = await rows<{ digest: string }>(
    "select encode(secret_digest, 'hex') as digest from accounts.passkeys where person_id = $1",
    [personId],
  );
  for (const proof of ["", kept?.digest, "00".repeat(32), sealed.toString("hex")]) {
    const { challenge } = await asLogin("prepare_passkey_sign_in", { nonce: randomBytes(16).toString("hex") });
    expect(
      await asLogin("sign_in_with_passkey", {
        credential_id,
        challenge,
        network: "192.0.2.9",
        proof,
        counter: 1,
        live_sha256: "00",
        test_sha256: "01",
      }),
    ).toEqual({ refused: true });
  }
});

test("a person without an organization does not sign in", async () => {
  const beta = await selo.newOrganization();
  await addPerson(selo, beta, "owner");
  const { headers, device } = await withPasskey("member", beta);
  const left = await ask(headers, `mutation { leaveOrganization(input: {organizationId: "${beta.id}"}) { done } }`);
  expect(left.status).toBe(200);
  expectError(await signIn(device), 401, "unauthenticated");
});

test("the audit trail verifies after all of this, and finds a passkey that somebody put there by hand", async () => {
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
  const { personId } = await withPasskey();
  await rows("update accounts.passkeys set public_key = '\\x00' where person_id = $1", [personId]);
  expect((await verifyAll(selo.operator)).faults).toContainEqual(
    expect.objectContaining({ check_name: "records", subject_type: "user", subject_id: personId }),
  );
  await rows("delete from accounts.passkeys where person_id = $1", [personId]);
});
