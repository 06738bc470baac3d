import { NoAnswerError } from "./exchange.ts";
import { findAddresses } from "./find-addresses.ts";
import { type DnsRecord, type Reply, recordsAt, shownName } from "./message.ts";
import type { ParentServers } from "./parent-servers.ts";
import { type Asking, isDecided, type PublicDns } from "./public-dns.ts";

/** What the public DNS says about the delegation of a name. Lists are in order, names in the form of {@link shownName}. */
export interface ObservedDelegation {
  /** The NS records that the resolver says; empty for a name without them, or without existence. Null without an answer. */
  readonly resolver_ns: readonly string[] | null;
  /** The NS records of the parent's referral. Null if its servers did not answer, or answered differently. */
  readonly parent_ns: readonly string[] | null;
  /** Two servers of the parent answered differently: somebody is changing the delegation. */
  readonly is_changing: boolean;
  /** The DS records at the parent, such as `12345 13 2 ABC…`. Null where parent_ns is null, or its servers say different ones. */
  readonly parent_ds: readonly string[] | null;
}

/** Most servers of the parent that are asked until two have answered. */
const MOST_SERVERS = 4;
const MOST_NS = 50;

/**
 * Asks the public DNS where a name is delegated to: the resolver, and two servers of the parent without recursion. Never throws NoAnswerError:
 * what nobody answered is null.
 * @param group whose question it is, for the turns of {@link PublicDns.task}
 * @throws SlotsBusyError
 */
export async function observeDelegation(
  publicDns: PublicDns,
  parents: ParentServers,
  name: string,
  group?: string,
): Promise<ObservedDelegation> {
  return publicDns.task(async (asking) => {
    const [resolver_ns, parent] = await Promise.all([
      unlessUnanswered(nsByResolver(asking, name)),
      unlessUnanswered(askParent(asking, parents, name)),
    ]);
    return { resolver_ns, ...(parent ?? NO_PARENT) };
  }, group);
}

const NO_PARENT = { parent_ns: null, is_changing: false, parent_ds: null } as const;

async function nsByResolver(asking: Asking, name: string): Promise<string[]> {
  const reply = await asking.resolve({ name, type: "NS" });
  return namesOf(recordsAt(reply.answers, name, "NS"));
}

async function askParent(
  asking: Asking,
  parents: ParentServers,
  name: string,
): Promise<Omit<ObservedDelegation, "resolver_ns">> {
  const servers = await parents.of(asking, name);
  const referrals = await firstTwo(shuffled(servers), (server) => referralOf(asking, server, name));
  const [one, other] = referrals;
  // A parent with one server has nobody to disagree with it.
  if (one === undefined || (other === undefined && servers.length > 1)) return NO_PARENT;
  if (other !== undefined && String(one.ns) !== String(other.ns)) return { ...NO_PARENT, is_changing: true };
  const isSameDs = other === undefined || String(one.ds) === String(other.ds);
  return { parent_ns: one.ns, is_changing: false, parent_ds: isSameDs ? one.ds : null };
}

interface Referral {
  readonly ns: readonly string[];
  /** Null without an answer. */
  readonly ds: readonly string[] | null;
}

/** @throws NoAnswerError also for an answer that is neither a referral nor the word of an authority */
async function referralOf(asking: Asking, server: string, name: string): Promise<Referral> {
  const addresses = (await findAddresses(asking, server)).filter((address) => asking.isAllowed(address));
  // The first is IPv4 where there is one: not every machine reaches IPv6.
  const [address] = addresses;
  if (address === undefined) throw new NoAnswerError("the server has no public address");
  const [referral, signed] = await Promise.all([
    asking.direct(address, { name, type: "NS" }),
    unlessUnanswered(asking.direct(address, { name, type: "DS" })),
  ]);
  return { ns: nsOfReferral(referral, name), ds: signed === null ? null : dsOf(signed, name) };
}

function nsOfReferral(reply: Reply, name: string): string[] {
  if (!isDecided(reply)) throw new NoAnswerError("the server does not answer for the name");
  // A server may have the lower zone, too, and answer from it.
  const ns = [...recordsAt(reply.answers, name, "NS"), ...recordsAt(reply.authorities, name, "NS")];
  if (ns.length > 0 && reply.status === "NOERROR") return namesOf(ns);
  // Without authority, an empty answer or one that points elsewhere says nothing about the name.
  if (!reply.isAuthoritative) throw new NoAnswerError("the server does not answer for the name");
  return [];
}

function dsOf(reply: Reply, name: string): string[] | null {
  if (!isDecided(reply) || !reply.isAuthoritative) return null;
  return recordsAt(reply.answers, name, "DS")
    .map(({ data }) => data as { keyTag: number; algorithm: number; digestType: number; digest: Buffer })
    .map(({ keyTag, algorithm, digestType, digest }) =>
      [keyTag, algorithm, digestType, digest.toString("hex").toUpperCase()].join(" "),
    )
    .toSorted();
}

const namesOf = (records: readonly DnsRecord[]): string[] =>
  [...new Set(records.slice(0, MOST_NS).map(({ data }) => shownName(String(data))))].toSorted();

/** The answers of the first two servers that give one. Two are asked at a time, and a silent one is followed by the next. */
async function firstTwo<Answer>(
  servers: readonly string[],
  ask: (server: string) => Promise<Answer>,
): Promise<Answer[]> {
  const left = servers.slice(0, MOST_SERVERS);
  const answers: Answer[] = [];
  const one = async () => {
    for (let server = left.shift(); server !== undefined; server = left.shift()) {
      const answer = await unlessUnanswered(ask(server));
      if (answer !== null) {
        answers.push(answer);
        return;
      }
    }
  };
  await Promise.all([one(), one()]);
  return answers;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

async function unlessUnanswered<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NoAnswerError) return null;
    throw error;
  }
}
