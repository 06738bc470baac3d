import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Load, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
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
  const bare = spawn("node", ["test/bench/bare-grafserv.ts", gateway.adminUrl, gateway.organization.live], {
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
    const rounds: Record<keyof typeof measured, Load>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [rest, grafserv, ours] = [await measured.rest(), await measured.grafserv(), await measured.ours()];
      rounds.push({ rest, grafserv, ours });
    }
    const rate = (which: keyof typeof measured) => median(rounds.map((round) => round[which].rate));
    const ratio = (peer: "rest" | "grafserv") => median(rounds.map((round) => round.ours.rate / round[peer].rate));
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
    ];
  } finally {
    bare.kill("SIGTERM");
    await gateway.stop();
  }
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
