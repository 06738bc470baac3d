/** The act of a participant who has passed a second factor, beside that of one who has none. */
import { type BenchGateway, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { aSender, asked, contract, openAdmin, type Ready, ready, type Sender, sign, TYPED } from "./sealing-stage.ts";

/** Acts of each kind in a round. */
const ACTS = Number(process.env["BENCH_ACTS"] ?? 80);
const CPF = "529.982.247-25";

/**
 * `POST …/complete` over HTTP in the test environment, one after the other, with and without a passed `cpf` in turn. The factor itself, which is passed
 * before, is left out.
 */
export async function factors(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const admin = openAdmin(gateway);
  try {
    const sender = await aSender(gateway, gateway.organization, contract(2));
    const rounds: { readonly passed: number[]; readonly without: number[] }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const prepared: { readonly passed: Ready; readonly without: Ready }[] = [];
      while (prepared.length < ACTS)
        prepared.push({
          passed: await aReady(gateway, admin, sender, true),
          without: await aReady(gateway, admin, sender, false),
        });
      await gateway.analyze();
      const times = { passed: [] as number[], without: [] as number[] };
      for (const [place, pair] of prepared.entries())
        for (const kind of place % 2 === 0 ? (["passed", "without"] as const) : (["without", "passed"] as const)) {
          const began = performance.now();
          await sign(gateway, pair[kind], TYPED);
          times[kind].push(performance.now() - began);
        }
      // The first round warms up.
      if (round > 0) rounds.push(times);
    }
    const at = (kind: "passed" | "without", share: number) =>
      median(
        rounds.map((times) => {
          const sorted = times[kind].toSorted((one, other) => one - other);
          return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
        }),
      );
    const ms = (value: number) => `${value.toFixed(1)} ms`;
    return [
      {
        figure: "GET and POST …/complete of a participant whose session has passed cpf (ratio of rates, aim 0.95)",
        value: ms(at("passed", 0.5)),
        peer: `${ms(at("without", 0.5))} without a second factor`,
        ratio: (at("without", 0.5) / at("passed", 0.5)).toFixed(2),
        p50: ms(at("passed", 0.5)),
        p99: ms(at("passed", 0.99)),
      },
    ];
  } finally {
    await admin.end();
    await gateway.stop();
  }
}

/** The only participant of an envelope that was sent, in a session; the mail is left out. */
async function aReady(
  gateway: BenchGateway,
  admin: ReturnType<typeof openAdmin>,
  sender: Sender,
  hasFactor: boolean,
): Promise<Ready> {
  const post = (path: string, body?: object) =>
    asked<{ id: string }>(gateway, "POST", path, { token: sender.token, ...(body === undefined ? {} : { body }) });
  const { id } = await post("/envelopes", { title: "Contract", field_placement: "report" });
  await post(`/envelopes/${id}/documents`, { document_id: sender.documentId });
  const person = { name: "Maria Souza da Conceição", email: "maria@example.com" };
  const method = hasFactor ? { auth_method: "cpf", cpf: CPF } : {};
  const { id: participantId } = await post(`/envelopes/${id}/participants`, { ...person, ...method });
  await post(`/envelopes/${id}/send`);
  const made = await ready(admin, sender, id, participantId);
  if (hasFactor)
    await asked(gateway, "POST", `/signing/${participantId}/factor`, { headers: made.headers, body: { cpf: CPF } });
  return made;
}
