import type { PDFForm } from "@libpdf/core";

/**
 * A name that no field of the form has, nor the path to one.
 * @param wanted without a dot
 */
export function newName(form: PDFForm | null, wanted: string): string {
  const taken = new Set((form?.getFields() ?? []).map(({ name }) => name.split(".", 1)[0]));
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.has(name)) return name;
  }
}
