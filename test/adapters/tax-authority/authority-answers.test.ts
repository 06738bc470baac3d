// The forms in which errors and documents come, and what is none of them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accessKeyOfAnswer, documentOf, errorsOf } from "../../../src/adapters/tax-authority/authority-answers.ts";
import { packXml } from "../../../src/adapters/tax-authority/packed-xml.ts";

const one = { code: "E0310", message: "Código inexistente", complement: null };

describe("errors", () => {
  test.each([
    ["erros with codigo", { erros: [{ codigo: "E0310", descricao: "Código inexistente" }] }],
    ["erros with Codigo", { erros: [{ Codigo: "E0310", Descricao: "Código inexistente", Complemento: null }] }],
    ["erro alone", { erro: { codigo: "E0310", descricao: "Código inexistente", complemento: "" } }],
    ["erro as a list", { erro: [{ codigo: " E0310 ", descricao: "Código inexistente" }] }],
    ["Erros", { Erros: [{ Codigo: "E0310", Descricao: "Código inexistente" }] }],
  ])("%s", (_, answer) => {
    expect(errorsOf(JSON.stringify(answer))).toEqual([one]);
  });

  test("several, with complements; what has no code is left out", () => {
    const erros = [
      { codigo: "E1235", descricao: "a", complemento: "b" },
      { descricao: "c" },
      null,
      "d",
      { codigo: "" },
      { codigo: "E2" },
    ];
    expect(errorsOf(JSON.stringify({ erros }))).toEqual([
      { code: "E1235", message: "a", complement: "b" },
      { code: "E2", message: "", complement: null },
    ]);
  });

  test("are bounded, and hold no NUL, which Postgres cannot store", () => {
    const error = { codigo: "E1\0", descricao: `\0${"x".repeat(5_000)}` };
    const errors = errorsOf(JSON.stringify({ erros: new Array(80).fill(error) }));
    expect(errors).toHaveLength(50);
    expect(errors[0]).toEqual({ code: "E1", message: "x".repeat(2_000), complement: null });
  });

  test.each(["", "null", "[]", "{}", '{"erros":[]}', '{"erros":"x"}', '"E1"', "<html>", '{"erros":[{}]}', "{"])(
    "%s names none",
    (body) => expect(errorsOf(body)).toEqual([]),
  );
});

test("whatever the body is, nothing throws", () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ erros: fc.jsonValue(), erro: fc.jsonValue(), nfseXmlGZipB64: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        value.map((given) => JSON.stringify(given)),
      ),
      (body) => {
        for (const error of errorsOf(body)) expect(error.code).not.toBe("");
        expect(documentOf(body, "nfseXmlGZipB64")).toBeNull();
        expect(accessKeyOfAnswer(body)).toBeNull();
      },
    ),
    { numRuns: 300 },
  );
});

test("documents and access keys are read from their members", () => {
  const body = JSON.stringify({ nfseXmlGZipB64: packXml("<a/>"), chaveAcesso: "1".repeat(50) });
  expect(documentOf(body, "nfseXmlGZipB64")).toBe("<a/>");
  expect(documentOf(body, "eventoXmlGZipB64")).toBeNull();
  expect(accessKeyOfAnswer(body)).toBe("1".repeat(50));
  expect(accessKeyOfAnswer(JSON.stringify({ chaveAcesso: "1".repeat(49) }))).toBeNull();
});
