/** Parts of documents that need several pages. */
import type { Part } from "./receipt-parts.ts";

/** A part of a document, in the order of reading. */
export interface Block extends Part {
  /** The space above it, which a page does not begin with. */
  readonly before: number;
  /** Whether it stands on the page of the block after it: a heading. */
  readonly isKept?: boolean;
}

/** Which blocks stand on which page, and where. A page does not end with a heading. */
export function paged(blocks: readonly Block[], height: number): { readonly block: Block; readonly y: number }[][] {
  const pages: { block: Block; y: number }[][] = [[]];
  let used = 0;
  for (let index = 0; index < blocks.length; ) {
    const group = groupAt(blocks, index);
    const needed = group.reduce((sum, block) => sum + block.before + block.height, 0);
    if (used > 0 && used + needed > height) {
      pages.push([]);
      used = 0;
    }
    for (const block of group) {
      // A group may be higher than a page.
      if (used > 0 && used + block.before + block.height > height) {
        pages.push([]);
        used = 0;
      }
      const y = used === 0 ? 0 : used + block.before;
      pages.at(-1)?.push({ block, y });
      used = y + block.height;
    }
    index += group.length;
  }
  return pages;
}

/** A block with the headings before it. */
function groupAt(blocks: readonly Block[], start: number): readonly Block[] {
  let end = start;
  while (blocks[end]?.isKept === true && end < blocks.length - 1) end++;
  return blocks.slice(start, end + 1);
}
