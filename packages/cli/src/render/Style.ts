/** Colour, only where a person looks: at a terminal, unless `NO_COLOR` is set. */

/** Puts words into colour, or leaves them as they are. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

/** The style for a stream: colour at a terminal, plain elsewhere and wherever `NO_COLOR` is set to anything. */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  env: { readonly [name: string]: string | undefined } = process.env
): Style {
  const wanted = stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb"
  return wanted ? coloured : plain
}

const paint = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`
const as = (text: string) => text

const coloured: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  cyan: paint(36, 39)
}

/** No colour at all. */
export const plain: Style = { bold: as, dim: as, red: as, green: as, yellow: as, cyan: as }

/** The colour of a decision. */
export const ofDecision = (style: Style, decision: string): ((text: string) => string) =>
  decision === "allow" ? style.green : decision === "deny" ? style.red : style.yellow
