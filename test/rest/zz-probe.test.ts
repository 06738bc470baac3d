import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { call } from "./rest-client.ts";
import { readReceipt } from "./receipt-reader.ts";
let selo: TestGateway;
beforeAll(async () => { selo = await startTestGateway(); });
afterAll(() => selo.stop());
test("probe", async () => {
  const org = await selo.newOrganization({timeZone: "America/St_Johns"});
  for (const label of ["a ".repeat(100), " a".repeat(100), "a  b".repeat(50), "   "+"x y".repeat(60), "----x~!@#$%^&*()_+{}|:<>?`-=[];',./\\\""]) {
    const p = (await call(selo,"POST","/proofs",{token:org.live, body:{sha256: randomBytes(32).toString("hex"), label}})).body;
    const r = await call(selo,"GET",`/proofs/${p.id}/receipt`,{token:org.live});
    fs.writeFileSync("/tmp/h1/s.pdf", r.bytes);
    const signed = JSON.parse(readReceipt(r.bytes).evidence).payload as string;
    for (const flags of [["-layout"],["-raw"],[]]) {
      const text = execFileSync("pdftotext", [...flags, "/tmp/h1/s.pdf", "-"], {encoding:"utf8"});
      const printed = text.split("Signed payload (canonical JSON)\n")[1]!.replace(/\f/g,"").split("\n").join("");
      console.log(JSON.stringify(label).slice(0,20), flags.join(), printed === signed);
      if (printed !== signed && flags[0]) console.log(printed+"\n"+signed);
    }
    if (label.startsWith("a ")) console.log(readReceipt(r.bytes).text.slice(0,900));
  }
}, 120000);
