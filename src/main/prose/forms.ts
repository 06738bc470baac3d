/** Forms of sentences to avoid. CONTRIBUTING.md lists them and others that a pattern does not find without false alarms. */

interface Form {
  readonly pattern: RegExp;
  /** A text with the form, and the better text. */
  readonly avoid: string;
  readonly write: string;
}

export const FORMS: readonly Form[] = [
  { pattern: /\b\w+s never(?=[.,;:]|$)/gm, avoid: "Rejects never.", write: "Never rejects." },
  { pattern: /\b(is|are|was|were) \w+ed no longer\b/g, avoid: "is signed no longer", write: "is no longer signed" },
  { pattern: /\bin place of\b/g, avoid: "in place of", write: "instead of" },
  { pattern: /\bof yours\b|\bWords of \w+/g, avoid: "a system of yours", write: "your own system" },
  { pattern: /\banswers (with )?[1-5]\d\d\b/g, avoid: "answers 404", write: "returns 404" },
  {
    pattern: /\b(is|are) no (rows?|records?)\b/g,
    avoid: "They are served, and are no rows.",
    write: "They are served but not stored.",
  },
  {
    pattern: /\b(is|are) no (files?|texts?|numbers?|PDFs?|placeholders?|faults?)\b/g,
    avoid: "a file that is no PDF",
    write: "a file that is not a PDF",
  },
  {
    pattern: /\b(limits?|results?|counts?|costs?) (is|are) told\b/g,
    avoid: "limits are told",
    write: "rate limits are reported",
  },
  {
    pattern: /\bWhether it (is|was|has)\b/g,
    avoid: "Whether it is kept and not served.",
    write: "If true, the record is stored but not served.",
  },
  {
    pattern: /\b(has|have) the same of\b/g,
    avoid: "Quick scans have the same of 20.",
    write: "Quick scans have their own limit of 20.",
  },
  { pattern: /\bgo(es)? along\b/g, avoid: "Its fields go along.", write: "Also removes its fields." },
  { pattern: /\bhand(s|ed)? (it |them )?on\b/g, avoid: "a PDF to hand on", write: "a PDF that you can pass on" },
  {
    pattern: /\bshall (be|become|have|get)\b/g,
    avoid: "the records as they shall be",
    write: "the new records",
  },
  {
    pattern: /(\}|\.\w+) is (made|deleted|gone)\b(?=[.`"]|$)/gm,
    avoid: "example.com is made",
    write: "Created example.com",
  },
  // A noun may follow: the keys of its own members.
  {
    pattern: /\bof (its|their|our|your|one's) own(?=[^\w ]|$| \|| (in|on|at|below|for|with|that|which|until)\b)/gm,
    avoid: "a key of its own",
    write: "its own key",
  },
];

/** The forms in a text, each with the place where it begins. */
export const formsIn = (text: string): { readonly found: string; readonly index: number; readonly write: string }[] =>
  FORMS.flatMap(({ pattern, write }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ found, index, write })),
  );
