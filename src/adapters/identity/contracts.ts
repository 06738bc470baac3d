import { z } from "zod";

/** Whom a provider is asked about. Numbers in digits. */
export interface Person {
  readonly name: string;
  readonly cpf: string | null;
  readonly ssn_last4: string | null;
}

const visible = (most: number) => z.string().regex(new RegExp(`^[!-~]{1,${most}}$`));
const reference = visible(200);
const isUnlike = (texts: readonly string[]) => new Set(texts).size === texts.length;

const question = z.object({
  id: visible(100),
  text: z.string().min(1).max(500),
  choices: z.array(z.string().min(1).max(200)).min(2).max(10).refine(isUnlike),
});

/** Questions about a person, and what the provider calls them. */
export const askedForm = z.object({
  reference,
  questions: z
    .array(question)
    .min(1)
    .max(10)
    .refine((all) => isUnlike(all.map(({ id }) => id))),
});
export type Asked = z.output<typeof askedForm>;

/** Whether the answers are the person's. */
export const judgedForm = z.object({ passed: z.boolean() });

/** Whether the provider knows the person by this name and these numbers. */
export const matchedForm = z.object({ reference, match: z.boolean() });
export type Matched = z.output<typeof matchedForm>;

/** A choice for each question, by the question's id. */
export type Answers = Readonly<Record<string, string>>;

/** Asks about a person. One id a try: a repetition has the same answer. */
export interface QuestionProvider {
  /** @throws ProviderFailed */
  ask(id: string, person: Person): Promise<Asked>;
  /** @throws ProviderFailed */
  judge(id: string, asked: Pick<Asked, "reference">, answers: Answers): Promise<boolean>;
}

/** Compares a person with what it knows. One id a try. */
export interface MatchProvider {
  /** @throws ProviderFailed */
  match(id: string, person: Person): Promise<Matched>;
}

/** A provider that gave no usable answer in time. Its message names neither address nor person. */
export class ProviderFailed extends Error {
  override readonly name = "ProviderFailed";
}
