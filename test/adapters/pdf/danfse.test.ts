// The DANFSe, as other programs read it: poppler, qpdf, zbarimg. Its sample is valid by the schema of the national NFS-e.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { danfseContent } from "../../../src/adapters/pdf/danfse-content.ts";
import { NotAnNfse } from "../../../src/adapters/pdf/nfse-document.ts";
import { PdfRenderer } from "../../../src/adapters/pdf/pdf-renderer.ts";
import { packageRoot } from "../../../src/adapters/programs/package-root.ts";
import { SIMULATOR_PROGRAM } from "../../../src/adapters/tax-authority/simulator/simulator-program.ts";
import { readBack, scanReceipt } from "../../support/receipt-reader.ts";
import { ACCESS_KEY, IBS_CBS, nfseSample, type Sample } from "./nfse-sample.ts";

const LIVE = { environment: "live", canceledAt: null } as const;
const renderer = new PdfRenderer();
afterAll(() => renderer.close());

const drawn = (given: Sample = {}, options: Parameters<typeof danfseContent>[1] = LIVE) =>
  renderer.render(danfseContent(nfseSample(given), options));

/** The text of all pages, a line for each line. */
function textOf(pdf: Uint8Array): string {
  return readBack(pdf, { text: "pdftotext -raw file.pdf text" }).text;
}
const pagesOf = (text: string) => text.split("\f").slice(0, -1);
/** The value that a label has in the content. */
function valuesOf(xml: string): Record<string, string> {
  const { opening, sections } = danfseContent(xml, LIVE);
  const cells = [...opening, ...sections.flatMap(({ rows }) => rows)].flat();
  return Object.fromEntries(cells.map(({ label, value }) => [label, value]));
}

describe("the page of an ordinary invoice", () => {
  test("has all values as Brazilians write them, on one page", async () => {
    const text = textOf(await drawn());
    expect(pagesOf(text)).toHaveLength(1);
    for (const value of [
      "DANFSe v1.0 – Documento Auxiliar da NFS-e",
      ...["Município de São Paulo", "Ambiente gerador: Sistema Nacional da NFS-e", "Tipo de ambiente: Produção"],
      ...["Emitente da NFS-e\nPrestador", "Situação da NFS-e\nNFS-e gerada", "Finalidade\n–"],
      "Intermediário do serviço NÃO IDENTIFICADO NA NFS-e",
      "35503 08221 23456 78000 19500 00000 00004 22611 01234 56784",
      ...["Número da NFS-e\n42", "Competência da NFS-e\n28/11/2026", "29/11/2026 14:32:10"],
      ...["Número da DPS\n57", "Série da DPS\n1", "29/11/2026 14:30:00"],
      ...[
        "12.345.678/0001-95",
        "12345678",
        "(11) 98765-4321",
        "Padaria São João Tecnologia Ltda",
        "fiscal@padaria.example",
      ],
      ...["Rua Augusta, 1500, Consolação", "São Paulo – SP", "01304-001", "Não optante"],
      ...["98.765.432/0001-98", "44556677", "(21) 3333-4444", "Mercado Bom Preço Comércio de Alimentos S.A."],
      ...["financeiro@bompreco.example", "Avenida Rio Branco, 156, sala 1201, Centro", "IBGE 3304557", "20040-002"],
      ...[
        "01.04.01 – Elaboração de programas",
        "002 – Desenvolvimento de programas sob encomenda",
        "115022000 – Serviços",
      ],
      ...[
        "conforme proposta nº 2026/118.\nEtapa 3 de 5: integração com o estoque & emissão de etiquetas.\nVencimento: 10/12/2026",
      ],
      ...[
        "Operação tributável",
        "Retido pelo tomador",
        "Base de cálculo do ISSQN\nR$ 1.234.517,89",
        "Alíquota aplicada\n2,01%",
      ],
      ...["ISSQN apurado\nR$ 24.813,81", "ISSQN retido\nR$ 24.813,81", "Desconto incondicionado\nR$ 50,00"],
      ...[
        "IRRF retido\nR$ 18.518,52",
        "Contribuição previdenciária retida\nR$ 1.320,00",
        "Contribuições sociais retidas\nR$ 57.407,41",
      ],
      ...[
        "PIS, COFINS e CSLL retidos",
        "PIS, débito de apuração própria\nR$ 8.024,69",
        "Retenções federais\nR$ 77.245,93",
      ],
      ...["Total das retenções\nR$ 102.059,74", "Valor líquido da NFS-e\nR$ 1.132.448,15"],
      ...["Federais\nR$ 166.049,38", "Estaduais\nR$ 0,00", "Municipais\nR$ 26.913,58"],
      ...["Pedido: PC-7781", "Pagamento por PIX: financeiro@padaria.example", "Página 1 de 1"],
    ])
      expect(text).toContain(value);
    for (const mark of ["CANCELADA", "SEM VALIDADE", "undefined", "null", "NaN"]) expect(text).not.toContain(mark);
  });

  test("has a QR code that shows the invoice at the tax authority", async () => {
    expect(scanReceipt(await drawn())).toBe(`https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=${ACCESS_KEY}`);
  });

  test("is a sound PDF/A with the XML in it, tagged, and has the same bytes each time", async () => {
    const pdf = await drawn();
    expect((await drawn()).equals(pdf)).toBe(true);
    const { checked, info, xmp, xml, tags } = readBack(pdf, {
      checked: "qpdf --check file.pdf >checked",
      info: "pdfinfo file.pdf >info",
      xmp: "pdfinfo -meta file.pdf >xmp",
      xml: "pdfdetach -savefile nfse.xml -o xml file.pdf",
      tags: "pdfinfo -struct-text file.pdf >tags",
    });
    expect(checked).toContain("No syntax or stream encoding errors found");
    expect(info).toMatch(new RegExp(`^Title: +DANFSe ${ACCESS_KEY}$`, "m"));
    expect(info).toMatch(/^Tagged: +yes$/m);
    expect(xmp).toMatch(/pdfaid:part>3<.*pdfaid:conformance>B</s);
    expect(xml).toBe(nfseSample());
    const read = [...tags.matchAll(/^ +"(.*)"$/gm)].map(([, text = ""]) => text).join("\n");
    expect(read).toContain("Número da NFS-e\n42\nCompetência da NFS-e\n28/11/2026\n");
    expect(read.indexOf("Prestador do serviço")).toBeLessThan(read.indexOf("Tomador do serviço"));
  });

  test("comes from a sample that is valid by NFSe_v1.01.xsd", ({ skip }) => {
    const schema = ["../shared", "../../shared"]
      .map((folder) => path.join(packageRoot(), folder, "nfse/xsd/NFSe_v1.01.xsd"))
      .find((file) => fs.existsSync(file));
    if (!schema) return skip("the schemas do not lie beside the repository");
    for (const input of [
      nfseSample(),
      nfseSample({ customer: "", environment: "2", information: "" }),
      nfseSample(LONG),
      nfseSample({ ibsCbs: IBS_CBS }),
    ]) {
      const { status, stderr } = spawnSync("xmllint", ["--noout", "--nonet", "--schema", schema, "-"], {
        input,
        encoding: "utf8",
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "- validates\n" });
    }
  });
});

const LONG: Sample = {
  description: Array.from({ length: 41 }, (_, line) => `${line + 1}ª etapa: consultoria, reuniões e relatório`)
    .join("\n")
    .padEnd(2000, "."),
  information: "Informação do prestador. ".repeat(80).trim(),
};

test("2,000 characters with 40 line breaks go on on the next page, and nothing is lost", async () => {
  const text = textOf(await drawn(LONG));
  const pages = pagesOf(text);
  expect(pages).toHaveLength(2);
  for (let line = 1; line <= 40; line++)
    expect(text).toContain(`\n${line}ª etapa: consultoria, reuniões e relatório\n`);
  expect(pages[1]).toContain("Valor líquido da NFS-e\nR$ 1.132.448,15");
  expect(text.match(/Informação\sdo\sprestador\./g)).toHaveLength(80);
  expect(pages.map((page) => /Página \d de \d/.exec(page)?.[0])).toEqual(["Página 1 de 2", "Página 2 de 2"]);
});

describe("what makes an invoice worthless stands on every page", () => {
  const TEST = "SEM VALIDADE JURÍDICA";
  const notice = `NFS-e ${TEST} · emitida em ambiente de testes`;
  const canceled = "CANCELADA · em 30/11/2026 12:01:02";

  test.for([
    ["a test", {}, { environment: "test", canceledAt: null }, [notice], ["CANCELADA"]],
    ["one of the authority's restricted environment", { environment: "2" }, LIVE, [notice], ["CANCELADA"]],
    ["one of the simulator", { program: SIMULATOR_PROGRAM }, LIVE, [notice], ["CANCELADA"]],
    ["a canceled one", {}, { environment: "live", canceledAt: "2026-11-30T15:01:02Z" }, [canceled], [TEST]],
    ["both", {}, { environment: "test", canceledAt: "2026-11-30T12:01:02-03:00" }, [notice, canceled], []],
  ] as const)("%s", async ([, given, options, expected, not]) => {
    const pages = pagesOf(textOf(await drawn({ ...LONG, ...given }, options)));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) {
      for (const mark of expected) expect(page).toContain(mark);
      for (const mark of not) expect(page).not.toContain(mark);
    }
  });

  test("the QR code can be read behind the words", async () => {
    const pdf = await drawn({}, { environment: "test", canceledAt: "2026-11-30T15:01:02Z" });
    expect(scanReceipt(pdf)).toContain(ACCESS_KEY);
  });

  test("the time of a cancellation in another zone", () => {
    const options = { environment: "live", canceledAt: "2026-12-01T02:30:00Z", timeZone: "America/Manaus" } as const;
    expect(danfseContent(nfseSample(), options).canceledAt).toBe("30/11/2026 22:30:00");
  });
});

describe("other invoices", () => {
  test("nobody was named as customer", async () => {
    expect(textOf(await drawn({ customer: "" }))).toContain("Tomador do serviço NÃO IDENTIFICADO NA NFS-e\n");
  });

  test("a person, a customer abroad, a CNPJ with letters, an intermediary", () => {
    const person = "<CPF>12345678901</CPF><xNome>Ana</xNome>";
    expect(valuesOf(nfseSample({ customer: `<toma>${person}</toma>` }))["CNPJ / CPF / NIF"]).toBe("123.456.789-01");
    const letters = "<toma><CNPJ>12ABC34501DE35</CNPJ><xNome>B</xNome></toma>";
    expect(valuesOf(nfseSample({ customer: letters }))["CNPJ / CPF / NIF"]).toBe("12.ABC.345/01DE-35");
    const abroad =
      "<toma><NIF>DE123456789</NIF><xNome>Müller GmbH</xNome><end><endExt><cPais>DE</cPais><cEndPost>10115</cEndPost><xCidade>Berlin</xCidade><xEstProvReg>Berlin</xEstProvReg></endExt><xLgr>Chausseestraße</xLgr><nro>1</nro><xBairro>Mitte</xBairro></end></toma>";
    expect(valuesOf(nfseSample({ customer: abroad }))).toMatchObject({
      "CNPJ / CPF / NIF": "DE123456789",
      Município: "Berlin, Berlin, DE",
      CEP: "10115",
    });
    const both = danfseContent(nfseSample({ customer: `<toma>${person}</toma><interm>${person}</interm>` }), LIVE);
    expect(both.sections.map(({ title }) => title)).toContain("Intermediário do serviço");
  });

  test("IBS and CBS, and somebody else who receives the service, on one page", async () => {
    const text = textOf(await drawn({ ibsCbs: IBS_CBS }));
    expect(pagesOf(text)).toHaveLength(1);
    for (const value of [
      ...["Finalidade\nNFS-e regular", "Destinatário da operação\n", "123.456.789-01", "Ana Souza"],
      ...["000 / 000001", "100301", "Rio de Janeiro", "R$ 12,34", "R$ 1.209.704,08"],
      ...[
        "0,10% / 0,07%",
        "0,05% / 0,05%",
        "0,90% / 0,90%",
        "30,00% / – / –",
        "R$ 846,79",
        "R$ 604,85",
        "R$ 10.887,34",
      ],
      ...["Total do IBS\nR$ 1.451,64", "Valor líquido da NFS-e com IBS e CBS\nR$ 1.132.448,15"],
    ])
      expect(text).toContain(value);
    const own = { ...IBS_CBS, declared: IBS_CBS.declared.replace(/<indDest>.*<\/dest>/, "<indDest>0</indDest>") };
    const { sections } = danfseContent(nfseSample({ ibsCbs: own }), LIVE);
    expect(sections.find(({ title }) => title === "Destinatário da operação")?.note).toBe("O PRÓPRIO TOMADOR");
  });

  test("the caller knows names of cities", () => {
    const { sections } = danfseContent(nfseSample(), { ...LIVE, cities: { "3304557": "Rio de Janeiro" } });
    expect(JSON.stringify(sections)).toContain('"Rio de Janeiro"');
  });

  test("a company of the Simples, nothing withheld, taxes as one rate", () => {
    const values = valuesOf(
      nfseSample({
        taxes:
          "<tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>1</tpRetISSQN></tribMun><totTrib><pTotTribSN>6.5</pTotTribSN></totTrib>",
        amounts: "<valores><vBC>0.5</vBC><vLiq>999999999999999.9</vLiq></valores>",
      }).replace("<opSimpNac>1</opSimpNac>", "<opSimpNac>3</opSimpNac><regApTribSN>2</regApTribSN>"),
    );
    expect(values).toMatchObject({
      "Simples Nacional na data de competência": "Optante – Microempresa ou Empresa de Pequeno Porte (ME/EPP)",
      "Regime de apuração pelo Simples Nacional": "Tributos federais pelo Simples Nacional, ISSQN por fora",
      "Retenção do ISSQN": "Não retido",
      "ISSQN retido": "–",
      "ISSQN apurado": "–",
      "Base de cálculo do ISSQN": "R$ 0,50",
      "Simples Nacional": "6,50%",
      "Retenções federais": "–",
      // More digits than a float has.
      "Valor líquido da NFS-e": "R$ 999.999.999.999.999,90",
    });
  });

  test("characters of other scripts, emoji, long names", async () => {
    const provider = `${"Ação ".repeat(50)}Łódź 株式会社 👩‍💻`;
    const text = textOf(await drawn({ provider, description: "日本語の説明 Ωмега\nसेवा\tعقد 🧾 ①" }));
    expect(text).toContain("株式会社");
    expect(text).toContain("日本語の説明 Ωмега");
    expect(text).toContain("🧾");
    expect(text).not.toContain("\ufffd");
  });
});

describe("refused", () => {
  const refused = (xml: string) => expect(() => danfseContent(xml, LIVE)).toThrow(NotAnNfse);
  const sample = nfseSample();

  test.for([
    ["no XML", "invoice"],
    ["nothing", ""],
    ["XML that ends too early", sample.slice(0, -10)],
    ["another document", '<DPS xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"/>'],
    ["another namespace", sample.replace("http://www.sped.fazenda.gov.br/nfse", "http://www.abrasf.org.br/nfse.xsd")],
    ["a document type", sample.replace("<NFSe ", '<!DOCTYPE NFSe [<!ENTITY a "b">]><NFSe ')],
    ["a document type of another case", `<!doctype NFSe>${sample.replace(/^<\?.*?\?>/, "")}`],
    ["an undeclared entity", sample.replace("Rua Augusta", "&rua;")],
    ["no access key", sample.replace(`Id="NFS${ACCESS_KEY}"`, 'Id="NFS1"')],
    ["an amount in words", sample.replace("<vLiq>1132448.15</vLiq>", "<vLiq>1e6</vLiq>")],
    ["no amount", sample.replace("<vLiq>1132448.15</vLiq>", "")],
    ["two amounts", sample.replace("<vLiq>1132448.15</vLiq>", "<vLiq>1.00</vLiq><vLiq>2.00</vLiq>")],
    ["two invoices in one", sample.replace("</infNFSe>", '</infNFSe><infNFSe Id="NFS1"/>')],
    [
      "10,000 elements in each other",
      sample.replace("<xFant>", "").replace("<emit>", `<emit>${"<a>".repeat(10_000)}${"</a>".repeat(10_000)}`),
    ],
    ["too much text", nfseSample({ information: "a".repeat(600_000) })],
    ["a description longer than any", nfseSample({ description: "a".repeat(4001) })],
  ] as const)("%s", ([, xml]) => refused(xml));

  test("the error has nothing of the invoice", () => {
    expect(() => danfseContent(sample.replace("1132448.15", "segredo"), LIVE)).toThrow(
      /^the NFS-e has another form at: net$/,
    );
  });
});
