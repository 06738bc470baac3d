/** A sample of a scrape: its name (with _bucket, _sum or _count), labels and value. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly samples: readonly Sample[];
  /** Names of metrics, without suffixes. */
  readonly names: readonly string[];
  /** The sum of a metric's samples that have at least these labels; 0 when there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number;
  has(name: string, labels?: Readonly<Record<string, string>>): boolean;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]Inf|NaN|Nan)$/;
const TYPES = ["counter", "gauge", "histogram", "summary", "untyped"];

/**
 * Reads Prometheus' text format 0.0.4, strictly: HELP and TYPE once before a metric's samples, samples of one metric
 * together, names of the type's form, no series twice, histograms that rise to +Inf and agree with their count.
 * @throws Error naming the line that is wrong
 */
export function parseExposition(text: string): Scrape {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const samples: Sample[] = [];
  const seen = new Set<string>();
  const types = new Map<string, string>();
  let current: { name: string; type: string | null } = { name: "", type: null };
  for (const line of text.slice(0, -1).split("\n")) {
    const wrong = (why: string) => new Error(`${why}: ${line}`);
    if (line === "") continue;
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (line.startsWith("#")) {
      if (comment === null) throw wrong("a comment that is neither HELP nor TYPE");
      const [, keyword, name = "", rest = ""] = comment;
      if (!NAME.test(name)) throw wrong("not a name");
      if (keyword === "HELP") {
        if (types.has(name) || current.name === name) throw wrong("a metric stands in two places");
        current = { name, type: null };
      } else {
        if (name !== current.name || current.type !== null) throw wrong("TYPE without its HELP before it");
        if (!TYPES.includes(rest)) throw wrong("no such type");
        if (rest === "counter" && !name.endsWith("_total")) throw wrong("a counter that is not called _total");
        current = { name, type: rest };
        types.set(name, rest);
      }
      continue;
    }
    const [, name = "", labelText = "", number = ""] = SAMPLE.exec(line) ?? [];
    if (name === "" || !NUMBER.test(number)) throw wrong("not a sample");
    const suffixes = current.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    if (!suffixes.some((suffix) => name === current.name + suffix)) throw wrong("a sample outside its metric");
    const labels = parseLabels(labelText, wrong);
    const series = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    if (seen.has(series)) throw wrong("a series stands there twice");
    seen.add(series);
    samples.push({ name, labels, value: Number(number.replace("Inf", "Infinity").replace(/nan/i, "NaN")) });
  }
  for (const [name, type] of types) if (type === "histogram") checkHistogram(name, samples);
  const matching = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    samples.filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
  return {
    samples,
    names: [...types.keys()],
    value: (name, labels) => matching(name, labels).reduce((sum, { value }) => sum + value, 0),
    has: (name, labels) => matching(name, labels).length > 0,
  };
}

function parseLabels(text: string, wrong: (why: string) => Error): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ""; ) {
    const [whole = "", name = "", value = ""] = LABEL.exec(rest) ?? [];
    if (whole === "") throw wrong("not a label");
    if (name in labels) throw wrong("a label stands there twice");
    labels[name] = value.replaceAll(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const bySeries = new Map<string, { bounds: [number, number][]; count: number | null }>();
  for (const { name: own, labels, value } of samples) {
    if (own !== `${name}_bucket` && own !== `${name}_count`) continue;
    const { le, ...others } = labels;
    const key = JSON.stringify(Object.entries(others).sort());
    const series = bySeries.get(key) ?? { bounds: [], count: null };
    bySeries.set(key, series);
    if (own === `${name}_count`) series.count = value;
    else series.bounds.push([le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le), value]);
  }
  for (const [key, { bounds, count }] of bySeries) {
    bounds.reduce(
      ([bound, below], [next, value]) => {
        if (!(next > bound) || value < below) throw new Error(`${name}${key}: its buckets do not rise`);
        return [next, value];
      },
      [Number.NEGATIVE_INFINITY, 0] as [number, number],
    );
    const [last, all] = bounds.at(-1) ?? [];
    if (last !== Number.POSITIVE_INFINITY || all !== count) throw new Error(`${name}${key}: +Inf is not its count`);
  }
}
