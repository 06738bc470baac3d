/** In Portuguese one o'clock is singular, and so is midnight: "às 19:23", but "à 01:05". Intl always writes "às". */
export const withHourArticle = (text: string): string => text.replace(/ às (?=0[01]:)/, " à ");
