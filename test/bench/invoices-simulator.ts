/** The simulator of the tax authority as a separate process: it verifies each DPS and signs each NFS-e, on its own thread. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startSimulator } from "../../src/adapters/tax-authority/simulator/simulator.ts";
import {
  type BenchA1,
  PASSWORD,
  type SimulatorPlace,
  type SimulatorQuestion,
  type SimulatorQuestions,
} from "./invoices-simulator-words.ts";
import { answer } from "./webhooks-child.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-simulator-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
const simulator = await startSimulator({ folder, environment: "live" });

answer(async (question: SimulatorQuestion) => {
  switch (question.ask) {
    case "where": {
      const { url, caPem, signerPem } = simulator;
      return { url, folder, caPem, signerPem } satisfies SimulatorPlace;
    }
    case "a1": {
      const { p12, pem } = await simulator.makeA1({ cnpj: question.cnpj, name: "Benchmark", password: PASSWORD });
      return { p12: p12.toString("base64"), ...pem } satisfies BenchA1;
    }
    case "questions": {
      const questions = simulator.requests().filter(({ method }) => method === "GET");
      const asked = questions.filter(({ path }) => path.startsWith("/dps/")).length;
      return { asked, found: questions.length - asked } satisfies SimulatorQuestions;
    }
  }
});
