/** The process of the limit: posts DPS that are signed already, as fast as the simulator takes them, and writes nothing down. */
import { Agent, request } from "undici";
import { type DpsFacts, dpsFacts } from "../../src/adapters/tax-authority/dps-facts.ts";
import { layout101 } from "../../src/adapters/tax-authority/layout-1-01.ts";
import { packXml } from "../../src/adapters/tax-authority/packed-xml.ts";
import { signXml, type TaxIdentity } from "../../src/adapters/tax-authority/sign-xml.ts";
import { answer, machineMs } from "./webhooks-child.ts";

export type RawQuestion =
  | {
      readonly ask: "sign";
      /** The facts of one of our invoices. The posts have other numbers and issuers. */
      readonly facts: unknown;
      readonly issuers: readonly (TaxIdentity & { readonly cnpj: string })[];
      readonly count: number;
      readonly url: string;
      readonly ca: string;
    }
  | { readonly ask: "post"; readonly atOnce: number };

interface SignedPost {
  readonly agent: Agent;
  readonly body: string;
}

/** No invoice of our issuers is in this series. */
const SERIES = "900";
const agents = new Map<string, Agent>();
let url = "";
let posts: SignedPost[] = [];
let number = 0;

function sign({ facts, issuers, count, ca, ...to }: RawQuestion & { readonly ask: "sign" }): number {
  url = to.url;
  const known: DpsFacts = dpsFacts.parse(facts);
  posts = Array.from({ length: count }, (_, place) => {
    const issuer = issuers[place % issuers.length];
    if (issuer === undefined) throw new Error("no issuer");
    const { cnpj, certificate: cert, privateKey: key } = issuer;
    const agent = agents.get(cnpj) ?? new Agent({ connect: { cert, key, ca }, allowH2: false, pipelining: 1 });
    agents.set(cnpj, agent);
    const own = { ...known, series: SERIES, number: String(++number), issuer: { ...known.issuer, cnpj } };
    const { id, xml } = layout101.writeDps(own);
    return { agent, body: JSON.stringify({ dpsXmlGZipB64: packXml(signXml(xml, id, issuer)) }) };
  });
  return posts.length;
}

/** Answers the milliseconds it took. */
async function postAll(atOnce: number): Promise<number> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const started = machineMs();
  let sent = 0;
  const post = async () => {
    for (let next = posts[sent++]; next !== undefined; next = posts[sent++]) {
      const { agent: dispatcher, body } = next;
      const response = await request(`${url}/nfse`, { dispatcher, method: "POST", headers, body });
      const text = await response.body.text();
      if (response.statusCode !== 201) throw new Error(`a post was answered ${response.statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, post));
  return machineMs() - started;
}

answer((question: RawQuestion) => (question.ask === "sign" ? sign(question) : postAll(question.atOnce)));
