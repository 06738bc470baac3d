/** The type of the same words in another language. */
export type WordsOf<Words> = {
  readonly [Name in keyof Words]: Words[Name] extends string
    ? string
    : Words[Name] extends readonly string[]
      ? readonly string[]
      : WordsOf<Words[Name]>;
};
