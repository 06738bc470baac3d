import { getIntrospectionQuery } from "graphql";
import { startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import type { Measurement } from "./measurement.ts";

const REQUESTS = 200;

const times = (count: number, text: (place: number) => string) => Array.from({ length: count }, (_, at) => text(at));
/** In one character each, up to 52. */
const short = (place: number) => String.fromCharCode(place < 26 ? 97 + place : 39 + place);

/** What anyone may ask of the schema, and what is dearest of it within the limit, one request after the other. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  "the standard query of tools, all options": getIntrospectionQuery({
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  }),
  "… the longest allowed answer (11 aliases of each field's description)": `{ __schema { types { fields {
    ${times(11, (at) => `${short(at)}: description`).join(" ")} } } } }`,
  "… the most values allowed (38 aliases of each field's type)": `{ __schema { types { fields { type {
    ${times(38, (at) => `${short(at)}: ofType { name }`).join(" ")} } } } } }`,
  "… 45 aliases of types, refused": `{ __schema {
    ${times(45, (at) => `a${at}: types { name description fields { name description args { name description } } }`).join(" ")} } }`,
};

/** What introspection costs: bytes of the answer, CPU of the gateway, and how long its event loop stands still. */
export async function introspection(): Promise<Measurement[]> {
  const gateway = await startBenchGateway({ PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  try {
    const measurements: Measurement[] = [];
    for (const [figure, query] of Object.entries(DOCUMENTS)) {
      const ask = async () => {
        const response = await fetch(`${gateway.url}/graphql`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query }),
        });
        return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
      };
      for (let warmUp = 0; warmUp < REQUESTS; warmUp++) await ask();
      await gateway.probe();
      const before = cpuMilliseconds(gateway.pid);
      const { status, bytes } = await ask();
      for (let asked = 1; asked < REQUESTS; asked++) await ask();
      const cpu = (cpuMilliseconds(gateway.pid) - before) / REQUESTS;
      const { workMaxMs } = await gateway.probe();
      measurements.push({
        figure: `introspection without a token: ${figure}`,
        value: `${status}, ${(bytes / 1_000).toFixed(1)} kB for ${(query.length / 1_000).toFixed(1)} kB`,
        peer: `CPU of the gateway ${cpu.toFixed(1)} ms, longest work without a turn of the loop ${workMaxMs.toFixed(1)} ms`,
      });
    }
    return measurements;
  } finally {
    await gateway.stop();
  }
}
