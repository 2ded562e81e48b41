import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client"
import {
  closedDialog,
  type Dialog,
  type DialogChoice,
  type DialogOutcome,
  englishOf,
  isRecord,
  phrase,
  type Phrase,
} from "@gong/spec"
import { visibleLine, visibleText } from "../definitions/clean.ts"

/** Asks the user; the outcome of a dialog without an answer has neither a choice nor a text. */
export type AskUser = (dialog: Dialog) => Promise<DialogOutcome>

const maxFields = 20
const maxMessage = 2_000
/** Attempts to enter a value of the right type. */
const maxTries = 3

export const yes: DialogChoice = { label: "yes", phrase: phrase`yes` }
export const no: DialogChoice = { label: "no", phrase: phrase`no` }
const decline: DialogChoice = {
  label: "(decline)",
  description: "send nothing",
  phrase: phrase`(decline): send nothing`,
}
const skip: DialogChoice = { label: "(skip)", description: "leave it empty", phrase: phrase`(skip): leave it empty` }
const opened: DialogChoice = {
  label: "opened",
  description: "I have opened it myself",
  phrase: phrase`opened: I have opened it myself`,
}

/** A question of a server, put to the user field by field in dialogs that name the server. */
export function elicit(server: string, asked: ElicitRequestParams, ask: AskUser): Promise<ElicitResult> {
  return asked.mode === "url" ? confirmUrl(server, asked, ask) : fillForm(server, asked, ask)
}

type UrlRequest = Extract<ElicitRequestParams, { readonly mode: "url" }>
type FormRequest = Exclude<ElicitRequestParams, UrlRequest>

/** The address is shown and never opened: it is the user who decides what their browser visits. */
async function confirmUrl(server: string, { url, message }: UrlRequest, ask: AskUser): Promise<ElicitResult> {
  const address = URL.canParse(url) ? new URL(url) : null
  if (address?.protocol !== "https:" && address?.protocol !== "http:") return { action: "decline" }
  const says = visibleLine(message, maxMessage)
  const question = phrase`The MCP server ${server} asks you to open an address of ${address.host}:\n${address.href}\nIt says: ${says}`
  const { choice } = await ask(closedDialog(question, [opened, decline]))
  return { action: choice === opened.label ? "accept" : choice === undefined ? "cancel" : "decline" }
}

async function fillForm(
  server: string,
  { message, requestedSchema }: FormRequest,
  ask: AskUser,
): Promise<ElicitResult> {
  const required: readonly unknown[] = requestedSchema.required ?? []
  const fields = Object.entries(requestedSchema.properties)
  if (fields.length > maxFields) return { action: "decline" }
  const says = visibleText(message.slice(0, maxMessage))
  const asks = (text: string): Phrase => phrase`The MCP server ${server} asks: ${text}`
  if (fields.length === 0) return confirm(asks(says), ask)
  const content: [string, FieldValue][] = []
  for (const [name, schema] of fields) {
    const field = fieldOf(name, schema, required.includes(name))
    const answer = await askField(asks(`${says}\n${field.label}`), field, ask)
    if (typeof answer !== "object" || Array.isArray(answer)) content.push([name, answer])
    else if ("action" in answer) return { action: answer.action }
  }
  return { action: "accept", content: Object.fromEntries(content) }
}

async function confirm(question: Phrase, ask: AskUser): Promise<ElicitResult> {
  const { choice } = await ask(closedDialog(question, [yes, decline]))
  return { action: choice === yes.label ? "accept" : choice === undefined ? "cancel" : "decline" }
}

type FieldValue = string | number | boolean | string[]

interface Field {
  readonly name: string
  readonly label: string
  readonly required: boolean
  readonly type: unknown
  /** The values of a list, by the label that is shown. */
  readonly options: ReadonlyMap<string, string>
}

function fieldOf(name: string, schema: unknown, required: boolean): Field {
  const { type, title, description }: Readonly<Record<string, unknown>> = isRecord(schema) ? schema : {}
  const words = [typeof title === "string" ? title : name, description].filter((text) => typeof text === "string")
  const items = isRecord(schema) && isRecord(schema["items"]) ? schema["items"] : schema
  return { name, label: visibleLine(words.join(": "), 300), required, type, options: optionsOf(items) }
}

const maxOptions = 50

function optionsOf(schema: unknown): ReadonlyMap<string, string> {
  if (!isRecord(schema)) return new Map()
  const { enum: values, enumNames: names, oneOf, anyOf } = schema
  const titled: unknown = oneOf ?? anyOf
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, maxOptions) : [])
  const plain = list(values).map((value, at) => [list(names)[at] ?? value, value])
  const named = list(titled).map((one) => (isRecord(one) ? [one["title"] ?? one["const"], one["const"]] : []))
  return new Map(
    [...plain, ...named].flatMap(([label, value]) =>
      typeof label === "string" && typeof value === "string" ? [[visibleLine(label, 100), value] as const] : [],
    ),
  )
}

type FieldAnswer = FieldValue | { readonly action: "decline" | "cancel" } | { readonly skipped: true }

async function askField(asked: Phrase, field: Field, ask: AskUser): Promise<FieldAnswer> {
  const choices = [...choicesOf(field), ...(field.required ? [] : [skip]), decline]
  const secret = isSecret(`${englishOf(asked)} ${field.name}`)
  const question = secret
    ? phrase`${asked}\nThis looks like a secret: it would be sent to the server. Gong never asks for one here.`
    : asked
  const freeText = field.options.size === 0 && field.type !== "boolean"
  const dialog: Dialog = { ...closedDialog(question, choices), freeText, ...(secret && { secret }) }
  for (let tries = 0; tries < maxTries; tries++) {
    const { choice, text } = await ask(dialog)
    if (choice === decline.label) return { action: "decline" }
    if (choice === skip.label) return { skipped: true }
    if (choice === undefined && text === undefined) return { action: "cancel" }
    const value = valueOf(field, choice ?? text ?? "")
    if (value !== null) return value
  }
  return { action: "decline" }
}

function choicesOf({ type, options }: Field): readonly DialogChoice[] {
  if (type === "boolean") return [yes, no]
  return [...options.keys()].map((label) => ({ label }))
}

/** Null: not a value of the field's type. */
function valueOf({ type, options }: Field, answer: string): FieldValue | null {
  if (type === "boolean") return answer === yes.label ? true : answer === no.label ? false : null
  if (options.size > 0) {
    const value = options.get(answer)
    return value === undefined ? null : type === "array" ? [value] : value
  }
  if (type !== "number" && type !== "integer")
    return type === "array" ? answer.split(",").map((one) => one.trim()) : answer
  const number = answer.trim() === "" ? NaN : Number(answer)
  return (type === "integer" ? Number.isInteger(number) : Number.isFinite(number)) ? number : null
}

function isSecret(text: string): boolean {
  return /pass(?:word|phrase|code)|secret|token|api.?key|credential|private key|\bpin\b|密码|口令|密钥|令牌/i.test(text)
}
