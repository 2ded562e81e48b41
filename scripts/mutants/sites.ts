import { parseAst } from "rolldown/parseAst"

/** One possible change of a source file: the text from `start` to `end` (UTF-16 offsets) is replaced. */
export interface Mutation {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The kind of the change, for the report. */
  readonly kind: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Every change known for a source, in the order of the text. Types and imports are skipped, because they do not run. */
export function mutationsOf(source: string): readonly Mutation[] {
  const found: Mutation[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value) || isStatic(value)) return
    found.push(...changesOf(value, source))
    for (const [key, child] of Object.entries(value)) if (key !== "typeAnnotation" && key !== "returnType") visit(child)
  }
  visit(parseAst(source, { lang: "ts" }))
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
}

const expressionsOfTypeScript = ["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]

function isStatic({ type }: Node): boolean {
  const isType = type.startsWith("TS") && !expressionsOfTypeScript.includes(type)
  return isType || type === "ImportDeclaration" || type === "ExportAllDeclaration"
}

const operators: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&": "|",
  "<<": ">>",
  "&&": "||",
  "||": "&&",
}

/** Methods whose removal leaves a chain valid. */
const dropped = /^(?:filter|toSorted|toReversed|trim|trimEnd|trimStart|toLowerCase|slice|subarray|flat)$/

function changesOf(node: Node, source: string): readonly Mutation[] {
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  const instead = (part: Node, text: string, kind: string): Mutation => ({
    start: part.start,
    end: part.end,
    text,
    kind,
  })
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      return [...operatorOf(node, source), ...comparedTexts(node).map((part) => instead(part, '"?"', "compared text"))]
    case "UnaryExpression":
      return node["operator"] === "!" ? [instead(node, textOf(node["argument"] as Node), "negation dropped")] : []
    case "IfStatement":
    case "ConditionalExpression": {
      const test = node["test"] as Node
      return [instead(test, "true", "condition true"), instead(test, "false", "condition false")]
    }
    case "Literal":
      return literalOf(node, source)
    case "SwitchCase":
      return node["test"] === null ? [] : [instead(node["test"] as Node, '"?"', "case never met")]
    case "ExpressionStatement":
      return isCall(node["expression"] as Node) ? [instead(node, ";", "call dropped")] : []
    case "ReturnStatement":
      return node["argument"] === null ? [] : [instead(node["argument"] as Node, "undefined", "nothing returned")]
    case "CallExpression":
      return chainOf(node, textOf).map((text) => instead(node, text, "method dropped"))
    default:
      return []
  }
}

function operatorOf(node: Node, source: string): readonly Mutation[] {
  const left = node["left"] as Node
  const right = node["right"] as Node
  const operator = String(node["operator"])
  const other = operators[operator]
  const joinsTexts = operator === "+" && [left, right].some(isText)
  if (other === undefined || joinsTexts) return []
  const start = source.indexOf(operator, left.end)
  if (start < 0 || start >= right.start) return []
  // From the end of the left side: in V8's coverage an operator belongs to the right side, which may never be evaluated.
  const text = source.slice(left.end, start) + other
  return [{ start: left.end, end: start + operator.length, text, kind: operator }]
}

function comparedTexts(node: Node): readonly Node[] {
  if (!/^[!=]==$/.test(String(node["operator"]))) return []
  return [node["left"], node["right"]].filter((part): part is Node => isNode(part) && isText(part))
}

function isText({ type, value }: Node): boolean {
  return type === "TemplateLiteral" || (type === "Literal" && typeof value === "string")
}

function literalOf(node: Node, source: string): readonly Mutation[] {
  const { value, start, end } = node
  if (typeof value === "number" && Number.isSafeInteger(value))
    return [{ start, end, text: `(${source.slice(start, end)} + 1)`, kind: "number" }]
  if (typeof value === "boolean") return [{ start, end, text: String(!value), kind: "boolean" }]
  const regex = node["regex"] as { readonly pattern: string; readonly flags: string } | undefined
  if (regex === undefined) return []
  const ends = [regex.pattern.replace(/^\^/, ""), regex.pattern.replace(/(?<!\\)\$$/, "")]
  const loose = ends.filter((pattern) => pattern !== regex.pattern && pattern !== "")
  return loose.map((pattern) => ({ start, end, text: `/${pattern}/${regex.flags}`, kind: "anchor dropped" }))
}

function isCall({ type, argument }: Node): boolean {
  return type === "CallExpression" || (type === "AwaitExpression" && isCall(argument as Node))
}

function chainOf({ callee }: Node, textOf: (node: Node) => string): readonly string[] {
  const { type, property, object } = callee as Node
  if (type !== "MemberExpression" || !isNode(property) || !dropped.test(String(property["name"]))) return []
  return [textOf(object as Node)]
}
