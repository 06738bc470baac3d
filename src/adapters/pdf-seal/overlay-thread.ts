/** The thread that draws overlays (seal-pdf.ts): takes stamps, returns PDFs. */
import { takeOrders } from "../threads/orders.ts";
import { overlayOf } from "./overlay.ts";

takeOrders(overlayOf);
