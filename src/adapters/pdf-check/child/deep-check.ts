import type { Finding } from "../verdict.ts";
import { findDangers } from "./dangers.ts";
import type { Document } from "./document.ts";
import { decodedSize } from "./filters.ts";
import { BOUNDS, Bomb, nameText, Ref, Stream, Unreadable, type Value } from "./values.ts";

const OBJ = Buffer.from("obj");

/**
 * Looks at every object of a document: at those that count, at those that a later revision replaced or deleted, and at
 * those that no cross-reference names but a reader that repairs would find. Every stream is inflated and counted.
 * @returns what is dangerous, and whether there are signatures
 * @throws Unreadable where an object that the cross-reference names is damaged
 * @throws Bomb
 */
export async function deepCheck(document: Document, cpuSeconds: number): Promise<Set<Finding>> {
  const found = new Set<Finding>();
  const inspected = new Set<number>();
  let inflatedTogether = 0;
  let count = 0;

  const inspect = async (value: Value, offset?: number): Promise<void> => {
    count += 1;
    // The parent stops the program as well. This holds if the parent is gone, too.
    if (count % 256 === 0 && process.cpuUsage().user > cpuSeconds * 1e6) throw new Bomb("the check takes too long");
    findDangers(value, document.resolve, found);
    if (!(value instanceof Stream)) return;
    if (isObjectStream(value, document)) {
      for (const object of document.objectsIn(value)) findDangers(object, document.resolve, found);
    } else if (nameText(document.resolve(value.dict.get("Subtype"))) === "Image") {
      await decodedSize(document.file, value, document.resolve, BOUNDS.inflatedImage);
    } else {
      const keep =
        offset !== undefined && mayBeContent(value)
          ? (decoded: Buffer) => document.keepContent(offset, decoded)
          : undefined;
      inflatedTogether += await decodedSize(document.file, value, document.resolve, BOUNDS.inflatedStream, keep);
      if (inflatedTogether > BOUNDS.inflatedTogether) throw new Bomb("the streams inflate enormously");
    }
  };

  const { newest, places, trailers } = document.crossReference;
  for (const trailer of trailers) findDangers(trailer, document.resolve, found);
  const containers = new Set(
    [...newest.values()].flatMap((entry) => (entry && "container" in entry ? entry.container : [])),
  );
  for (const container of containers) {
    // A reader that does not insist on the type would find objects here that this walk passes by.
    const stream = document.resolve(new Ref(container, 0));
    if (!(stream instanceof Stream && isObjectStream(stream, document)))
      throw new Unreadable("an object stream is none");
  }
  for (const [offset, ref] of places) {
    inspected.add(offset);
    const { value } = document.objectAt(offset, ref);
    await inspect(value, offset);
  }

  for (const position of unnamedBodies(document.file, inspected)) {
    try {
      await inspect(document.bodyAt(position));
    } catch (error) {
      // What no reader can read is no object.
      if (!(error instanceof Unreadable)) throw error;
    }
  }
  return found;
}

function isObjectStream(stream: Stream, document: Document): boolean {
  return nameText(document.resolve(stream.dict.get("Type"))) === "ObjStm";
}

/** Other kinds of streams say what they are. */
function mayBeContent({ dict }: Stream): boolean {
  return !["Type", "Subtype", "Length1"].some((key) => dict.has(key));
}

/** Where `number generation obj` ends anywhere in the file, but for the objects that begin at the `known` offsets. */
function* unnamedBodies(file: Buffer, known: Set<number>): Generator<number> {
  for (let at = file.indexOf(OBJ); at >= 0; at = file.indexOf(OBJ, at + OBJ.length)) {
    const before = file.toString("latin1", Math.max(0, at - 64), at);
    const numbers = /(\d+)[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]*$/.exec(before);
    if (!numbers) continue;
    const start = at - before.length + numbers.index;
    if (!known.has(start)) yield at + OBJ.length;
  }
}
