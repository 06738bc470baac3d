import type { DpsFacts } from "../../../src/adapters/tax-authority/dps-facts.ts";

export const CNPJ = "11222333000181";

/** Facts of an ordinary invoice, with changes. */
export function sampleFacts(changes: Partial<DpsFacts> = {}): DpsFacts {
  return {
    environment: "test",
    issued_at: "2026-11-29T18:12:03-03:00",
    series: "1",
    number: "42",
    competence_date: "2026-11-29",
    issuer: {
      cnpj: CNPJ,
      municipal_registration: "12345",
      city_code: "3550308",
      simples: 1,
      simples_regime: null,
      special_regime: 0,
    },
    customer: {
      document_type: "cpf",
      document: "52998224725",
      country: "BR",
      name: "João & Filhos <\"Ltda\"> 'ME'",
      municipal_registration: null,
      email: "joao@example.com",
      phone: "11999990000",
      address: {
        street: "Rua da Consolação",
        number: "10",
        complement: null,
        district: "Centro",
        city_code: "3550308",
        postal_code: "01301000",
      },
    },
    service: {
      national_code: "010101",
      municipal_code: null,
      nbs_code: null,
      description: "Desenvolvimento de programas\nem novembro",
      city_code: null,
    },
    iss: { taxation: 1, rate: "5.00", withheld: false },
    amounts: {
      services: "1000.00",
      discount_unconditional: "0.00",
      discount_conditional: "0.00",
      deductions: "200.00",
      pis: "0.00",
      cofins: "0.00",
      inss: "0.00",
      ir: "0.00",
      csll: "0.00",
      other: "0.00",
    },
    pis_cofins_cst: null,
    approximate_taxes: null,
    ibs_cbs: null,
    ...changes,
  };
}
