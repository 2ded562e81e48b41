/** The sixteen standard colours of a terminal, which its user may configure, in the order of their codes. */
export const colorNames = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "gray",
  "brightRed",
  "brightGreen",
  "brightYellow",
  "brightBlue",
  "brightMagenta",
  "brightCyan",
  "brightWhite",
] as const

/** Number of colours that a terminal can show. */
export type Depth = 16 | 256 | 16_777_216

export function depthOf({ COLORTERM, TERM }: Readonly<Record<string, string | undefined>>): Depth {
  if (/^(truecolor|24bit)$/i.test(COLORTERM ?? "")) return 16_777_216
  return /256|direct/.test(TERM ?? "") ? 256 : 16
}

/** Whether the background is light by COLORFGBG, which some terminals set: colours of the palette, the background last. */
export function hasLightBackground({ COLORFGBG = "" }: Readonly<Record<string, string | undefined>>): boolean {
  const background = /;(\d{1,2})$/.exec(COLORFGBG)?.[1]
  return background !== undefined && (Number(background) === 7 || Number(background) > 8)
}

/** `brightRed`, `#f80` or `#ff8800`. */
export function isColor(text: string): boolean {
  return (colorNames as readonly string[]).includes(text) || hex.test(text)
}

const hex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The escape sequence parameters for a foreground colour: the nearest supported one. */
export function colorCode(color: string, depth: Depth): string {
  const named = (colorNames as readonly string[]).indexOf(color)
  if (named >= 0) return String(named < 8 ? 30 + named : 82 + named)
  const [red, green, blue] = channelsOf(color)
  if (depth === 16_777_216) return `38;2;${red};${green};${blue}`
  if (depth === 256) return `38;5;${nearest([red, green, blue], cube) + 16}`
  return colorCode(colorNames[nearest([red, green, blue], usual)] ?? "white", depth)
}

/** The same for a colour of the palette of 256. */
export function paletteCode(index: number, depth: Depth): string {
  if (index < 16) return colorCode(colorNames[index] ?? "white", depth)
  return depth === 16 ? colorCode(hexOf(cube[index - 16] ?? [255, 255, 255]), depth) : `38;5;${index}`
}

function hexOf(channels: Channels): string {
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`
}

type Channels = readonly [red: number, green: number, blue: number]

function channelsOf(color: string): Channels {
  const digits = color.length === 4 ? color.slice(1).replaceAll(/./g, "$&$&") : color.slice(1)
  const at = (from: number) => Number.parseInt(digits.slice(from, from + 2), 16)
  return [at(0), at(2), at(4)]
}

/** The xterm palette from code 16: a colour cube of 6 x 6 x 6, then 24 greys. */
const levels = [0, 95, 135, 175, 215, 255]
const cube: readonly Channels[] = [
  ...levels.flatMap((red) => levels.flatMap((green) => levels.map((blue): Channels => [red, green, blue]))),
  ...Array.from({ length: 24 }, (_, at): Channels => [8 + 10 * at, 8 + 10 * at, 8 + 10 * at]),
]

/** The xterm values of the sixteen colours; other terminals are similar. */
const usual: readonly Channels[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
]

function nearest([red, green, blue]: Channels, all: readonly Channels[]): number {
  const distances = all.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2)
  return distances.indexOf(Math.min(...distances))
}
