/**
 * A date and time as Brazilians say it, of what Intl writes. One o'clock is singular, and so is midnight: "às 19:23", but "à 01:05". The first of
 * a month is an ordinal: "1º de dezembro".
 */
export const spokenPortuguese = (text: string): string =>
  text.replace(/ às (?=0[01]:)/, " à ").replace(/^1 de /, "1º de ");
