import { type CrossReference, readCrossReference } from "./cross-reference.ts";
import { decode } from "./filters.ts";
import { Syntax } from "./syntax.ts";
import { BOUNDS, Bomb, type Dict, isInteger, nameText, Ref, Stream, Unreadable, type Value } from "./values.ts";

/** An object stream, decoded: where each of its objects begins in `data`. */
interface ObjectStream {
  data: Buffer;
  objects: { number: number; offset: number }[];
}

/** Decoded object streams are kept up to this size: neighbours are mostly asked for one after the other. */
const KEPT = 32 * 1024 * 1024;
/** Decoded contents of pages are kept up to this size: the check counts them first, and the rehearsal of a seal reads them later. */
const KEPT_CONTENTS = 16 * 1024 * 1024;

/**
 * A PDF that is read strictly, one object at a time: objects are not kept.
 * @throws Unreadable, Bomb in every method and in the constructor
 */
export class Document {
  readonly file: Buffer;
  readonly crossReference: CrossReference;
  readonly #streams = new Map<number, ObjectStream>();
  readonly #contents = new Map<number, Buffer>();
  #kept = 0;
  #keptContents = 0;
  #inflatedObjects = 0;
  #hops = 0;

  constructor(file: Buffer) {
    this.file = file;
    this.crossReference = readCrossReference(file);
  }

  /** The object that a reference means now, and null where none is meant (7.3.10). Other values are themselves. */
  readonly resolve = (value: Value | undefined): Value => {
    if (!(value instanceof Ref)) return value ?? null;
    this.#hops += 1;
    try {
      if (this.#hops > BOUNDS.hops) throw new Bomb("references lead to references");
      return this.resolve(this.#object(value));
    } finally {
      this.#hops -= 1;
    }
  };

  /** The object at an offset. `expected`: it must be this one. */
  objectAt(offset: number, expected?: Ref): { ref: Ref; value: Value } {
    return new Syntax(this.file, offset).indirectObject(expected, this.#readLength);
  }

  /** What follows a keyword `obj` that ends at `position`, whatever stands before it. */
  bodyAt(position: number): Value {
    return new Syntax(this.file, position).objectBody(this.#readLength);
  }

  /** The dictionary of the catalog (7.7.2). */
  catalog(): Dict {
    const root = this.crossReference.trailers[0]?.get("Root");
    const catalog = root instanceof Ref ? this.resolve(root) : null;
    if (!(catalog instanceof Map) || nameText(this.resolve(catalog.get("Type"))) !== "Catalog")
      throw new Unreadable("the catalog is missing");
    return catalog;
  }

  /** The decoded bytes of the stream that a reference means; null where it means no stream. */
  contentOf(ref: Ref): Buffer | null {
    const entry = this.crossReference.newest.get(ref.number);
    const isHere = entry != null && "offset" in entry && entry.generation === ref.generation;
    const kept = isHere ? this.#contents.get(entry.offset) : undefined;
    if (kept !== undefined) return kept;
    const stream = this.resolve(ref);
    return stream instanceof Stream ? decode(this.file, stream, this.resolve) : null;
  }

  /** Keeps what `contentOf` will return of the object at an offset, while there is room. */
  keepContent(offset: number, decoded: Buffer): void {
    if (this.#keptContents + decoded.length > KEPT_CONTENTS || this.#contents.has(offset)) return;
    this.#contents.set(offset, decoded);
    this.#keptContents += decoded.length;
  }

  /** The objects of an object stream, one after the other. */
  *objectsIn(stream: Stream): Generator<Value> {
    const decoded = this.#decodeObjectStream(stream);
    for (const { offset } of decoded.objects) yield new Syntax(decoded.data, offset).objectValue();
  }

  #object(ref: Ref): Value {
    const entry = this.crossReference.newest.get(ref.number);
    if (!entry) return null;
    if ("offset" in entry) return entry.generation === ref.generation ? this.objectAt(entry.offset, ref).value : null;
    if (ref.generation !== 0) return null;
    const { data, objects } = this.#objectStream(entry.container);
    const object = objects[entry.index];
    if (object?.number !== ref.number) throw new Unreadable("an object stream lacks an object");
    return new Syntax(data, object.offset).objectValue();
  }

  readonly #readLength = (ref: Ref): number => {
    const length = this.resolve(ref);
    if (!isInteger(length)) throw new Unreadable("a length is no integer");
    return length;
  };

  #objectStream(number: number): ObjectStream {
    const known = this.#streams.get(number);
    if (known) return known;
    const entry = this.crossReference.newest.get(number);
    if (!entry || !("offset" in entry)) throw new Unreadable("an object stream is missing");
    const { value } = this.objectAt(entry.offset, new Ref(number, entry.generation));
    if (!(value instanceof Stream)) throw new Unreadable("an object stream is no stream");
    const decoded = this.#decodeObjectStream(value);
    this.#kept += decoded.data.length;
    if (this.#kept > KEPT) {
      this.#streams.clear();
      this.#kept = decoded.data.length;
    }
    this.#streams.set(number, decoded);
    return decoded;
  }

  /** 7.5.7. */
  #decodeObjectStream(stream: Stream): ObjectStream {
    const { dict } = stream;
    const count = this.resolve(dict.get("N"));
    const first = this.resolve(dict.get("First"));
    if (nameText(this.resolve(dict.get("Type"))) !== "ObjStm" || !isInteger(count) || !isInteger(first))
      throw new Unreadable("an object stream is damaged");
    if (count > BOUNDS.entries) throw new Bomb("an object stream has too many objects");
    const data = decode(this.file, stream, this.resolve);
    // Counted again when decoded again: a file that makes us do so without end is a bomb as well.
    this.#inflatedObjects += data.length;
    if (this.#inflatedObjects > BOUNDS.inflatedObjects) throw new Bomb("object streams inflate enormously");
    const head = new Syntax(data, 0);
    const objects = Array.from({ length: count }, () => ({
      number: head.expectInteger(),
      offset: first + head.expectInteger(),
    }));
    if (head.position > first) throw new Unreadable("an object stream is damaged");
    return { data, objects };
  }
}
