import { openWithModel, type Program } from "../program.ts"

/** Each command with its response; texts of events are omitted. */
export async function answers(
  program: Program,
  commands: readonly object[],
  ...args: readonly string[]
): Promise<readonly unknown[]> {
  const sends = commands.map((command, at) => {
    const isPrompt = "type" in command && command.type === "prompt" && "text" in command
    return [JSON.stringify({ id: `c${at}`, ...command }), isPrompt ? '"type":"result"' : `"id":"c${at}"`] as const
  })
  const { out } = await program.gong(["rpc", ...args], { sends: [["", '"type":"session"'], ...sends] })
  const lines = program
    .plain(out)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return lines
    .filter(({ type }) => type === "response")
    .map(({ command, success, data, error }) => [command, success === true ? data : error])
}

export const place = (t: Parameters<typeof openWithModel>[0]) =>
  openWithModel(t, {
    turns: [
      { text: "One." },
      { calls: [{ name: "write", args: { path: "a.txt", content: "a\n" } }] },
      { text: "Two." },
    ],
    otherwise: { text: "Fine." },
  })
