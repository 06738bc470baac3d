/** The thread that draws overlays (seal-pdf.ts): takes stamps, returns PDFs. */
import { renderOrders } from "../pdf/rendering.ts";
import { overlayOf } from "./overlay.ts";

renderOrders(overlayOf);
