// What the layout writes, judged by the government's schemas and by the rules of the tax authority's codes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DpsFacts, dpsFacts } from "../../../src/adapters/tax-authority/dps-facts.ts";
import { cancellationFacts } from "../../../src/adapters/tax-authority/layout.ts";
import { layout101 } from "../../../src/adapters/tax-authority/layout-1-01.ts";
import { NFSE_NAMESPACE } from "../../../src/adapters/tax-authority/write-document.ts";
import { parseSoundXml, textAt } from "../../../src/adapters/tax-authority/xml-dom.ts";
import { serializeXml } from "../../../src/adapters/xml/xmldom.ts";
import { anyFacts } from "./any-facts.ts";
import { hasSchemas, NO_SCHEMAS, schemaFaults } from "./oracles.ts";
import { CNPJ, sampleFacts } from "./sample-facts.ts";

const KEY = "35503082211222333000181000000000000126117573685399";
const sample = sampleFacts();

/** A text of the DPS that the facts become; null if the DPS lacks it. */
function written(facts: DpsFacts, ...path: string[]): string | null {
  return textAt(parseSoundXml(layout101.writeDps(facts).xml), NFSE_NAMESPACE, "infDPS", ...path);
}
const withIssuer = (issuer: Partial<DpsFacts["issuer"]>) => ({ issuer: { ...sample.issuer, ...issuer } });
const withIss = (iss: Partial<DpsFacts["iss"]>) => ({ iss: { ...sample.iss, ...iss } });
const withAmounts = (amounts: Partial<DpsFacts["amounts"]>) => ({ amounts: { ...sample.amounts, ...amounts } });
const TRIB = ["valores", "trib"];
const RATE = [...TRIB, "tribMun", "pAliq"];

describe("the schema of layout 1.01", () => {
  test("accepts what is written of many different facts", (context) => {
    if (!hasSchemas) return context.skip(NO_SCHEMAS);
    const seed = Math.floor(Math.random() * 2 ** 31);
    const facts = fc.sample(anyFacts, { numRuns: 300, seed });
    for (const each of facts) dpsFacts.parse(each);
    const faults = schemaFaults(
      "DPS_v1.01.xsd",
      facts.map((each) => layout101.writeDps(each).xml),
    );
    const worst = faults
      .map((fault, index) => ({ fault, facts: facts[index], seed }))
      .filter(({ fault }) => fault !== "");
    expect(worst.slice(0, 2)).toEqual([]);
  });

  test("accepts requests for cancellation", (context) => {
    if (!hasSchemas) return context.skip(NO_SCHEMAS);
    const documents = (["1", "2", "9"] as const).map(
      (reason_code) =>
        layout101.writeCancellation({
          environment: reason_code === "1" ? "live" : "test",
          access_key: KEY,
          cnpj: CNPJ,
          requested_at: "2026-11-29T18:12:03-03:00",
          reason_code,
          reason: "Serviço não prestado – acordo “mútuo”\n& <devolução>",
        }).xml,
    );
    expect(schemaFaults("pedRegEvento_v1.01.xsd", documents)).toEqual(["", "", ""]);
  });
});

describe("Ids", () => {
  test("only the Id pads series and number", () => {
    const facts = sampleFacts({ series: "7", number: "42" });
    expect(layout101.writeDps(facts).id).toBe(`DPS35503082${CNPJ}00007000000000000042`);
    expect(written(facts, "serie")).toBe("7");
    expect(written(facts, "nDPS")).toBe("42");
  });

  test("a cancellation's Id is PRE, the key and the event's type", () => {
    const { id } = layout101.writeCancellation({
      environment: "test",
      access_key: KEY,
      cnpj: CNPJ,
      requested_at: "2026-11-29T18:12:03-03:00",
      reason_code: "9",
      reason: "Pedido do cliente, por telefone",
    });
    expect(id).toBe(`PRE${KEY}101101`);
  });
});

describe("text", () => {
  test("names and descriptions come back as they were given", () => {
    const unit = fc.constantFrom(..."abcÁç &<>\"'ÿ€–𝄞漢".split(/(?:)/u));
    const given = fc.string({ unit, minLength: 1, maxLength: 200 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(given, given, (name, description) => {
        const facts = sampleFacts({
          customer: { ...(sample.customer as NonNullable<DpsFacts["customer"]>), name },
          service: { ...sample.service, description },
        });
        expect(written(facts, "toma", "xNome")).toBe(name.trim());
        expect(written(facts, "serv", "cServ", "xDescServ")).toBe(description.trim());
      }),
      { numRuns: 100 },
    );
  });

  test("addresses become one line of Latin-1, and Latin-1 stays as it is", () => {
    const customer = sample.customer as NonNullable<DpsFacts["customer"]>;
    const street = (text: string) =>
      written(
        sampleFacts({
          customer: {
            ...customer,
            address: { ...(customer.address as NonNullable<typeof customer.address>), street: text },
          },
        }),
        "toma",
        "end",
        "xLgr",
      );
    expect(street("Rua “São João” – nº 5…\nfundos")).toBe('Rua "São João" - nº 5... fundos');
    expect(street("Žižkova 漢")).toBe("Zizkova ?");
    const latin = fc.string({
      unit: fc.integer({ min: 0xa1, max: 0xff }).map((code) => String.fromCodePoint(code)),
      minLength: 1,
    });
    fc.assert(
      fc.property(latin, (text) => {
        expect(street(text)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});

describe("rules", () => {
  test("zeros are left out", () => {
    const facts = sampleFacts(withAmounts({ deductions: "0.00" }));
    const { xml } = layout101.writeDps(facts);
    for (const name of ["vDescCondIncond", "vDedRed", "tribFed", "infoCompl", "IBSCBS", "subst"])
      expect(xml).not.toContain(name);
  });

  test("no element has a prefix, and the issuer has no name or address", () => {
    const { xml } = layout101.writeDps(sample);
    expect(xml).not.toMatch(/<\/?\w+:/);
    expect(written(sample, "prest", "xNome")).toBeNull();
    expect(written(sample, "prest", "end")).toBeNull();
  });

  test.each([
    ["0.00", "0.00", "0.00", "0", null],
    ["65.00", "300.00", "100.00", "3", "465.00"],
    ["65.00", "300.00", "0.00", "4", "365.00"],
    ["65.00", "0.00", "0.00", "5", "65.00"],
    ["0.00", "300.00", "0.00", "6", "300.00"],
    ["0.00", "300.00", "100.00", "7", "400.00"],
    ["0.00", "0.00", "100.00", "8", "100.00"],
    ["65.00", "0.00", "100.00", "9", "165.00"],
  ])("PIS %s, COFINS %s and CSLL %s are kind %s and one sum", (pis, cofins, csll, kind, sum) => {
    const facts = sampleFacts({ ...withAmounts({ pis, cofins, csll }), pis_cofins_cst: "01" });
    expect(written(facts, ...TRIB, "tribFed", "piscofins", "tpRetPisCofins")).toBe(kind);
    expect(written(facts, ...TRIB, "tribFed", "vRetCSLL")).toBe(sum);
    const withoutCst = { ...facts, pis_cofins_cst: null };
    expect(written(withoutCst, ...TRIB, "tribFed", "piscofins")).toBeNull();
    expect(written(withoutCst, ...TRIB, "tribFed", "vRetCSLL")).toBe(sum);
  });

  test("INSS and income tax have fields, and the complementary information names other withholdings", () => {
    const facts = sampleFacts(withAmounts({ inss: "1320.00", ir: "300.00", other: "12.34" }));
    expect(written(facts, ...TRIB, "tribFed", "vRetCP")).toBe("1320.00");
    expect(written(facts, ...TRIB, "tribFed", "vRetIRRF")).toBe("300.00");
    expect(written(facts, "serv", "infoCompl", "xInfComp")).toBe("Outras retenções: R$ 12,34.");
  });

  test.each([
    ["Simples with withholding", withIssuer({ simples: 3, simples_regime: 1 }), true, "5.00"],
    ["Simples without withholding (E0625)", withIssuer({ simples: 3, simples_regime: 1 }), false, null],
    ["MEI (E0600)", withIssuer({ simples: 2 }), true, null],
    ["outside the Simples, in an active municipality (E0617)", {}, true, null],
    ["special regime (E0604)", withIssuer({ simples: 3, simples_regime: 1, special_regime: 5 }), true, null],
    ["ISS outside the Simples (E0635)", withIssuer({ simples: 3, simples_regime: 2 }), true, null],
  ])("rate: %s", (_, changes, withheld, rate) => {
    expect(written(sampleFacts({ ...changes, ...withIss({ withheld }) }), ...RATE)).toBe(rate);
  });

  test.each([2, 3, 4] as const)("taxation %i has no rate (E0602) and no special regime (E0172)", (taxation) => {
    const facts = sampleFacts({
      ...withIssuer({ simples: 3, special_regime: 4 }),
      ...withIss({ taxation, withheld: true }),
    });
    expect(written(facts, ...RATE)).toBeNull();
    expect(written(facts, ...TRIB, "tribMun", "tpRetISSQN")).toBe("1");
    expect(written(facts, "prest", "regTrib", "regEspTrib")).toBe("0");
    expect(written({ ...facts, ...withIss({ taxation: 1 }) }, "prest", "regTrib", "regEspTrib")).toBe("4");
  });

  test("approximate taxes have the form of the regime (E0713)", () => {
    const three = { federal: "13.45", state: "0.00", municipal: "2.00" };
    const total = (changes: Partial<DpsFacts>, ...path: string[]) =>
      written(sampleFacts(changes), ...TRIB, "totTrib", ...path);
    expect(total({ approximate_taxes: three }, "pTotTrib", "pTotTribFed")).toBe("13.45");
    expect(total({ approximate_taxes: { simples: "6.00" }, ...withIssuer({ simples: 3 }) }, "pTotTribSN")).toBe("6.00");
    expect(total({ approximate_taxes: three, ...withIssuer({ simples: 3 }) }, "pTotTrib", "pTotTribMun")).toBe("2.00");
    for (const approximate_taxes of [null, { simples: "6.00" }]) {
      // Neither indTotTrib nor pTotTribSN may stand outside the Simples.
      expect(total({ approximate_taxes }, "pTotTrib", "pTotTribFed")).toBe("0.00");
      expect(total({ approximate_taxes, ...withIssuer({ simples: 2 }) }, "indTotTrib")).toBe("0");
    }
    expect(total({ approximate_taxes: null, ...withIssuer({ simples: 3 }) }, "pTotTribSN")).toBe("0.00");
  });

  test("a MEI has no federal taxes (E0676)", () => {
    const facts = sampleFacts({ ...withAmounts({ ir: "1.00" }), pis_cofins_cst: "01" });
    expect(written(facts, ...TRIB, "tribFed")).not.toBeNull();
    expect(written({ ...facts, ...withIssuer({ simples: 2 }) }, ...TRIB, "tribFed")).toBeNull();
  });

  test("IBS and CBS are left out without a code of the NBS (E0322), and without a customer who could receive the service", () => {
    const ibs_cbs = { operation_indicator: "030101", cst: "000", classification: "000001" };
    expect(written(sampleFacts({ ibs_cbs }), "IBSCBS")).toBeNull();
    const service = { ...sample.service, nbs_code: "115022000" };
    expect(written(sampleFacts({ ibs_cbs, service }), "IBSCBS", "valores", "trib", "gIBSCBS", "cClassTrib")).toBe(
      "000001",
    );
    expect(written(sampleFacts({ ibs_cbs, service, customer: null }), "IBSCBS")).toBeNull();
  });

  test("a customer abroad has a NIF or the reason for none, and the foreign form of the address", () => {
    const customer = sample.customer as NonNullable<DpsFacts["customer"]>;
    const address = {
      ...(customer.address as NonNullable<typeof customer.address>),
      city_code: null,
      postal_code: "1100-150",
    };
    const abroad = { ...customer, country: "PT", document_type: "nif" as const, document: "501442600", address };
    expect(written(sampleFacts({ customer: abroad }), "toma", "NIF")).toBe("501442600");
    expect(written(sampleFacts({ customer: abroad }), "toma", "end", "endExt", "cPais")).toBe("PT");
    const nameless = { ...abroad, document_type: "none" as const, document: null };
    expect(written(sampleFacts({ customer: nameless }), "toma", "cNaoNIF")).toBe("2");
  });

  test("the complementary information names a Brazilian customer without a document", () => {
    const customer = {
      ...(sample.customer as NonNullable<DpsFacts["customer"]>),
      document_type: "none" as const,
      document: null,
    };
    expect(written(sampleFacts({ customer }), "toma")).toBeNull();
    expect(written(sampleFacts({ customer }), "serv", "infoCompl", "xInfComp")).toContain("João & Filhos");
  });
});

test("the schema of cancellations counts the reason as it is written", () => {
  const facts = {
    environment: "test",
    access_key: KEY,
    cnpj: CNPJ,
    requested_at: "2026-11-29T18:12:03-03:00",
    reason_code: "9",
  };
  const accepts = (reason: string) => cancellationFacts.safeParse({ ...facts, reason }).success;
  expect([14, 15, 255, 256].map((length) => accepts("x".repeat(length)))).toEqual([false, true, true, false]);
  expect(accepts(`a${" ".repeat(20)}b`)).toBe(false);
});

test("the schema of facts refuses what the layout cannot hold", () => {
  expect(dpsFacts.safeParse(sample).success).toBe(true);
  for (const changes of [
    { number: "0" },
    { number: "01" },
    { issued_at: "2026-11-29T21:12:03Z" },
    { issued_at: "2026-11-29T21:12:03.5-03:00" },
    { series: "123456" },
    { customer: { ...(sample.customer as NonNullable<DpsFacts["customer"]>), document: "11222333000181" } },
    { customer: { ...(sample.customer as NonNullable<DpsFacts["customer"]>), document: null } },
    withIssuer({ cnpj: "12ABC34501DE35" }),
    withAmounts({ services: "1000" }),
    withIss({ rate: "10.00" }),
  ])
    expect(dpsFacts.safeParse({ ...sample, ...changes }).success).toBe(false);
});

test("what is written is parsed to the same document", () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { xml } = layout101.writeDps(facts);
      expect(xml.endsWith(serializeXml(parseSoundXml(xml)))).toBe(true);
    }),
    { numRuns: 30 },
  );
});
