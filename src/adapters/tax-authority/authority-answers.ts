/** The JSON answers of Sefin Nacional (nfse/openapi/sefin-nacional), read defensively: members may be missing, and errors come in several forms. */
import { z } from "zod";
import { unpackXml } from "./packed-xml.ts";

/** One reason of a refusal, in the tax authority's words. */
export interface AuthorityError {
  /** Like E0014. */
  readonly code: string;
  /** descricao. */
  readonly message: string;
  /** complemento; null when absent. */
  readonly complement: string | null;
}

const MOST_ERRORS = 50;
const MOST_WORDS = 2_000;
const MOST_CODE = 20;

/** Text that Postgres can store, of a bounded length. */
const words = z.string().transform((text) => text.replaceAll("\0", "").slice(0, MOST_WORDS).toWellFormed());
/** Members may start with a capital: both forms were seen. */
const member = z.record(z.string(), z.unknown()).transform((given) => {
  const entries = Object.entries(given).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]);
  return Object.fromEntries(entries) as Record<string, unknown>;
});
const errorMembers = z.object({
  codigo: z
    .string()
    .transform((code) => code.replaceAll("\0", "").trim().slice(0, MOST_CODE).toWellFormed())
    .pipe(z.string().min(1)),
  descricao: words.nullish().catch(null),
  complemento: words.nullish().catch(null),
});

function parseObject(body: string): Record<string, unknown> | null {
  try {
    return member.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

/** The errors of an answer, of `erros` or `erro`; none when it names none. */
export function errorsOf(body: string): readonly AuthorityError[] {
  const answer = parseObject(body);
  const listed = [answer?.["erros"], answer?.["erro"]].flat().slice(0, MOST_ERRORS);
  return listed.flatMap((given) => {
    const { data } = member.pipe(errorMembers).safeParse(given);
    if (data === undefined) return [];
    return [{ code: data.codigo, message: data.descricao ?? "", complement: data.complemento || null }];
  });
}

/** The access key that an answer names; null when it names no 50 digits. Nobody has signed it. */
export function accessKeyOfAnswer(body: string): string | null {
  const { data } = z
    .string()
    .regex(/^\d{50}$/)
    .safeParse(parseObject(body)?.["chaveAcesso"]);
  return data ?? null;
}

/** The document that an answer holds in one of the members, at most 10 MiB; null when it cannot be read. Nothing of it is verified. */
export function documentOf(body: string, ...members: readonly string[]): string | null {
  const answer = parseObject(body);
  const packed = members.map((name) => answer?.[name]).find((value) => typeof value === "string");
  if (typeof packed !== "string") return null;
  try {
    return unpackXml(packed);
  } catch {
    return null;
  }
}
