/** A place in apt's configuration that lets unsigned packages in. */
export interface UnsoundSource {
  /** The file, or `apt.conf` for apt's options. */
  readonly file: string;
  /** What stands there, such as `trusted=yes`. */
  readonly says: string;
}

/** Options of a source that turn off the check of its signature (sources.list(5)). */
const SOURCE_OPTIONS = ["trusted", "allow-insecure", "allow-weak", "allow-downgrade-to-insecure"];
/** The same for all sources (apt-secure(8)), and `force-yes`, which includes it. */
const APT_OPTIONS = [
  "apt::get::allowunauthenticated",
  "apt::get::force-yes",
  "acquire::allowinsecurerepositories",
  "acquire::allowweakrepositories",
  "acquire::allowdowngradetoinsecurerepositories",
];
/** What apt reads as "no". Any other value counts as "yes" here: to refuse is the harmless mistake. */
const NO = ["no", "false", "without", "off", "disable", "0", ""];

const isOn = (value: string) => !NO.includes(value.trim().toLowerCase());

/**
 * Finds the options of one file of sources that turn off the check of signatures, in the one-line form (`*.list`) or in deb822 (`*.sources`).
 * Sources that are switched off do not count.
 */
export function unsoundSources(file: string, text: string): UnsoundSource[] {
  const options = file.endsWith(".sources") ? deb822Options(text) : oneLineOptions(text);
  return options.flatMap(([name, value]) =>
    SOURCE_OPTIONS.includes(name.toLowerCase()) && isOn(value) ? [{ file, says: `${name}=${value}` }] : [],
  );
}

/** Finds the options in the output of `apt-config dump` that turn off the check of signatures. */
export function unsoundOptions(dump: string): UnsoundSource[] {
  return dump.split("\n").flatMap((line) => {
    const [, name = "", value = ""] = /^(\S+) "(.*)";$/.exec(line) ?? [];
    return APT_OPTIONS.includes(name.toLowerCase()) && isOn(value)
      ? [{ file: "apt.conf", says: `${name} "${value}"` }]
      : [];
  });
}

type Option = readonly [name: string, value: string];

/** `deb [arch=amd64 trusted=yes] http://… bookworm main` */
function oneLineOptions(text: string): Option[] {
  return text.split("\n").flatMap((line) => {
    const [, options = ""] = /^\s*(?:deb|deb-src)\s+\[([^\]]*)\]/i.exec(line) ?? [];
    return [...options.matchAll(/([^\s=+-][^\s=]*?)\s*[+-]?=\s*(\S*)/g)].map(
      ([, name = "", value = ""]): Option => [name, value.replaceAll('"', "")],
    );
  });
}

/** Stanzas of fields; the value of a field may go on in lines that begin with a space. */
function deb822Options(text: string): Option[] {
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith("#"));
  const stanzas = lines.join("\n").split(/\n[ \t]*(?=\n)/);
  return stanzas.flatMap((stanza) => {
    const fields = [...stanza.matchAll(/^([^\s:]+)[ \t]*:(.*(?:\n[ \t].*)*)/gm)].map(
      ([, name = "", value = ""]): Option => [name, value.trim()],
    );
    const isOff = fields.some(([name, value]) => name.toLowerCase() === "enabled" && !isOn(value));
    return isOff ? [] : fields;
  });
}
