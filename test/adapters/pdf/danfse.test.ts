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
      "DANFSe v2.0\nDocumento Auxiliar da NFS-e",
      ...["Município: São Paulo / SP", "Ambiente Gerador: Sefin Nacional NFS-e", "Tipo de Ambiente: Produção"],
      ...["EMITENTE DA NFS-e\nPrestador", "SITUAÇÃO DA NFS-e\nNFS-e Gerada", "FINALIDADE\n-"],
      "O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO",
      "INTERMEDIÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e",
      `CHAVE DE ACESSO DA NFS-e\n${ACCESS_KEY}`,
      ...["NÚMERO DA NFS-e\n42", "COMPETÊNCIA DA NFS-e\n28/11/2026", "29/11/2026 14:32:10"],
      ...["NÚMERO DA DPS\n57", "SÉRIE DA DPS\n1", "29/11/2026 14:30:00"],
      ...[
        "12.345.678/0001-95",
        "12345678",
        "(11) 98765-4321",
        "Padaria São João Tecnologia Ltda",
        "fiscal@padaria.example",
      ],
      ...["Rua Augusta, 1500, Consolação", "São Paulo / SP", "3550308 / 01304-001", "Não Optante"],
      ...["98.765.432/0001-98", "44556677", "(21) 3333-4444", "Mercado Bom Preço Comércio de Alimentos S.A."],
      ...["financeiro@bompreco.example", "Avenida Rio Branco, 156, sala 1201, Centro", "IBGE 3304557 / RJ"],
      ...["01.04.01 / 002", "1.1502.20.00", "São Paulo / SP / BR", "Desenvolvimento de programas sob encomenda"],
      ...[
        "conforme proposta nº 2026/118.\nEtapa 3 de 5: integração com o estoque & emissão de etiquetas.\nVencimento: 10/12/2026",
      ],
      ...["Operação Tributável", "Retido pelo Tomador", "BC ISSQN\nR$ 1.234.517,89", "Alíquota Aplicada\n2,01%"],
      ...["ISSQN Apurado\nR$ 24.813,81", "Desconto Incondicionado\nR$ 50,00"],
      ...[
        "IRRF\nR$ 18.518,52",
        "Contribuição Previdenciária - Retida\nR$ 1.320,00",
        "Contribuições Sociais - Retidas\nR$ 57.407,41",
      ],
      ...["PIS/COFINS/CSLL Retidos", "PIS - Débito Apuração Própria\nR$ 8.024,69"],
      ...["Total das Retenções (ISSQN / Federais)\nR$ 102.059,74", "Valor Líquido da NFS-e\nR$ 1.132.448,15"],
      "Federais: R$ 166.049,38 ; Estaduais: R$ 0,00 ; Municipais: R$ 26.913,58",
      ...["Núm. Ped.: PC-7781", "Inf. Cont.: Pagamento por PIX: financeiro@padaria.example", "Página 1 de 1"],
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
    expect(read).toContain("NÚMERO DA NFS-e\n42\nCOMPETÊNCIA DA NFS-e\n28/11/2026\n");
    const blocks = [
      "PRESTADOR",
      "TOMADOR / ADQUIRENTE",
      "SERVIÇO",
      "TRIBUTAÇÃO MUNICIPAL",
      "TRIBUTAÇÃO FEDERAL",
      "TRIBUTAÇÃO IBS",
      "VALOR TOTAL",
      "INFORMAÇÕES",
    ];
    const places = blocks.map((title) => read.indexOf(`\n${title}`));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
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
  expect(pages[1]).toContain("Valor Líquido da NFS-e\nR$ 1.132.448,15");
  expect(text.match(/Informação\sdo\sprestador\./g)).toHaveLength(80);
  expect(pages.map((page) => /Página \d de \d/.exec(page)?.[0])).toEqual(["Página 1 de 2", "Página 2 de 2"]);
});

test("the stub for a signature is the last line of the last page, unless the texts need its place", async () => {
  const STUB = `\nDATA CIENTIFICAÇÃO IDENTIFICAÇÃO E ASSINATURA Nº NFS-e / CHAVE NFS-e\n42 / ${ACCESS_KEY}`;
  const ordinary = textOf(await drawn());
  expect(ordinary.indexOf(STUB)).toBeGreaterThan(ordinary.indexOf("Totais Aproximados"));
  const withLines = async (count: number) =>
    pagesOf(
      textOf(await drawn({ description: Array.from({ length: count }, (_, line) => `Linha ${line}`).join("\n") })),
    );
  const seen: string[] = [];
  for (let count = 20; seen.at(-1) !== "two pages"; count++) {
    const pages = await withLines(count);
    const has = pages.map((page) => page.includes(STUB));
    seen.push(pages.length === 1 ? (has[0] ? "one with" : "one without") : "two pages");
    if (pages.length === 2) expect(has).toEqual([false, true]);
  }
  // Rows are denser before a second page, and leave room again.
  expect(new Set(seen)).toEqual(new Set(["one with", "one without", "two pages"]));
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
    expect(textOf(await drawn({ customer: "" }))).toContain(
      "TOMADOR/ADQUIRENTE DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e\n",
    );
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
      "Município / Sigla UF": "Berlin / Berlin / DE",
      "Código IBGE / CEP": "10115",
    });
    const both = danfseContent(nfseSample({ customer: `<toma>${person}</toma><interm>${person}</interm>` }), LIVE);
    expect(both.sections.map(({ title }) => title)).toContain("INTERMEDIÁRIO DA OPERAÇÃO");
  });

  test("IBS and CBS, and somebody else who receives the service, on one page", async () => {
    const text = textOf(await drawn({ ibsCbs: IBS_CBS }));
    expect(pagesOf(text)).toHaveLength(1);
    for (const value of [
      ...["FINALIDADE\nNFS-e regular", "DESTINATÁRIO DA OPERAÇÃO\n", "123.456.789-01", "Ana Souza"],
      ...["000 / 000001", "100301 / 3304557 / Rio de Janeiro / RJ", "R$ 1.209.704,08"],
      ...["0,10% / 0,05%", "Alíq. Efetiva Estadual - IBS\n0,07%", "Alíquota - CBS\n0,90%", "30,00% / - / -"],
      ...["R$ 846,79", "R$ 604,85", "R$ 10.887,34"],
      // The unconditional discount, repayments, ISS, PIS and COFINS.
      "Exclusões e Reduções da Base de Cálculo\nR$ 69.937,88",
      ...["Valor Total Apurado - IBS\nR$ 1.451,64", "Total do IBS/CBS\nR$ 12.338,98"],
      "Valor Líquido da NFS-e + IBS/CBS\nR$ 1.132.448,15",
    ])
      expect(text).toContain(value);
  });

  test("the caller knows names of cities", () => {
    const { sections } = danfseContent(nfseSample(), { ...LIVE, cities: { "3304557": "Rio de Janeiro" } });
    expect(JSON.stringify(sections)).toContain('"Rio de Janeiro / RJ"');
  });

  test("a company of the Simples, nothing withheld, taxes as one rate", () => {
    const xml = nfseSample({
      taxes:
        "<tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>1</tpRetISSQN></tribMun><totTrib><pTotTribSN>6.5</pTotTribSN></totTrib>",
      amounts: "<valores><vBC>0.5</vBC><vLiq>999999999999999.9</vLiq></valores>",
    }).replace("<opSimpNac>1</opSimpNac>", "<opSimpNac>3</opSimpNac><regApTribSN>2</regApTribSN>");
    expect(valuesOf(xml)).toMatchObject({
      "Simples Nacional na Data de Competência": "Optante - Microempresa ou Empresa de Pequeno Porte (ME/EPP)",
      "Regime de Apuração Tributária pelo SN": "Tributos federais pelo Simples Nacional, ISSQN por fora",
      "Retenção do ISSQN": "Não Retido",
      "ISSQN Apurado": "-",
      "BC ISSQN": "R$ 0,50",
      IRRF: "-",
      // More digits than a float has.
      "Valor Líquido da NFS-e": "R$ 999.999.999.999.999,90",
    });
    const { sections } = danfseContent(xml, LIVE);
    expect(JSON.stringify(sections.at(-1))).toContain("Lei nº 12.741/2012: Simples Nacional: 6,50%");
  });

  test("of 2027 has no PIS and COFINS any more, and of item 99 no city", () => {
    const labels = (xml: string) => Object.keys(valuesOf(xml));
    expect(labels(nfseSample())).toContain("PIS - Débito Apuração Própria");
    const later = nfseSample().replace(/<dCompet>[^<]*/, "<dCompet>2027-01-01");
    expect(labels(later)).not.toContain("PIS - Débito Apuração Própria");
    const other = nfseSample().replace(/<cTribNac>\d+/, "<cTribNac>990101");
    expect(danfseContent(other, LIVE).origin).not.toContain("Município: São Paulo / SP");
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
