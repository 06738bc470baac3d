import { z } from "zod";

const text = (most: number, description: string) => z.string().max(most).meta({ description });

/** Members of customers and services that are objects. SQL checks their texts (invoicing.refuse_wrong_customer, invoicing.refuse_wrong_service). */
export const address = z
  .object({
    street: text(255, "Street, without the number."),
    number: text(60, "Number, or S/N."),
    complement: text(156, "What else finds the door.").nullish(),
    district: text(60, "District (bairro)."),
    city_code: text(60, "In Brazil, the code of the municipality (IBGE). Abroad, the name of the city.").nullish(),
    postal_code: text(11, "In Brazil, the CEP: eight digits.").nullish(),
  })
  .strict()
  .meta({ title: "InvoiceAddressInput", description: "Address." });

const rate = (of: string) =>
  z
    .string()
    .max(6)
    .meta({ description: `Approximate ${of} taxes, in per cent.` });

export const approximateTaxes = z
  .object({
    federal: rate("federal").optional(),
    state: rate("state").optional(),
    municipal: rate("municipal").optional(),
    simples: z
      .string()
      .max(6)
      .meta({ description: "Approximate taxes of a company in Simples Nacional, in per cent; alone." })
      .optional(),
  })
  .strict()
  .meta({
    title: "ApproximateTaxesInput",
    description: "Approximate taxes (Lei 12.741): federal, state and municipal together, or simples alone.",
  });

export const ibsCbs = z
  .object({
    operation_indicator: text(6, "Indicator of the operation (cIndOp): six digits."),
    cst: text(3, "Tax situation (CST): three digits."),
    classification: text(6, "Classification (cClassTrib): six digits."),
  })
  .strict()
  .meta({ title: "IbsCbsInput", description: "IBS and CBS." });
