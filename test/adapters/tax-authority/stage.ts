// A simulator with an issuer, for one test file.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import type { DpsFacts } from "../../../src/adapters/tax-authority/dps-facts.ts";
import { layout101 } from "../../../src/adapters/tax-authority/layout-1-01.ts";
import { type SignatureAlgorithms, signXml, type TaxIdentity } from "../../../src/adapters/tax-authority/sign-xml.ts";
import type { A1 } from "../../../src/adapters/tax-authority/simulator/demo-certificates.ts";
import type { ScenarioInput } from "../../../src/adapters/tax-authority/simulator/scenario.ts";
import { type Simulator, startSimulator } from "../../../src/adapters/tax-authority/simulator/simulator.ts";
import { TaxAuthority } from "../../../src/adapters/tax-authority/tax-authority.ts";
import { CNPJ, sampleFacts } from "./sample-facts.ts";

export const NOW = new Date("2026-11-29T21:12:10Z");

export interface Stage {
  readonly simulator: Simulator;
  readonly client: TaxAuthority;
  readonly a1: A1;
  readonly folder: string;
  /** A signed DPS with a number of its own. */
  dps(
    changes?: Partial<DpsFacts>,
    identity?: TaxIdentity,
    algorithms?: SignatureAlgorithms,
  ): { id: string; xml: string };
  cancellation(accessKey: string): string;
  /** What the next requests meet. */
  next(...steps: ScenarioInput["next"]): void;
  stop(): Promise<void>;
}

export async function startStage(requestMs = 10_000): Promise<Stage> {
  const folder = mkdtempSync(join(os.tmpdir(), "selo-simulator-"));
  const simulator = await startSimulator({ folder, now: () => NOW });
  const a1 = await simulator.makeA1({ cnpj: CNPJ, name: "Empresa de Teste", password: "segredo" });
  const client = new TaxAuthority({ baseUrl: simulator.url, ca: simulator.caPem, requestMs, now: () => NOW.getTime() });
  let number = 0;
  return {
    simulator,
    client,
    a1,
    folder,
    dps(changes = {}, identity = a1.pem, algorithms = "exclusive-sha256") {
      number += 1;
      const { id, xml } = layout101.writeDps(sampleFacts({ number: String(number), ...changes }));
      return { id, xml: signXml(xml, id, identity, algorithms) };
    },
    cancellation(accessKey) {
      const { id, xml } = layout101.writeCancellation({
        environment: "test",
        access_key: accessKey,
        cnpj: CNPJ,
        requested_at: "2026-11-29T18:12:03-03:00",
        reason_code: "1",
        reason: "Erro na emissão da nota",
      });
      return signXml(xml, id, a1.pem);
    },
    next: (...steps) => simulator.setScenario({ next: steps }),
    async stop() {
      await client.close();
      await simulator.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
