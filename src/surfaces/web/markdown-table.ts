import type { Tokens } from "marked";
import { escapeHtml } from "../http/escape-html.ts";

/**
 * A table whose first column names its rows. On a phone each row is a card: then the roles say what the elements are no longer displayed as,
 * and each further cell of a wide table shows the heading of its column.
 */
export function tableOf({ header, rows }: Tokens.Table, words: (cell: Tokens.TableCell) => string): string {
  const heading = (cell: Tokens.TableCell) =>
    // A column without a heading gets no <th>, because an empty <th> would be read as its heading.
    cell.text === "" ? '<td role="cell"></td>' : `<th scope="col" role="columnheader">${words(cell)}</th>`;
  const label = (column: number) => {
    const text = header[column]?.text ?? "";
    return header.length > 2 && text !== "" ? ` data-label="${escapeHtml(text)}"` : "";
  };
  const row = ([first, ...others]: Tokens.TableCell[]) =>
    `<tr role="row"><th scope="row" role="rowheader">${first === undefined ? "" : words(first)}</th>` +
    `${others.map((cell, at) => `<td role="cell"${label(at + 1)}>${words(cell)}</td>`).join("")}</tr>`;
  return (
    '<div class="table" tabindex="0"><table role="table">' +
    `<thead role="rowgroup"><tr role="row">${header.map(heading).join("")}</tr></thead>` +
    `<tbody role="rowgroup">${rows.map(row).join("")}</tbody></table></div>\n`
  );
}
