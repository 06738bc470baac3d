import { spawn } from "node:child_process";
import { once } from "node:events";
import { type BenchGateway, type Load, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const SECONDS = 5;
const CONNECTIONS = 32;
const PROOFS = 2_000;

/** All that GET /proofs/{id} answers. */
export const PROOF_QUERY = `query ($id: UUID!) { proof(id: $id) {
  id sha256 label fileName fileSize language registeredAt verificationCode verifyUrl evidence platformSignature
  platformKeyId platformSignaturePq platformPqKeyId evidenceSignatureAlgorithms
} }`;

/**
 * One proof by its id through GraphQL, against Grafserv on the same schema and reads (which counts no request and checks
 * no document), and against REST, which answers the same members.
 */
export async function graphql(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const ids = (await registerProofs(gateway, PROOFS)).map(({ id }) => id);
  const bare = spawn("node", ["test/bench/bare-grafserv.ts", gateway.adminUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = (await once(bare.stdout, "data")) as [Buffer];
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
      ours: () => ask(`${gateway.url}/graphql`),
      grafserv: () => ask(`http://127.0.0.1:${port.toString().trim()}/graphql`),
      rest: () =>
        load(
          { method: "GET", url: gateway.url, headers, path: () => `/api/v1/proofs/${nextId()}` },
          CONNECTIONS,
          SECONDS,
        ),
    };
    await requireSameAnswer(
      `${gateway.url}/graphql`,
      `http://127.0.0.1:${port.toString().trim()}/graphql`,
      headers,
      nextId(),
    );
    await gateway.analyze();
    for (const warmUp of Object.values(measured)) await warmUp();
    const processes = { ours: gateway.pid, rest: gateway.pid, grafserv: bare.pid ?? 0 };
    const window = (which: keyof typeof measured) => withCpu(gateway, processes[which], measured[which]);
    const rounds: Record<keyof typeof measured, Window>[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ rest: await window("rest"), grafserv: await window("grafserv"), ours: await window("ours") });
    const rate = (which: keyof typeof measured) => median(rounds.map((round) => round[which].rate));
    const ratio = (peer: "rest" | "grafserv") => median(rounds.map((round) => round.ours.rate / round[peer].rate));
    const cpu = (which: keyof typeof measured) =>
      (["node", "postgres"] as const)
        .map((of) => `${median(rounds.map((round) => round[which][of])).toFixed(2)} ms`)
        .join(" / ");
    const cpuRatio = (peer: "rest" | "grafserv") =>
      median(rounds.map(({ ours, [peer]: other }) => (other.node + other.postgres) / (ours.node + ours.postgres)));
    return [
      {
        figure: `GraphQL proof by id over HTTP, requests/s (${CONNECTIONS} connections)`,
        value: rate("ours").toFixed(0),
        peer: `Grafserv on the same schema and reads ${rate("grafserv").toFixed(0)}/s`,
        ratio: ratio("grafserv").toFixed(2),
        p50: `${median(rounds.map(({ ours }) => ours.p50)).toFixed(1)} ms`,
        p99: `${median(rounds.map(({ ours }) => ours.p99)).toFixed(1)} ms`,
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
        figure: "… the same against REST",
        value: cpu("ours"),
        peer: `REST ${cpu("rest")}`,
        ratio: cpuRatio("rest").toFixed(2),
      },
    ];
  } finally {
    bare.kill("SIGTERM");
    await gateway.stop();
  }
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
  ours: string,
  peer: string,
  headers: Readonly<Record<string, string>>,
  id: string,
): Promise<void> {
  const answers = await Promise.all(
    [ours, peer].map(async (url) => {
      const body = JSON.stringify({ query: PROOF_QUERY, variables: { id } });
      return JSON.stringify(await (await fetch(url, { method: "POST", headers, body })).json());
    }),
  );
  if (answers[0] !== answers[1] || !answers[0]?.includes(id)) throw new Error(`two answers: ${answers.join("\n")}`);
}
