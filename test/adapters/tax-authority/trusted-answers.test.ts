// Which answers count: forged, wrapped, altered and unsound ones do not.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessKeyIsSound, accessKeyOf, checkDigitOf } from "../../../src/adapters/tax-authority/access-key.ts";
import { PackedXmlError, packXml, unpackXml } from "../../../src/adapters/tax-authority/packed-xml.ts";
import { signXml } from "../../../src/adapters/tax-authority/sign-xml.ts";
import { makeAuthority } from "../../../src/adapters/tax-authority/simulator/demo-certificates.ts";
import {
  readCancellationEvent,
  readNfse,
  type TrustOptions,
  UntrustedAnswerError,
} from "../../../src/adapters/tax-authority/trusted-answers.ts";
import { parseSoundXml, UnsoundXmlError } from "../../../src/adapters/tax-authority/xml-dom.ts";
import { anyFacts } from "./any-facts.ts";
import { hasSchemas, NO_SCHEMAS, schemaFaults, signatureHolds } from "./oracles.ts";
import { NOW, type Stage, startStage } from "./stage.ts";

let stage: Stage;
let dpsXml: string;
/** An NFS-e of the simulator. */
let nfse: string;
let accessKey: string;
let requestXml: string;
let event: string;
beforeAll(async () => {
  stage = await startStage();
  dpsXml = stage.dps().xml;
  nfse = await accepted(dpsXml);
  accessKey = readNfse(nfse, { trusted: [stage.simulator.signerPem], dpsXml }).access_key;
  requestXml = stage.cancellation(accessKey);
  const answer = await stage.client.cancel(stage.a1.pem, accessKey, requestXml);
  if (answer.kind !== "accepted") throw new Error(answer.kind);
  event = answer.xml;
});
afterAll(() => stage?.stop());

async function accepted(xml: string): Promise<string> {
  const answer = await stage.client.issue(stage.a1.pem, xml);
  if (answer.kind !== "accepted") throw new Error(JSON.stringify(answer));
  return answer.xml;
}

/** Why an NFS-e does not count; "counts" for one that does. */
function verdict(xml: string, options: Partial<TrustOptions & { dpsXml: string }> = {}): string {
  try {
    readNfse(xml, { trusted: [stage.simulator.signerPem], dpsXml, ...options });
    return "counts";
  } catch (error) {
    if (error instanceof UntrustedAnswerError) return error.reason;
    throw error;
  }
}

describe("other programs", () => {
  test("the schemas accept NFS-e, events and all that we sign", (context) => {
    if (!hasSchemas) return context.skip(NO_SCHEMAS);
    expect(schemaFaults("NFSe_v1.01.xsd", [nfse])).toEqual([""]);
    expect(schemaFaults("evento_v1.01.xsd", [event])).toEqual([""]);
    expect(schemaFaults("DPS_v1.01.xsd", [dpsXml])).toEqual([""]);
    expect(schemaFaults("pedRegEvento_v1.01.xsd", [requestXml])).toEqual([""]);
  });

  test("xmlsec1 verifies all that is signed, and nothing that was changed", () => {
    const { caPem } = stage.simulator;
    for (const [xml, name, from, to] of [
      [dpsXml, "infDPS", "1000.00", "1000.01"],
      [requestXml, "infPedReg", "Erro na", "Erro da"],
      [nfse, "infNFSe", "<vLiq>1", "<vLiq>2"],
      [event, "infEvento", "<nDFSe>1", "<nDFSe>2"],
    ] as const) {
      expect(signatureHolds(xml, name, caPem)).toBe(true);
      expect(xml).toContain(from);
      expect(signatureHolds(xml.replace(from, to), name, caPem)).toBe(false);
    }
  });

  test.each(["inclusive-sha256", "inclusive-sha1"] as const)("xmlsec1 verifies %s as well", (algorithms) => {
    const { xml } = stage.dps({}, stage.a1.pem, algorithms);
    expect(signatureHolds(xml, "infDPS", stage.simulator.caPem)).toBe(true);
  });

  test("xmlsec1 verifies text of any script", () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    for (const facts of fc.sample(anyFacts, { numRuns: 12, seed })) {
      const { xml } = stage.dps(facts);
      expect({ seed, holds: signatureHolds(xml, "infDPS", stage.simulator.caPem) }).toEqual({ seed, holds: true });
    }
  });

  test("openssl reads A1 certificates, of both encryptions", async () => {
    for (const legacy of [true, false]) {
      const { p12 } = await stage.simulator.makeA1({
        cnpj: "11222333000181",
        name: "Empresa",
        password: "ção",
        legacy,
      });
      const { status, stdout } = spawnSync("openssl", ["pkcs12", "-nokeys", "-passin", "pass:ção"], { input: p12 });
      expect({ status, names: stdout.toString().includes("11222333000181") }).toEqual({ status: 0, names: true });
    }
  });
});

describe("an NFS-e", () => {
  test("counts by its signer's certificate, or by the authority that issued it", () => {
    expect(verdict(nfse)).toBe("counts");
    expect(verdict(nfse, { trusted: [stage.simulator.caPem], now: NOW })).toBe("counts");
    expect(verdict(nfse, { trusted: [stage.simulator.caPem], now: new Date("2099-01-01") })).toBe("signer");
    expect(verdict(nfse, { trusted: [stage.a1.pem.certificate + stage.simulator.signerPem] })).toBe("counts");
    expect(verdict(`\uFEFF${nfse}`)).toBe("counts");
    expect(verdict(nfse, { trusted: [] })).toBe("signer");
    expect(verdict(nfse, { trusted: [stage.a1.pem.certificate] })).toBe("signer");
  });

  test("of a wrong signer, or with another DPS, does not count; the one that is fetched does", async () => {
    const { client, a1, simulator } = stage;
    for (const [kind, reason] of [
      ["wrong_signer", "signer"],
      ["altered_dps", "altered_dps"],
    ] as const) {
      stage.next({ kind });
      const dps = stage.dps();
      expect(verdict(await accepted(dps.xml), { dpsXml: dps.xml })).toBe(reason);
      const found = await client.findDps(a1.pem, dps.id);
      if (found.kind !== "accepted") throw new Error(found.kind);
      const fetched = await client.fetchNfse(a1.pem, found.accessKey);
      if (fetched.kind !== "accepted") throw new Error(fetched.kind);
      expect(readNfse(fetched.xml, { trusted: [simulator.signerPem], dpsXml: dps.xml }).access_key).toBe(
        found.accessKey,
      );
    }
  });

  test("of another DPS does not count", () => {
    expect(verdict(nfse, { dpsXml: stage.dps().xml })).toBe("altered_dps");
  });

  test("with any byte of the signed element changed does not count", () => {
    const start = nfse.indexOf("<infNFSe");
    const end = nfse.indexOf("</infNFSe>");
    const step = Math.floor((end - start) / 40);
    for (let at = start; at < end; at += step) {
      const changed = nfse.slice(0, at) + (nfse[at] === "7" ? "8" : "7") + nfse.slice(at + 1);
      expect(verdict(changed)).not.toBe("counts");
    }
  });

  test("signed by a trusted-looking stranger does not count, whatever certificate stands beside the signature", async () => {
    const stranger = await makeAuthority(NOW);
    const unsigned = nfse.replace(
      /<Signature xmlns="[^"]*"><SignedInfo>(?![\s\S]*<Signature )[\s\S]*<\/Signature>(?=<\/NFSe>)/,
      "",
    );
    expect(unsigned).not.toBe(nfse);
    const id = /Id="(NFS\d+)"/.exec(unsigned)?.[1] ?? "";
    const forged = signXml(unsigned, id, stranger);
    expect(verdict(forged)).toBe("signer");
    const base64 = stage.simulator.signerPem.replace(/-----[^-]+-----|\s/g, "");
    const certificates = [...forged.matchAll(/<X509Certificate>[^<]*/g)];
    const last = certificates.at(-1);
    if (last === undefined) throw new Error("no certificate");
    const borrowed = `${forged.slice(0, last.index)}<X509Certificate>${base64}${forged.slice(last.index + last[0].length)}`;
    expect(verdict(borrowed)).toBe("signature");
  });
});

describe("wrapped signatures", () => {
  const inner = () => {
    const root = nfse.slice(nfse.indexOf("<NFSe"));
    const signed = /<infNFSe [\s\S]*<\/infNFSe>/.exec(root)?.[0] ?? "";
    const signature = root.slice(root.indexOf(signed) + signed.length, root.lastIndexOf("</NFSe>"));
    return { signed, signature, open: /^<NFSe[^>]*>/.exec(root)?.[0] ?? "" };
  };
  const evil = (signed: string) => signed.replace("<nNFSe>", "<nNFSe>9");

  test.each([
    [
      "the forged element first, the signed one beside it",
      (s: string, g: string, o: string) => `${o}${evil(s)}${s}${g}</NFSe>`,
    ],
    [
      "the signed element first, the forged one beside it",
      (s: string, g: string, o: string) => `${o}${s}${evil(s)}${g}</NFSe>`,
    ],
    [
      "another Id for the forged one",
      (s: string, g: string, o: string) => `${o}${evil(s).replace(/Id="NFS\d/, 'Id="NFS9')}${s}${g}</NFSe>`,
    ],
    [
      "the signed element inside the signature",
      (s: string, g: string, o: string) =>
        `${o}${evil(s).replace(/Id="NFS\d/, 'Id="NFS9')}${g.replace("</Signature>", `<Object>${s}</Object></Signature>`)}</NFSe>`,
    ],
    [
      "the signed element inside the forged one",
      (s: string, g: string, o: string) =>
        `${o}${evil(s)
          .replace(/Id="NFS\d/, 'Id="NFS9')
          .replace("</infNFSe>", `${s}</infNFSe>`)}${g}</NFSe>`,
    ],
    ["two signatures", (s: string, g: string, o: string) => `${o}${s}${g}${g}</NFSe>`],
    [
      "the signature inside the element alone",
      (s: string, g: string, o: string) => `${o}${s.replace("</infNFSe>", `${g}</infNFSe>`)}</NFSe>`,
    ],
    ["the whole answer inside another root", (s: string, g: string, o: string) => `<x>${o}${s}${g}</NFSe></x>`],
    [
      "the same Id twice, in an attribute of another name",
      (s: string, g: string, o: string) =>
        `${o}${evil(s)}${g.replace("<KeyInfo>", `<KeyInfo id="${/Id="(NFS\d+)/.exec(s)?.[1]}">`)}</NFSe>`,
    ],
  ])("%s", (_, wrap) => {
    const { signed, signature, open } = inner();
    expect(verdict(`${open}${signed}${signature}</NFSe>`)).toBe("counts");
    expect(["structure", "signature"]).toContain(verdict(wrap(signed, signature, open)));
  });

  test("transforms and algorithms beyond the known ones are refused", () => {
    const { signed, signature, open } = inner();
    for (const [from, to] of [
      ["http://www.w3.org/2000/09/xmldsig#enveloped-signature", "http://www.w3.org/TR/1999/REC-xslt-19991116"],
      ["http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "http://www.w3.org/2000/09/xmldsig#hmac-sha1"],
      ["http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "http://www.w3.org/2000/09/xmldsig#rsa-sha1"],
      ["http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2000/09/xmldsig#sha1"],
    ] as const)
      expect(verdict(`${open}${signed}${signature.replace(from, to)}</NFSe>`)).toBe("algorithm");
  });
});

describe("unsound XML", () => {
  test.each([
    ["a document type", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ["a comment", "<a>1<!-- --></a>"],
    ["a processing instruction", '<?xml version="1.0"?><?a b?><a/>'],
    ["a processing instruction inside", "<a><?b?></a>"],
    ["a CDATA section", "<a><![CDATA[1]]></a>"],
    ["an element that does not end", "<a><b></a>"],
    ["two roots", "<a/><b/>"],
    ["an attribute without quotes", "<a b=c/>"],
    ["nothing", ""],
    ["words", "it works"],
    ["too deep", "<a>".repeat(100) + "</a>".repeat(100)],
  ])("%s is refused", (_, xml) => {
    expect(() => parseSoundXml(xml)).toThrow(UnsoundXmlError);
  });

  test("a comment or a document type makes an NFS-e unreadable", () => {
    expect(verdict(nfse.replace("<nNFSe>", "<!-- --><nNFSe>"))).toBe("unreadable");
    expect(verdict(nfse.replace("<NFSe", "<!DOCTYPE NFSe><NFSe"))).toBe("unreadable");
    expect(verdict(nfse.replace("<NFSe", "<?a b?><NFSe"))).toBe("unreadable");
  });
});

describe("an event", () => {
  const read = (
    xml: string,
    changes: Partial<{ accessKey: string; requestXml: string | null; trusted: string[] }> = {},
  ) => readCancellationEvent(xml, { trusted: [stage.simulator.signerPem], accessKey, requestXml, ...changes });

  test("counts for its NFS-e alone", () => {
    expect(read(event)).toMatchObject({
      access_key: accessKey,
      canceled_at: "2026-11-29T18:12:10-03:00",
      reason_code: "1",
    });
    expect(read(event, { requestXml: null }).answers_request).toBe(false);
    expect(() => read(event, { accessKey: accessKey.replace(/^\d/, "9") })).toThrow("other_event");
    expect(() => read(event, { trusted: [stage.a1.pem.certificate] })).toThrow("signer");
    expect(() => read(nfse)).toThrow("structure");
    expect(() => read(event.replace("<cMotivo>1", "<cMotivo>2"))).toThrow("signature");
  });
});

describe("packed XML", () => {
  const reason = (packed: string) => {
    try {
      unpackXml(packed);
      return "read";
    } catch (error) {
      return error instanceof PackedXmlError ? error.reason : "?";
    }
  };

  test("is read up to 10 MiB", () => {
    expect(unpackXml(packXml("<é/>"))).toBe("<é/>");
    expect(reason(packXml(" ".repeat(10 * 1024 * 1024)))).toBe("read");
    expect(reason(packXml(" ".repeat(10 * 1024 * 1024 + 1)))).toBe("too_large");
  });

  test("is refused when it is not base64, not gzip or not UTF-8", () => {
    expect(reason("")).toBe("base64");
    expect(reason("%%%%")).toBe("base64");
    expect(reason(Buffer.from("<a/>").toString("base64"))).toBe("gzip");
    expect(reason(packXml("<a/>").slice(0, 20))).toBe("gzip");
  });
});

test("the check digit of access keys is modulo 11", () => {
  expect(accessKeyIsSound(accessKey)).toBe(true);
  // 2 × 9 = 18, 18 mod 11 = 7, 11 − 7 = 4; a remainder of 1 gives 0.
  expect(checkDigitOf("9")).toBe("4");
  expect(checkDigitOf("6")).toBe("0");
  // Its remainder is 2: with a remainder of 0 or 1 a changed digit may give the same check digit.
  const key = "35503082211222333000181000000000000126117573685399";
  for (let place = 0; place < 50; place += 1) {
    const digit = (Number(key[place]) + 1) % 10;
    expect(accessKeyIsSound(key.slice(0, place) + digit + key.slice(place + 1))).toBe(false);
  }
  const parts = {
    cityCode: "3550308",
    cnpj: "11222333000181",
    nfseNumber: "7",
    issuedAt: "2026-11-29",
    randomDigits: "123456789",
  };
  expect(accessKeyOf(parts)).toMatch(/^35503082211222333000181000000000000726111234567\d\d\d$/);
});
