/** A masked CPF, as the page writes what is left out. */
export const shownCpf = (cpf: string | null): string => cpf?.replaceAll("*", "•") ?? "";
