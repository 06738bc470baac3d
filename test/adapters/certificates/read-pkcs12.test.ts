import { expect, test } from "vitest";
import { readPkcs12 } from "../../../src/adapters/certificates/read-pkcs12.ts";
import { byForge, byOpenssl, certificateOf, rsaKey } from "./pkcs12-files.ts";

test("x", async () => {
  const key = rsaKey();
  const certificate = certificateOf(key, { alternativeNames: ["otherName.0=2.16.76.1.3.3;FORMAT:ASCII,OCTETSTRING:12345678000195"] });
  const made = { key, certificate };
  const t = performance.now();
  console.log(await readPkcs12(byOpenssl(made, "sénha"), "sénha"), performance.now() - t);
  console.log(await readPkcs12(byForge(made, "abc"), "abc"), performance.now() - t);
  console.log(await readPkcs12(byForge(made, "abc"), "abcd").catch((e) => e), performance.now() - t);
});
