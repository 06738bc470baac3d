// The last answers that a test got, for the log of a test that fails.

const MOST_ANSWERS = 5;
const MOST_CHARACTERS = 1_000;

const answers: string[] = [];

export const lastAnswers = {
  /** Keeps an answer: what was asked, such as `GET /proofs`, and what came. */
  add(question: string, status: number | string, text: string): void {
    answers.push(`  ${question} → ${status} ${text.slice(0, MOST_CHARACTERS)}`);
    if (answers.length > MOST_ANSWERS) answers.shift();
  },
  clear(): void {
    answers.length = 0;
  },
  list(): readonly string[] {
    return answers;
  },
};
