// Labels for tests.
import { ask, type EnvelopeStage } from "./envelope-stage.ts";

interface Label {
  readonly id: string;
  readonly name: string;
}

type Caller = Pick<EnvelopeStage, "selo" | "token">;

export async function aLabel(stage: Caller, name: string, color: string | null = null): Promise<Label> {
  const { status, body, text } = await ask(stage, "POST", "/labels", { name, color });
  if (status !== 201) throw new Error(`a label was answered ${status}: ${text}`);
  return body;
}

/** The names of labels in an answer, in its order. */
export const labelsOf = ({ items }: { readonly items: readonly Label[] }): string[] => items.map(({ name }) => name);

export const nameOfLabel = async (stage: Caller, id: string): Promise<string> =>
  (await ask(stage, "GET", `/labels/${id}`)).body.name;

/** Gives an envelope these labels. */
export const put = (stage: Caller, envelopeId: string, label_ids: readonly unknown[]) =>
  ask(stage, "PUT", `/envelopes/${envelopeId}/labels`, { label_ids });
