import type { PublicDns } from "../../../adapters/resolver/public-dns.ts";
import type { Config } from "../../../config/config.ts";
import { forRequests, publicDnsOf } from "../delegation/public-dns-of.ts";
import type { ZoneRecord } from "../zone-file/zone-record.ts";
import { Provider } from "./provider.ts";
import { Scan } from "./scan.ts";
import { INCOMPLETE, NO_SERVERS, type Warning } from "./scan-warnings.ts";

/** What a scan found. */
export interface Scanned {
  /** JSON, as `dns.judge_import` takes it: without lines. */
  readonly records: string;
  readonly warnings: readonly Warning[];
}

/** The time of a scan: issue "DNS hosting II" §4. */
const SCAN_MS = 10_000;
const SCANS_AT_ONCE = 20;

/** Asks the present name servers of domains for common names. */
export class QuickScans {
  readonly #dns: PublicDns;

  constructor(publicDns: PublicDns) {
    this.#dns = publicDns;
  }

  static of(config: Pick<Config, "dnsResolvers" | "dnsLoopbackPort">): QuickScans {
    return new QuickScans(
      publicDnsOf(config, { taskMs: SCAN_MS, atOnce: SCANS_AT_ONCE, groups: forRequests(SCANS_AT_ONCE) }),
    );
  }

  /**
   * Scans a domain, in ten seconds at most. What nobody answered is in the warnings.
   * @param group whose domain it is: organizations take turns
   * @param begin called when its turn has come, before anybody is asked; what it throws ends the scan
   * @throws SlotsBusyError, and `begin` is not called
   */
  scan(zone: string, group: string, begin: () => Promise<void> = async () => {}): Promise<Scanned> {
    return this.#dns.task(async (asking) => {
      await begin();
      const provider = await Provider.find(asking, zone);
      const { records, warnings } =
        provider === null ? { records: [], warnings: [NO_SERVERS] } : await new Scan(provider).run();
      return { records: JSON.stringify(records.map(asImported)), warnings: [INCOMPLETE, ...warnings] };
    }, group);
  }
}

const asImported = ({ name, type, ttl, content, priority, disabled, comment }: ZoneRecord) => [
  null,
  name,
  type,
  ttl,
  content,
  priority,
  disabled,
  comment,
];
