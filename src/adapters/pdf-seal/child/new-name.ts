import type { PDFForm } from "@libpdf/core";

/** A name that no field of the form has, nor the path to one. */
export function newName(form: PDFForm | null, wanted: string): string {
  const taken = (form?.getFields() ?? []).map(({ name }) => `${name}.`);
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.some((each) => each.startsWith(`${name}.`))) return name;
  }
}
