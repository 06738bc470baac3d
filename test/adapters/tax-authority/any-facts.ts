// Facts of any invoice that the schema of facts accepts.
import fc from "fast-check";
import type { DpsFacts } from "../../../src/adapters/tax-authority/dps-facts.ts";

const digits = (least: number, most = least) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`));
const cents = (most: number) =>
  fc.oneof(
    fc.constant("0.00"),
    fc.integer({ min: 0, max: most }).map((value) => (value / 100).toFixed(2)),
  );
const money = cents(99_999_999_999);
const percent = cents(10_000);
/** Text of any script, with what XML escapes and what it cannot hold. */
const text = (most: number) =>
  fc
    .string({
      unit: fc.oneof(
        fc.constantFrom(..." <>&\"'\t\r\n\u0000\u0085–“é€𝄞ç"),
        fc.string({ unit: "binary", maxLength: 1 }),
      ),
      minLength: 1,
    })
    .map((given) => [...`${given}a`].slice(-most).join(""));
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const customer: fc.Arbitrary<NonNullable<DpsFacts["customer"]>> = fc
  .record({
    kind: fc.constantFrom(
      { document_type: "cpf" as const, document: "52998224725", country: "BR" },
      { document_type: "cnpj" as const, document: "11444777000161", country: "BR" },
      { document_type: "nif" as const, document: "AB-12 345/6", country: "PT" },
      { document_type: "none" as const, document: null, country: "US" },
      { document_type: "none" as const, document: null, country: "BR" },
    ),
    name: text(300),
    municipal_registration: nullable(text(15)),
    email: nullable(fc.emailAddress().filter((given) => given.length <= 80)),
    phone: nullable(digits(6, 20)),
    address: nullable(
      fc.record({
        street: text(255),
        number: text(60),
        complement: nullable(text(156)),
        district: text(60),
        city_code: nullable(digits(7)),
        postal_code: nullable(digits(8)),
        city_name: nullable(text(60)),
        region: nullable(text(60)),
      }),
    ),
  })
  .map(({ kind, ...rest }) => ({ ...kind, ...rest }));

export const anyFacts: fc.Arbitrary<DpsFacts> = fc.record({
  environment: fc.constantFrom("live", "test"),
  issued_at: fc
    .date({ min: new Date("2020-01-01T00:00:00Z"), max: new Date("2090-01-01T00:00:00Z"), noInvalidDate: true })
    .map((date) => `${date.toISOString().slice(0, 19)}-03:00`),
  series: digits(1, 5),
  number: fc.bigInt({ min: 1n, max: 999_999_999_999_999n }).map(String),
  competence_date: fc.constantFrom("2026-02-28", "2028-02-29", "2026-12-31"),
  issuer: fc.record({
    cnpj: digits(14),
    municipal_registration: nullable(text(15)),
    city_code: digits(7),
    simples: fc.constantFrom(1, 2, 3),
    simples_regime: fc.constantFrom(1, 2, 3, null),
    special_regime: fc.integer({ min: 0, max: 6 }),
  }),
  customer: nullable(customer),
  service: fc.record({
    national_code: digits(6),
    municipal_code: nullable(digits(3)),
    nbs_code: nullable(digits(9)),
    description: text(2000),
    city_code: nullable(digits(7)),
  }),
  iss: fc.record({
    taxation: fc.constantFrom(1, 2, 3, 4),
    rate: cents(500),
    withheld: fc.boolean(),
    immunity: fc.constantFrom(1, 2, 3, 4, 5, null),
  }),
  amounts: fc.record({
    services: money,
    discount_unconditional: money,
    discount_conditional: money,
    deductions: money,
    pis: money,
    cofins: money,
    inss: money,
    ir: money,
    csll: money,
    other: money,
  }),
  pis_cofins_cst: fc.constantFrom("00", "01", "99", null),
  approximate_taxes: fc.oneof(
    fc.constant(null),
    fc.record({ federal: percent, state: percent, municipal: percent }),
    fc.record({ simples: cents(9_999) }),
  ),
  ibs_cbs: nullable(fc.record({ operation_indicator: digits(6), cst: digits(3), classification: digits(6) })),
});
