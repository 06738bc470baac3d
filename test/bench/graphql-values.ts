import pg from "pg";
import { type BenchGateway, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

/** The largest page, and the most participants of an envelope. */
const ENVELOPES = 200;
const PARTICIPANTS = 50;
/** Requests of a window: the clock of a process counts in hundredths of a second. */
const REQUESTS = 10;
/** CPU that one request may take. */
const MOST_MILLISECONDS = 250;

const again = (field: string, times: number) =>
  Array.from({ length: times }, (_, place) => `a${place}: ${field}`).join(" ");
const PARTICIPANT = "id name email role authMethod modality status locked invitationFailed";

/** Documents that ask for nearly as many values as one may, but for the first, which is a page. */
const documents: Readonly<Record<string, string>> = {
  "50 envelopes with their participants":
    "{ envelopes { nodes { id title status createdAt participants { nodes { id name email status } } } } }",
  "ten values of each participant of 52 envelopes": `{ envelopes(first: 52) { nodes { id participants { nodes { ${PARTICIPANT} } } } } }`,
  "two values of each participant of 195 envelopes":
    "{ envelopes(first: 195) { nodes { participants { nodes { id name } } } } }",
  "one value of each participant of 142 envelopes, by edges":
    "{ envelopes(first: 142) { nodes { participants { edges { cursor node { id } } } } } }",
  "four lists of 97 envelopes":
    "{ envelopes(first: 97) { nodes { id labels { nodes { labelId name } } documents { nodes { documentId } } participants { nodes { id } } fields { nodes { id } } } } }",
  "four counts of 67 envelopes":
    "{ envelopes(first: 67) { nodes { a: participants { totalCount } b: fields { totalCount } c: documents { totalCount } d: labels { totalCount } } } }",
  "200 proofs, all values": `{ proofs(first: 200) { nodes { id sha256 label fileName fileSize language registeredAt verificationCode verifyUrl evidence platformSignature
    platformKeyId platformSignaturePq platformPqKeyId evidenceSignatureAlgorithms ${again("platformSignaturePq", 11)} } } }`,
  "200 proofs, their longest value 14 times": `{ proofs(first: 200) { nodes { ${again("platformSignaturePq", 14)} } } }`,
};

/** CPU of the gateway and of Postgres for the largest documents that GraphQL accepts. */
export async function graphqlValues(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  try {
    await registerProofs(gateway, ENVELOPES);
    await writeEnvelopes(gateway);
    await gateway.analyze();
    const measured: Measurement[] = [];
    for (const [figure, query] of Object.entries(documents)) {
      const bytes = await ask(gateway, query);
      const rounds: number[][] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await window(gateway, query));
      const of = (place: number) => median(rounds.map((round) => round[place] ?? 0));
      measured.push({
        figure: `GraphQL, CPU of a request: ${figure} (${(bytes / 1_000).toFixed(0)} kB)`,
        value: `${(of(0) + of(1)).toFixed(0)} ms: gateway ${of(0).toFixed(0)} / Postgres ${of(1).toFixed(0)}`,
        peer: `limit ${MOST_MILLISECONDS} ms`,
        ratio: ((of(0) + of(1)) / MOST_MILLISECONDS).toFixed(2),
      });
    }
    return measured;
  } finally {
    await gateway.stop();
  }
}

/** @returns milliseconds of CPU for each request, of the gateway and of Postgres */
async function window(gateway: BenchGateway, query: string): Promise<number[]> {
  const now = () => [cpuMilliseconds(gateway.pid), cpuMilliseconds(gateway.postmasterPid)];
  const before = now();
  for (let sent = 0; sent < REQUESTS; sent++) await ask(gateway, query);
  return now().map((spent, place) => (spent - (before[place] ?? 0)) / REQUESTS);
}

/** @returns bytes of the answer */
async function ask({ url, organization }: BenchGateway, query: string): Promise<number> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization.live}`, "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"errors"')) throw new Error(`${response.status} ${text}`);
  return text.length;
}

/** As many envelopes as a page has, each with as many participants as an envelope may have. */
async function writeEnvelopes({ adminUrl, organization }: BenchGateway): Promise<void> {
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  try {
    await admin.query(
      `with made as (
         insert into signature.envelopes (tenant_id, environment, title, signing_order, allow_delegation, jurisdiction, field_placement, expires_in_days)
         select $1, 'live', 'Service agreement ' || number, 'parallel', false, 'br', 'report', 30 from generate_series(1, $2::integer) as number
         returning id
       )
       insert into signature.participants (tenant_id, id, environment, envelope_id, name, email, role, auth_method, modality)
       select $1, platform.uuidv7(), 'live', made.id, 'Maria Souza ' || number, 'maria' || number || '@example.com', 'signatario', 'email', 'avancada'
       from made cross join generate_series(1, $3::integer) as number`,
      [organization.id, ENVELOPES, PARTICIPANTS],
    );
  } finally {
    await admin.end();
  }
}
