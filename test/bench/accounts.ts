import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { createUser, setPassword } from "../../src/services/accounts/store.ts";
import { buildWebAppApart } from "../../src/surfaces/web/build-apart.ts";
import { sessionHeaders } from "../services/accounts/accounts-stage.ts";
import { type BenchGateway, type Load, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { paced } from "./flood.ts";
import { PROOF_QUERY } from "./graphql.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { firstLoadOf } from "./web-pages.ts";

const SECONDS = 5;
/** Nobody signs in every second: a person has a few sessions, which each sign-in of that person writes into the trail again. */
const PEOPLE = 500;
const CALLERS = 8;
/** As many as may wait for a hash in one gateway. */
const FLOOD = 50;
const PROOFS_A_SECOND = 50;
const CONNECTIONS = 32;
const run = promisify(execFile);

/**
 * Sign-ins beside Argon2id alone; proofs of others, paced, while sign-ins flood, beside the same without; and a proof by GraphQL, by the session
 * of a person beside by a token. Each figure and its peer in turns. Then the scripts of the first load of /app.
 */
export async function accounts(): Promise<Measurement[]> {
  // In its own process: Vite sets NODE_ENV, which the gateway reads.
  await buildWebAppApart({ warn: console.warn });
  const gateway = await startBenchGateway({ TRUST_PROXY: "1", PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  try {
    const parameters = await addPeople(gateway);
    return [
      await signIns(gateway, parameters),
      await proofsMeanwhile(gateway),
      await readBySession(gateway),
      await firstLoadOf(gateway, { path: "/app", scripts: 240 }),
    ];
  } finally {
    await gateway.stop();
  }
}

/** @returns the parameters of Argon2id, as arguments of a program */
async function addPeople({ adminUrl, organization }: BenchGateway): Promise<string[]> {
  const operator = await Operator.connect(adminUrl);
  try {
    const password = "correct-horse-battery";
    for (let person = 0; person < PEOPLE; person++) {
      const email = `person-${person}@bench.example`;
      const { id } = await createUser(operator, { tenantId: organization.id, email, role: "member" });
      await setPassword(operator, id, password);
    }
    const [parameters] = await operator.query<object>(
      "select memory, passes, parallelism from accounts.password_parameters()",
    );
    return Object.values(parameters ?? {}).map(String);
  } finally {
    await operator.close();
  }
}

/** What a program of this folder prints: a rate. */
async function rateOf(program: string, ...parameters: readonly (string | number)[]): Promise<number> {
  const { stdout } = await run("node", [`test/bench/${program}`, ...parameters.map(String)]);
  return Number(stdout);
}

const signInsTo = ({ url }: BenchGateway, callers: number, seconds: number) =>
  rateOf("sign-in-load.ts", url, seconds * 1_000, callers, PEOPLE);

async function signIns(gateway: BenchGateway, parameters: readonly string[]): Promise<Measurement> {
  const alone = () => rateOf("argon2-alone.ts", SECONDS * 1_000, ...parameters);
  const ours = () => signInsTo(gateway, CALLERS, SECONDS);
  await ours();
  const rounds: { readonly alone: number; readonly ours: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push({ alone: await alone(), ours: await ours() });
  return {
    figure: `sign-ins/s (${CALLERS} callers), aim 0.8`,
    value: median(rounds.map((round) => round.ours)).toFixed(1),
    peer: `Argon2id alone ${median(rounds.map((round) => round.alone)).toFixed(1)}/s`,
    ratio: median(rounds.map((round) => round.ours / round.alone)).toFixed(2),
  };
}

async function proofsMeanwhile(gateway: BenchGateway): Promise<Measurement> {
  const seconds = 2 * SECONDS;
  const proofs = () => paced(PROOFS_A_SECOND, seconds, () => registerProof(gateway));
  await proofs();
  const quiet: number[][] = [];
  const flooded: number[][] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await proofs());
    const [times, rate] = await Promise.all([proofs(), signInsTo(gateway, FLOOD, seconds)]);
    flooded.push(times);
    rates.push(rate);
  }
  const at = (times: readonly number[], share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  const pair = (share: number) =>
    `${median(flooded.map((times) => at(times, share))).toFixed(1)} ms, without ${median(quiet.map((times) => at(times, share))).toFixed(1)} ms`;
  return {
    figure: `POST /proofs while sign-ins flood (${median(rates).toFixed(1)}/s, ${FLOOD} callers): the ratio of p99, aim 1.5 at most`,
    value: `${PROOFS_A_SECOND}/s`,
    ratio: median(flooded.map((times, round) => at(times, 0.99) / at(quiet[round] ?? [], 0.99))).toFixed(2),
    p50: pair(0.5),
    p99: pair(0.99),
  };
}

async function registerProof({ url, organization }: BenchGateway): Promise<void> {
  const response = await fetch(`${url}/api/v1/proofs`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization.live}`, "content-type": "application/json" },
    body: JSON.stringify({ sha256: randomBytes(32).toString("hex"), label: "benchmark" }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`a proof was answered ${response.status}`);
}

async function readBySession(gateway: BenchGateway): Promise<Measurement> {
  const ids = (await registerProofs(gateway, 2_000)).map(({ id }) => id);
  await gateway.analyze();
  const signIn = await fetch(`${gateway.url}/api/v1/auth/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "person-0@bench.example", password: "correct-horse-battery" }),
  });
  if (signIn.status !== 200) throw new Error(`the sign-in was answered ${signIn.status}`);
  const credentials = {
    session: sessionHeaders(signIn),
    token: { authorization: `Bearer ${gateway.organization.live}` },
  };
  const nextId = () => ids[Math.floor(Math.random() * ids.length)] ?? "";
  const ask = (by: keyof typeof credentials) =>
    load(
      {
        method: "POST",
        url: `${gateway.url}/graphql`,
        headers: { ...credentials[by], "content-type": "application/json" },
        body: () => JSON.stringify({ query: PROOF_QUERY, variables: { id: nextId() } }),
      },
      CONNECTIONS,
      SECONDS,
    );
  await requireProof(gateway, credentials, nextId());
  for (const warmUp of ["token", "session"] as const) await ask(warmUp);
  const rounds: { readonly token: Load; readonly session: Load }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    // Each is first in turn.
    if (round % 2 === 0) rounds.push({ token: await ask("token"), session: await ask("session") });
    else rounds.push({ session: await ask("session"), token: await ask("token") });
  const of = (by: keyof typeof credentials, read: (load: Load) => number) =>
    median(rounds.map((round) => read(round[by])));
  return {
    figure: `GraphQL proof by id by a session, requests/s (${CONNECTIONS} connections), aim 0.95`,
    value: of("session", ({ rate }) => rate).toFixed(0),
    peer: `by a token ${of("token", ({ rate }) => rate).toFixed(0)}/s`,
    ratio: median(rounds.map(({ session, token }) => session.rate / token.rate)).toFixed(2),
    p50: `${of("session", ({ p50 }) => p50).toFixed(1)} ms`,
    p99: `${of("session", ({ p99 }) => p99).toFixed(1)} ms`,
  };
}

/** An answer with errors is 200, too. */
async function requireProof(
  { url }: BenchGateway,
  credentials: Readonly<Record<string, Readonly<Record<string, string>>>>,
  id: string,
): Promise<void> {
  const body = JSON.stringify({ query: PROOF_QUERY, variables: { id } });
  for (const [by, headers] of Object.entries(credentials)) {
    const answer = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    const { data } = (await answer.json()) as { readonly data?: { readonly proof?: { readonly id: string } } };
    if (data?.proof?.id !== id) throw new Error(`by a ${by}, the proof is not answered`);
  }
}
