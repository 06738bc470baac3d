import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { type BenchGateway, type Load, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { graphqlValues } from "./graphql-values.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const SECONDS = 5;
const CONNECTIONS = 32;
const PROOFS = 2_000;

/** All that GET /proofs/{id} answers. */
export const PROOF_QUERY = `query ($id: ID!) { proof(id: $id) {
  id sha256 label fileName fileSize language registeredAt verificationCode verifyUrl evidence platformSignature
  platformKeyId platformSignaturePq platformPqKeyId evidenceSignatureAlgorithms
} }`;

/** One proof, and the largest documents. */
export const graphql = async (): Promise<Measurement[]> => [...(await oneProof()), ...(await graphqlValues())];

/**
 * One proof by its id through GraphQL, against REST, which answers the same members, and against Grafserv on the same schema, which counts
 * no request and checks no document: once with PostGraphile's own way of reading, and once with ours.
 */
async function oneProof(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const ids = (await registerProofs(gateway, PROOFS)).map(({ id }) => id);
  const peers = { grafserv: startGrafserv(gateway, "own"), piped: startGrafserv(gateway, "ours") };
  try {
    const urls = {
      ours: `${gateway.url}/graphql`,
      grafserv: await urlOf(peers.grafserv),
      piped: await urlOf(peers.piped),
    };
    const nextId = () => ids[Math.floor(Math.random() * ids.length)] ?? "";
    const headers = { authorization: `Bearer ${gateway.organization.live}`, "content-type": "application/json" };
    const ask = (url: string) =>
      load(
        {
          method: "POST",
          url,
          headers,
          body: () => JSON.stringify({ query: PROOF_QUERY, variables: { id: nextId() } }),
        },
        CONNECTIONS,
        SECONDS,
      );
    const measured = {
      ours: () => ask(urls.ours),
      grafserv: () => ask(urls.grafserv),
      piped: () => ask(urls.piped),
      rest: () =>
        load(
          { method: "GET", url: gateway.url, headers, path: () => `/api/v1/proofs/${nextId()}` },
          CONNECTIONS,
          SECONDS,
        ),
    };
    await requireSameAnswer(Object.values(urls), headers, nextId());
    await gateway.analyze();
    for (const warmUp of Object.values(measured)) await warmUp();
    const processes = {
      ours: gateway.pid,
      rest: gateway.pid,
      grafserv: peers.grafserv.pid ?? 0,
      piped: peers.piped.pid ?? 0,
    };
    const window = (which: keyof typeof measured) => withCpu(gateway, processes[which], measured[which]);
    const rounds: Record<keyof typeof measured, Window>[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({
        rest: await window("rest"),
        grafserv: await window("grafserv"),
        piped: await window("piped"),
        ours: await window("ours"),
      });
    const rate = (which: keyof typeof measured) => median(rounds.map((round) => round[which].rate));
    const ratio = (peer: Peer) => median(rounds.map((round) => round.ours.rate / round[peer].rate));
    const cpu = (which: keyof typeof measured) =>
      (["node", "postgres"] as const)
        .map((of) => `${median(rounds.map((round) => round[which][of])).toFixed(2)} ms`)
        .join(" / ");
    const cpuRatio = (peer: Peer) =>
      median(rounds.map(({ ours, [peer]: other }) => (other.node + other.postgres) / (ours.node + ours.postgres)));
    return [
      {
        figure: `GraphQL proof by id over HTTP, requests/s (${CONNECTIONS} connections)`,
        value: rate("ours").toFixed(0),
        peer: `Grafserv on the same schema, PostGraphile's own reads ${rate("grafserv").toFixed(0)}/s`,
        ratio: ratio("grafserv").toFixed(2),
        p50: `${median(rounds.map(({ ours }) => ours.p50)).toFixed(1)} ms`,
        p99: `${median(rounds.map(({ ours }) => ours.p99)).toFixed(1)} ms`,
      },
      {
        figure: "… against Grafserv with our reads",
        value: rate("ours").toFixed(0),
        peer: `Grafserv on the same schema and reads ${rate("piped").toFixed(0)}/s`,
        ratio: ratio("piped").toFixed(2),
      },
      {
        figure: "… the same proof through REST",
        value: rate("ours").toFixed(0),
        peer: `GET /proofs/{id} ${rate("rest").toFixed(0)}/s`,
        ratio: ratio("rest").toFixed(2),
      },
      {
        figure: "… CPU for each: gateway / Postgres; the ratio is the peer's by ours",
        value: cpu("ours"),
        peer: `Grafserv ${cpu("grafserv")}`,
        ratio: cpuRatio("grafserv").toFixed(2),
      },
      {
        figure: "… the same against Grafserv with our reads",
        value: cpu("ours"),
        peer: `Grafserv ${cpu("piped")}`,
        ratio: cpuRatio("piped").toFixed(2),
      },
      {
        figure: "… the same against REST",
        value: cpu("ours"),
        peer: `REST ${cpu("rest")}`,
        ratio: cpuRatio("rest").toFixed(2),
      },
    ];
  } finally {
    for (const peer of Object.values(peers)) peer.kill("SIGTERM");
    await gateway.stop();
  }
}

type Peer = "rest" | "grafserv" | "piped";
type Grafserv = ChildProcessByStdio<null, Readable, null>;

/** @param reads "own": PostGraphile's own way of reading; "ours": the gateway's */
function startGrafserv({ adminUrl }: BenchGateway, reads: "own" | "ours"): Grafserv {
  return spawn("node", ["test/bench/bare-grafserv.ts", adminUrl, reads], { stdio: ["ignore", "pipe", "inherit"] });
}

async function urlOf({ stdout }: Grafserv): Promise<string> {
  const [port] = (await once(stdout, "data")) as [Buffer];
  return `http://127.0.0.1:${port.toString().trim()}/graphql`;
}

interface Window extends Load {
  /** Milliseconds of CPU for each request. */
  readonly node: number;
  readonly postgres: number;
}

async function withCpu({ postmasterPid }: BenchGateway, pid: number, measure: () => Promise<Load>): Promise<Window> {
  const before = [cpuMilliseconds(pid), cpuMilliseconds(postmasterPid)] as const;
  const loaded = await measure();
  const spent = (of: number, since: number) => (cpuMilliseconds(of) - since) / loaded.count;
  return { ...loaded, node: spent(pid, before[0]), postgres: spent(postmasterPid, before[1]) };
}

/** A peer that answers less, or an error, would be no peer. */
async function requireSameAnswer(
  urls: readonly string[],
  headers: Readonly<Record<string, string>>,
  id: string,
): Promise<void> {
  const body = JSON.stringify({ query: PROOF_QUERY, variables: { id } });
  const answers = await Promise.all(
    urls.map(async (url) => JSON.stringify(await (await fetch(url, { method: "POST", headers, body })).json())),
  );
  if (new Set(answers).size > 1 || !answers[0]?.includes(id)) throw new Error(`not one answer: ${answers.join("\n")}`);
}
