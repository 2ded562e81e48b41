import { maxWrappedDepth, phrase, readJson, tooDeep } from "@gong/spec"
import type { FromWorker, Offers, Problem } from "../protocol.ts"
import type { FailedLoad } from "../reporter.ts"
import { extensionOf, type Hosting, turnOff } from "./hosting.ts"

/** Handles a message of the thread. */
export function heard(at: Hosting, message: FromWorker): void {
  at.beat.heard()
  switch (message.kind) {
    case "loaded":
      return loaded(at, message.extension, message.json)
    case "failed":
      return failed(at, message.extension, message.problem, message.late ? "late" : "threw")
    case "ready":
      return at.first.resolve(at.offers)
    case "leaving":
      at.leaving = message.extension
      return
    case "answer":
    case "threw":
    case "progress":
    case "piece":
    case "ask":
      return at.calls.heard(message)
    case "said":
    case "printed":
    case "stray":
      return passOn(at, message)
    case "pong":
  }
}

function loaded(at: Hosting, id: number, json: string): void {
  const read = readJson(json, maxWrappedDepth)
  if (!read.ok) {
    const message = phrase`what it registers is ${read.tooDeep ? tooDeep(maxWrappedDepth) : read.problem}`
    return failed(at, id, { message, stack: "", path: null, line: null }, "threw")
  }
  if (!at.offers.has(id)) at.offers.set(id, read.value as Offers)
  tried(at, id)
}

function failed(at: Hosting, id: number, problem: Problem, load: FailedLoad): void {
  const extension = extensionOf(at, id)
  if (extension !== null) turnOff(at, extension, problem, load)
  tried(at, id)
}

function tried(at: Hosting, id: number): void {
  at.tried.add(id)
  at.callable.get(id)?.resolve()
}

function passOn(at: Hosting, message: Extract<FromWorker, { kind: "said" | "printed" | "stray" }>): void {
  const { session } = message
  const extension = message.extension === null ? null : extensionOf(at, message.extension)
  if (message.kind === "printed") at.notify({ kind: "printed", extension, text: message.text }, session)
  else if (message.kind === "stray") at.notify({ kind: "stray", extension, problem: message.problem }, session)
  else if (extension !== null) at.notify({ kind: "said", extension, level: message.level, text: message.text }, session)
}
