import { maxWrappedDepth, phrase, readJson, tooDeep } from "@gong/spec"
import type { FromWorker, Registrations, Problem } from "../protocol.ts"
import type { FailedLoad } from "../reporter.ts"
import { extensionOf, type HostState, turnOff } from "./hosting.ts"

/** Handles a message of the thread. */
export function handleMessage(state: HostState, message: FromWorker): void {
  state.heartbeat.received()
  switch (message.kind) {
    case "loaded":
      return loaded(state, message.extension, message.json)
    case "failed":
      return failed(state, message.extension, message.problem, message.timedOut ? "timeout" : "threw")
    case "ready":
      return state.first.resolve(state.registrations)
    case "exiting":
      state.exiting = message.extension
      return
    case "answer":
    case "threw":
    case "progress":
    case "chunk":
    case "ask":
      return state.calls.handle(message)
    case "notice":
    case "printed":
    case "unhandled":
      return notify(state, message)
    case "pong":
  }
}

function loaded(state: HostState, id: number, json: string): void {
  const read = readJson(json, maxWrappedDepth)
  if (!read.ok) {
    const message = phrase`what it registers is ${read.tooDeep ? tooDeep(maxWrappedDepth) : read.problem}`
    return failed(state, id, { message, stack: "", path: null, line: null }, "threw")
  }
  if (!state.registrations.has(id)) state.registrations.set(id, read.value as Registrations)
  markAttempted(state, id)
}

function failed(state: HostState, id: number, problem: Problem, load: FailedLoad): void {
  const extension = extensionOf(state, id)
  if (extension !== null) turnOff(state, extension, problem, load)
  markAttempted(state, id)
}

function markAttempted(state: HostState, id: number): void {
  state.attempted.add(id)
  state.callable.get(id)?.resolve()
}

function notify(state: HostState, message: Extract<FromWorker, { kind: "notice" | "printed" | "unhandled" }>): void {
  const { session } = message
  const extension = message.extension === null ? null : extensionOf(state, message.extension)
  if (message.kind === "printed") state.notify({ kind: "printed", extension, text: message.text }, session)
  else if (message.kind === "unhandled")
    state.notify({ kind: "unhandled", extension, problem: message.problem }, session)
  else if (extension !== null)
    state.notify({ kind: "notice", extension, level: message.level, text: message.text }, session)
}
