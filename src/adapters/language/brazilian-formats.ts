/** Numbers, dates and registrations as Brazilian documents write them. All take and give texts: no amount passes through a float. */

/** `1234.5` → `R$ 1.234,50`. */
export function formatReais(amount: string): string {
  const [whole = "0", cents = ""] = amount.split(".");
  return `R$ ${whole.replaceAll(/\B(?=(\d{3})+$)/g, ".")},${cents.padEnd(2, "0")}`;
}

/** `2.01` → `2,01%`. */
export function formatPercent(rate: string): string {
  const [whole = "0", fraction = ""] = rate.split(".");
  return `${whole},${fraction.padEnd(2, "0")}%`;
}

/** The sum of amounts with at most two decimals. */
export function sumOfAmounts(amounts: readonly string[]): string {
  const cents = amounts.reduce((sum, amount) => {
    const [whole = "0", fraction = ""] = amount.split(".");
    return sum + BigInt(whole + fraction.padEnd(2, "0"));
  }, 0n);
  const digits = cents.toString().padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `2026-11-29…` → `29/11/2026`. */
export const formatDay = (text: string): string => text.slice(0, 10).split("-").reverse().join("/");

/** `2026-11-29T14:32:10-03:00` → `29/11/2026 14:32:10`: the clock's reading, whatever its zone. */
export const formatClock = (text: string): string => `${formatDay(text)} ${text.slice(11, 19)}`;

/** `12345678000195` → `12.345.678/0001-95`, also with letters (Instrução Normativa RFB 2229/2024); another length stays. */
export const formatCnpj = (cnpj: string): string =>
  cnpj.replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\w{2})$/, "$1.$2.$3/$4-$5");

/** `12345678901` → `123.456.789-01`. */
export const formatCpf = (cpf: string): string => cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, "$1.$2.$3-$4");

/** `01310100` → `01310-100`. */
export const formatCep = (cep: string): string => cep.replace(/^(\d{5})(\d{3})$/, "$1-$2");

/** `11987654321` → `(11) 98765-4321`; numbers of other lengths stay. */
export const formatPhone = (phone: string): string => phone.replace(/^(\d{2})(\d{4,5})(\d{4})$/, "($1) $2-$3");
