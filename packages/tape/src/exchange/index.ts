export { fromPi, type ImportResult as Imported } from "./from-pi.ts"
export { toMarkdown } from "./markdown.ts"
export { toPi } from "./to-pi.ts"
