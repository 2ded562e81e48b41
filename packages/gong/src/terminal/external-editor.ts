import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * Edits a text with `$VISUAL` or `$EDITOR`, by default `vi`, in the terminal, which must be in its own modes. Null: the editor
 * failed, or could not be started, and the text is unchanged.
 */
export async function editExternally(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "gong-edit-"))
  try {
    const file = join(folder, "message.md")
    await writeFile(file, text === "" ? "" : `${text}\n`)
    const editor = [env["VISUAL"], env["EDITOR"], "vi"].find((name) => (name ?? "").trim() !== "")
    // An editor may have arguments: `code --wait`.
    const status = await exitOf(spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" }))
    return status === 0 ? (await readFile(file, "utf8")).replace(/\n$/, "") : null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function exitOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve) => {
    child.on("exit", resolve)
    child.on("error", () => resolve(null))
  })
}
