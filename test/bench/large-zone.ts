/** Records of several types, each at its own name, one in ten a second of its set: a zone as large as benchmarks of DNS need. */
export function largeZone(records: number): string {
  return Array.from({ length: records }, (_, place) => {
    const { name, type, content } = recordAt(place);
    return `${name} 300 IN ${type} ${content}`;
  }).join("\n");
}

/** The sets of these records in a zone, each once: `host-1.example.com CNAME`. */
export function largeZoneSets(zone: string, records: number): string[] {
  const sets = Array.from({ length: records }, (_, place) => {
    const { name, type } = recordAt(place);
    return `${name}.${zone} ${type}`;
  });
  return [...new Set(sets)];
}

function recordAt(place: number): { readonly name: string; readonly type: string; readonly content: string } {
  const name = `host-${place}`;
  const bits = (place % 65_536).toString(16);
  switch (place % 10) {
    case 0:
      return { name, type: "AAAA", content: `2001:db8::${bits}` };
    case 1:
      return { name, type: "CNAME", content: `target-${place}.example.net.` };
    case 2:
      return { name, type: "MX", content: `10 mail-${place}.example.net.` };
    case 3:
      return { name, type: "TXT", content: `"v=spf1 include:_spf-${place}.example.net -all"` };
    case 4:
      return { name: `host-${place - 4}`, type: "AAAA", content: `2001:db8:1::${bits}` };
    default:
      return { name, type: "A", content: `10.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}` };
  }
}
