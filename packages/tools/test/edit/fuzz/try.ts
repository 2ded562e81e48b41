import { createRng } from "@gong/testing/sim/rng"
import { createMemoryHost } from "../../../src/host/memory.ts"
import { createEditTool, createReadTool } from "../../../src/index.ts"
import { context, messages } from "../../workspace.ts"
import { judge, type Verdict } from "./judge.ts"
import { ask, specimen } from "./specimen.ts"

export type Tried = Verdict & { readonly encoding: string; readonly fuzzy: boolean }

const path = "/work/a.txt"

/** One file and one edit of it, derived from the seed. */
export async function tryOne(seed: number): Promise<Tried> {
  const rng = createRng(seed)
  const file = specimen(rng)
  const asked = ask(rng, file)
  const encoding = file.alphabet.name
  if (asked.length === 0) return { encoding, fuzzy: false, kind: "nothing to ask", violation: null }
  const host = createMemoryHost({ files: { [path]: file.bytes } })
  const kept = new Map<string, Buffer>()
  const images: Buffer[] = []
  const recording = context({
    artifacts: {
      put: async (bytes) => {
        kept.set(`image ${kept.size}`, Buffer.from(bytes))
        return `image ${kept.size - 1}`
      },
      get: async () => null,
      spillPath: async (name) => name,
    },
    record: async ({ before, beforeText }) => {
      images.push(beforeText === undefined ? (kept.get(before ?? "") ?? Buffer.alloc(0)) : Buffer.from(beforeText))
    },
  })
  const read = await createReadTool("/work", { host }).execute("c", { path }, recording)
  const edits = asked.map(({ oldText, newText }) => ({ oldText, newText }))
  const result = await createEditTool("/work", { host }).execute("c", { path, edits }, recording)
  const after = Buffer.from(await host.readRange(path, 0))
  const reported = read.details?.encoding ?? "binary"
  const verdict = judge(file, asked, { isError: result.isError, printed: messages(result), after, notified: reported })
  // Undo restores the stored before-image.
  const undone = result.isError || images[0]?.equals(file.bytes) === true
  const violation = verdict.violation ?? (undone ? null : "the image before the change is not the file")
  return { ...verdict, violation, encoding, fuzzy: result.details?.usedFuzzy === true }
}
