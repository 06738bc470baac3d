/** The part of `qrcode` that draws nothing: @types/qrcode describes only the whole. */
declare module "qrcode/lib/core/qrcode.js" {
  export const create: typeof import("qrcode").create;
}
