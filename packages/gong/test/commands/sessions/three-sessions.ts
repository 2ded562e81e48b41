import { openWithModel, type Program } from "../program.ts"

export async function printed(program: Program, ...args: readonly string[]): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(["sessions", ...args])
  return [status, ...program.plain(out).split("\n"), program.plain(err)]
}

const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 }

/** Two sessions here, one with a tool call, and one elsewhere. */
export async function place(t: Parameters<typeof openWithModel>[0]) {
  const program = await openWithModel(t, {
    turns: [
      { text: "The discount is subtracted twice." },
      { text: "I'll write it.", calls: [{ name: "write", args: { path: "a.txt", content: "one\ntwo\n" } }] },
      { text: "Written; discount fixed." },
      { text: "Elsewhere: discount." },
    ],
  })
  const { GONG_BASE_URL, GONG_API_KEY } = program.env
  program.write({
    [`${program.gongHome}/models.json`]: JSON.stringify({
      providers: {
        lab: {
          baseUrl: GONG_BASE_URL,
          keys: ["LAB_KEY"],
          models: { big: { contextWindow: 64_000, maxOutput: 4000, price } },
        },
      },
    }),
  })
  const env = { GONG_BASE_URL: undefined, GONG_MODEL: "lab/big", GONG_API_KEY: undefined, LAB_KEY: GONG_API_KEY }
  await program.gong(["-p", "Why is the discount wrong?"])
  await program.gong(["-p", "write it", "--yolo"], { env })
  program.write({ [`${program.root}/other/.git/x`]: "" })
  await program.gong(["-p", "a third one"], { env, cwd: `${program.root}/other` })
  return program
}

export const idsOf = async (program: Program, ...more: readonly string[]) => {
  const { sessions } = JSON.parse((await program.gong(["sessions", "--json", ...more])).out) as {
    sessions: { id: string }[]
  }
  return sessions.map(({ id }) => id)
}
