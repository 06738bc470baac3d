// Contents as another hosting service takes, writes and refuses them: facts from the public tests of deSEC (desec-io/desec-stack, test_rrsets.py), of the nine
// types that both services have. The contents are in the form of the API of PowerDNS, as theirs are.

/** What a service makes of a content: the form in which it answers it, or null where it refuses it. */
type Made = string | null;

interface Elsewhere {
  readonly type: string;
  readonly sent: string;
  readonly here: Made;
  /** Where the other service makes something else of it. */
  readonly there?: { readonly made: Made; readonly why: string };
}

const row = (type: string, sent: string, here: Made = sent): Elsewhere => ({ type, sent, here });
const unlike = (type: string, sent: string, here: Made, there: Made, why: string): Elsewhere => ({
  type,
  sent,
  here,
  there: { made: there, why },
});

const CASE = "hosts are kept in lower case, so that equal ones are equal";
const FINAL_DOT = "a host may lack the final dot: every content is a whole host";
const HOSTNAME = "dns-hosting §4, rule 2: a valid hostname, and no IP address";
const UNQUOTED = "a text may lack quotation marks, as dns-hosting has none";

const bytes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `\\${String(from + at).padStart(3, "0")}`).join("");
/** The printable ones are written as they are, a quotation mark and a backslash behind a backslash. */
const everyByteRead = `"${bytes(0, 32)}${String.fromCharCode(
  ...Array.from({ length: 95 }, (_, at) => 32 + at),
).replaceAll(/["\\]/g, "\\$&")}${bytes(127, 255)}" "\\255"`;
const escaped = (text: string) =>
  Buffer.from(text).reduce((all, byte) => all + (byte < 127 ? String.fromCharCode(byte) : `\\${byte}`), "");

export const CONTENTS_ELSEWHERE: readonly Elsewhere[] = [
  row("A", "127.0.0.1"),
  row("A", "192.0.2.254"),
  row("A", "192.0.2.999", null),
  row("A", "192.0.2.256", null),
  row("A", "192.000.2.01", null),
  row("A", "::1", null),
  row("A", "host", null),
  row("A", "192.0.2", null),
  row("A", "192!", null),

  row("AAAA", "::1"),
  row("AAAA", "::2"),
  row("AAAA", "0000::0000:0001", "::1"),
  row("AAAA", "::ffff:127.0.0.1", "::ffff:7f00:1"),
  row("AAAA", "2001:db8::128.2.129.4", "2001:db8::8002:8104"),
  row("AAAA", "::g", null),
  row("AAAA", "2:2:2:2:2:2:2:2:", null),
  row("AAAA", "2:2:2:2:2:2:2:2:2", null),

  row("CAA", '0128 "issue" "ca.example.net"', '128 issue "ca.example.net"'),
  row("CAA", '128 issue "ca.example.net"'),
  row("CAA", '128 iodef "mailto:security@example.com"'),
  row("CAA", '1 issue "ca.example.net"'),
  row("CAA", '43235 issue "ca.example.net"', null),

  unlike("CNAME", "HOST.example.com.", "host.example.com.", "HOST.example.com.", CASE),
  row("CNAME", "host.example.com."),
  row("CNAME", "*._under-score.-foo_bar.example.net."),
  unlike("CNAME", ".", null, ".", HOSTNAME),
  unlike("CNAME", "host.example.com", "host.example.com.", null, FINAL_DOT),
  row("CNAME", "10 host.example.com.", null),
  row("CNAME", "@.", null),
  row("CNAME", "seventy8.".repeat(32), null),

  unlike("MX", "10 010.1.1.1.", null, "10 010.1.1.1.", HOSTNAME),
  unlike("MX", "010 010.1.1.2.", null, "10 010.1.1.2.", HOSTNAME),
  unlike("MX", "20 192.0.2.1.", null, "20 192.0.2.1.", HOSTNAME),
  row("MX", "0 ."),
  row("MX", "10 mail.example.com."),
  row("MX", "00010 mail.example.com.", "10 mail.example.com."),
  row("MX", "0000010 mail.example.com.", "10 mail.example.com."),
  unlike("MX", "10 mail.example.com", "10 mail.example.com.", null, FINAL_DOT),
  row("MX", "mail.example.com.", null),
  row("MX", "-5 mail.example.", null),
  row("MX", "65537 mail.example.", null),
  row("MX", "10 _mail.example.com.", null),
  row("MX", "10 $host.", null),

  unlike("NS", "Ns1.Example.cOm.", "ns1.example.com.", "Ns1.Example.cOm.", CASE),
  row("NS", "ns1.example.com."),
  unlike("NS", "ns1.example.com", "ns1.example.com.", null, FINAL_DOT),
  row("NS", "127.0.0.1", null),
  row("NS", "_ns.example.com.", null),
  row("NS", ".", null),

  unlike("PTR", "HOST.example.com.", "host.example.com.", "HOST.example.com.", CASE),
  row("PTR", "host.example.com."),
  row("PTR", "*.example.com."),
  row("PTR", '"host.example.com."', null),
  row("PTR", "10 *.example.com.", null),

  row("SRV", "0 000 0 .", "0 0 0 ."),
  row("SRV", "0 0 0 ."),
  unlike("SRV", "100 1 5061 HOST.example.com.", "100 1 5061 host.example.com.", "100 1 5061 HOST.example.com.", CASE),
  row("SRV", "100 1 5061 host.example.com."),
  row("SRV", "0 0 0 0", null),
  row("SRV", "100 5061 host.example.com.", null),
  row("SRV", "0 0 16920 _host.example.com.", null),
  row("SRV", "0 0 16920 $host.", null),

  row("TXT", '"one" "two"'),
  row("TXT", '"onetwo"'),
  row("TXT", '"one" "" "two"'),
  row("TXT", '"" "" "one" "" "two"'),
  row("TXT", '"\\130\\164name\\164Boss\\164type\\1611"'),
  row("TXT", `"${bytes(0, 256)}"`, everyByteRead),
  row("TXT", `"${"k".repeat(498)}"`, `"${"k".repeat(255)}" "${"k".repeat(243)}"`),
  row("TXT", '"世界" "👟"', `"${escaped("世界")}" "${escaped("👟")}"`),
  row("TXT", '"new\\010line"'),
  unlike("TXT", 'one"two', '"one\\"two"', null, UNQUOTED),
  unlike("TXT", "v=spf1 -all", '"v=spf1 -all"', null, UNQUOTED),
  row("TXT", '"one\ntwo"', null),
  row("TXT", `"${bytes(0, 257)}"`, null),
];
