/**
 * Colours, sizes and durations of the pages come from src/web/design/tokens.css. `npm run check` refuses others.
 * @type {import("stylelint").Config}
 */

/** Tokens are combined with each other and with plain numbers. */
const CALC = "calc\\((?:var\\(--[a-z0-9-]+\\)|-?[\\d.]+(?![\\w%.])|[-+*/ ()])+\\)";
/** Lines of one to three pixels are not a matter of taste, and `em` follows the text it stands in. */
const LENGTH = `(?:0|auto|-?[1-3]px|-?[\\d.]+em|var\\(--[a-z0-9-]+\\)|${CALC})`;
const RADIUS = "(?:0|inherit|50%|var\\(--r-[a-z0-9]+\\))";
const FONT = "(?:(?:italic )?(?:\\d{3} )?var\\(--type-\\d+\\) var\\(--(?:sans|mono)\\)|inherit)";

const exactly = (pattern) => `/^${pattern}$/`;
const list = (pattern) => exactly(`${pattern}(?: ${pattern})*`);

export default {
  referenceFiles: ["src/web/design/tokens.css"],
  reportNeedlessDisables: true,
  reportDescriptionlessDisables: true,
  rules: {
    "no-unknown-custom-properties": true,
    "color-no-hex": true,
    "color-named": "never",
    "function-disallowed-list": [
      ["/^(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch)|color|color-mix|device-cmyk|light-dark)$/i"],
      { message: (name) => `Take the colour from a token, not from ${name}()` },
    ],
    "declaration-property-value-allowed-list": [
      {
        "/^(?:padding|margin|scroll-padding|scroll-margin)(?:-|$)/": [list(LENGTH)],
        "/^(?:row-|column-)?gap$/": [list(LENGTH)],
        "/^border(?:-[a-z]+)*-radius$/": [list(RADIUS)],
        "box-shadow": ["none", "/^var\\(--shadow-\\d\\)$/", "/^inset(?: (?:0|-?[1-3]px)){2,3} var\\(--[a-z0-9-]+\\)$/"],
        font: [exactly(FONT)],
        "font-family": ["inherit", "/^var\\(--(?:sans|mono)\\)$/"],
        "font-size": ["inherit", "/^[\\d.]+em$/"],
        "line-height": ["inherit", "1"],
        "letter-spacing": ["0", "/^-?0\\.\\d+em$/"],
        // A property of a component gets the value of a token.
        "/^--/": [exactly("(?:inherit|var\\(--[a-z0-9-]+\\))")],
      },
      { message: (property, value) => `Use tokens: "${value}" is no value for "${property}"` },
    ],
    "declaration-property-value-disallowed-list": [
      {
        "/^(?:transition|animation)/": ["/\\d(?:ms|s)\\b/i"],
        // Widths of layouts are in rem; a pattern of a background is a drawing.
        "/^(?!background$)/": ["/(?<![\\d.])(?:[4-9]|\\d\\d+|\\d*\\.\\d+)px\\b/i", "/\\d(?:pt|pc|cm|mm|q|in)\\b/i"],
        // Layouts share their widths; `em` follows the text.
        "/^(?:(?:max|min)-)?(?:width|inline-size)$|^grid-template-columns$/": ["/\\d(?:rem|ch|vw)\\b/i"],
        // It would bring colours of its own.
        "/^background/": ["/data:/i"],
      },
      { message: (property, value) => `Use tokens: "${value}" is no value for "${property}"` },
    ],
    // Custom properties cannot stand in a media query: these are the widths at which layouts change.
    "media-feature-name-value-allowed-list": { "min-width": ["36rem", "48rem", "64rem"], "max-width": ["40rem"] },
  },
  overrides: [
    {
      files: ["src/web/design/tokens.css"],
      rules: {
        "color-no-hex": null,
        "function-disallowed-list": null,
        "declaration-property-value-allowed-list": null,
        "declaration-property-value-disallowed-list": null,
      },
    },
  ],
};
