export { fromPi, type ImportResult } from "./from-pi.ts"
export { toMarkdown } from "./markdown.ts"
export { toPi } from "./to-pi.ts"
