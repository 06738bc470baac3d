/** The thread of receipt-renderer.ts: takes the content of receipts, returns PDFs. */
import { renderReceipt } from "./receipt.ts";
import { renderOrders } from "./rendering.ts";

renderOrders(renderReceipt);
