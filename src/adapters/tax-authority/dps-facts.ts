import { z } from "zod";

/** Money: reais with two decimals, "0.00" when nothing is meant. */
const money = z.string().regex(/^(0|[1-9]\d{0,14})\.\d{2}$/);
/** Per cent with two decimals. */
const percent = z.string().regex(/^(0|[1-9]\d{0,2})\.\d{2}$/);
const digits = (least: number, most: number = least) => z.string().regex(new RegExp(`^\\d{${least},${most}}$`));
/** Text that is not blank; lengths count Unicode code points, as the XSD does. */
const text = (most: number) =>
  z.string().refine((given) => /\S/.test(given) && [...given].length <= most, { error: `1 to ${most} characters` });

/** What the document of each type looks like; "" when it is absent. */
const DOCUMENTS = { cpf: /^\d{11}$/, cnpj: /^\d{14}$/, nif: /\S/, none: /^$/ };

const address = z.strictObject({
  street: text(255),
  number: text(60),
  complement: text(156).nullable(),
  district: text(60),
  /** IBGE code; null abroad. */
  city_code: digits(7).nullable(),
  /** 8 digits in Brazil, 1 to 11 characters abroad. */
  postal_code: text(11).nullable(),
  /** Abroad alone: the city; the district stands for it when it is absent. */
  city_name: text(60).nullish(),
  /** Abroad alone: state, province or region; the city stands for it when it is absent. */
  region: text(60).nullish(),
});

/** Schema of {@link DpsFacts}: SQL makes these facts as JSON. */
export const dpsFacts = z.strictObject({
  environment: z.enum(["live", "test"]),
  /** dhEmi: whole seconds with an offset of whole hours. */
  issued_at: z.string().regex(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d([-+](0\d|1[01])|\+12):00$/),
  series: digits(1, 5),
  number: z.string().regex(/^[1-9]\d{0,14}$/),
  competence_date: z.iso.date(),
  issuer: z.strictObject({
    cnpj: digits(14),
    municipal_registration: text(15).nullable(),
    city_code: digits(7),
    /** opSimpNac: 1 outside the Simples Nacional, 2 MEI, 3 micro or small company. */
    simples: z.literal([1, 2, 3]),
    /** regApTribSN, of `simples` 3 alone. */
    simples_regime: z.literal([1, 2, 3]).nullable(),
    /** regEspTrib. */
    special_regime: z.int().min(0).max(6),
  }),
  customer: z
    .strictObject({
      document_type: z.enum(["cpf", "cnpj", "nif", "none"]),
      document: text(40).nullable(),
      /** ISO 3166-1 alpha-2. */
      country: z.string().regex(/^[A-Z]{2}$/),
      name: text(300),
      municipal_registration: text(15).nullable(),
      email: text(80).nullable(),
      phone: digits(6, 20).nullable(),
      address: address.nullable(),
    })
    .refine(({ document_type, document }) => DOCUMENTS[document_type].test(document ?? ""), {
      error: "a document of its type",
      path: ["document"],
    })
    .nullable(),
  service: z.strictObject({
    /** cTribNac. */
    national_code: digits(6),
    /** cTribMun. */
    municipal_code: digits(3).nullable(),
    nbs_code: digits(9).nullable(),
    description: text(2000),
    /** Where the service was provided; the issuer's municipality when absent. */
    city_code: digits(7).nullish(),
  }),
  iss: z.strictObject({
    /** tribISSQN: 1 taxable, 2 immune, 3 exported, 4 not taxable. */
    taxation: z.literal([1, 2, 3, 4]),
    rate: z.string().regex(/^\d\.\d{2}$/),
    /** tpRetISSQN: the customer withholds it. */
    withheld: z.boolean(),
    /** tpImunidade, of `taxation` 2 alone. */
    immunity: z.literal([1, 2, 3, 4, 5]).nullish(),
  }),
  amounts: z.strictObject({
    services: money,
    discount_unconditional: money,
    discount_conditional: money,
    deductions: money,
    /** Withheld, as all that follow. */
    pis: money,
    cofins: money,
    inss: money,
    ir: money,
    csll: money,
    other: money,
  }),
  /** 2 digits. */
  pis_cofins_cst: digits(2).nullable(),
  /** Per cent (Lei 12.741/2012). */
  approximate_taxes: z
    .union([
      z.strictObject({ federal: percent, state: percent, municipal: percent }),
      z.strictObject({ simples: z.string().regex(/^(0|[1-9]\d?)\.\d{2}$/) }),
    ])
    .nullable(),
  ibs_cbs: z.strictObject({ operation_indicator: digits(6), cst: digits(3), classification: digits(6) }).nullable(),
});

/** What a DPS says, independent of the layout's version. */
export type DpsFacts = z.infer<typeof dpsFacts>;
export type CustomerFacts = NonNullable<DpsFacts["customer"]>;
