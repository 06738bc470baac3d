/** Whether codes go there by SMS: masks of addresses have an @, and those of numbers have none. */
export const isBySms = (sentTo: string): boolean => !sentTo.includes("@");

/** As people read it: the country code apart, and what is hidden as in masked addresses. */
export const shownTarget = (sentTo: string): string =>
  isBySms(sentTo) ? sentTo.replace(/^(\+\d+)/, "$1\u00a0").replaceAll("*", "•") : sentTo;
