import { keys, type SceneGroup, type Scene, type Driver } from "./scene.ts"

const call = (name: string, args: object) => ({ calls: [{ name, args: { ...args } }] })

/** A call from its start to its end, and a short answer. */
const tool = (label: string, name: string, args: object): Scene => ({
  name: label,
  play: (show) => show.run("go", call(name, args), { text: "Done." }),
})

const bash = (label: string, command: string, more: object = {}): Scene => tool(label, "bash", { command, ...more })

async function stopRun(show: Driver): Promise<void> {
  show.type(keys.escape)
  await show.shows(/Stopped\.|已停止/)
  await show.rests()
}

async function stop(show: Driver): Promise<void> {
  show.type(keys.escape)
  await show.rests()
}

/** 60 x 40 pixels. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAADwAAAAoAQMAAACYdQu8AAAABGdBTUEAALGPC/xhBQAAACBjSFJNAAB6JgAAgIQAAPoAAACA6AAAdTAAAOpgAAA6mAAAF3CculE8AAAABlBMVEX/pQD////52iT3AAAAAWJLR0QB/wIt3gAAAAd0SU1FB+oLHA8iHK77FiAAAAANSURBVBjTY2AYBfQAAAFoAAHZthW0AAAAJXRFWHRkYXRlOmNyZWF0ZQAyMDI2LTExLTI4VDE1OjM0OjI4KzAwOjAwCiRV4AAAACV0RVh0ZGF0ZTptb2RpZnkAMjAyNi0xMS0yOFQxNTozNDoyOCswMDowMHt57VwAAAAASUVORK5CYII="

/** What a model does. */
export const tools: SceneGroup = {
  args: ["--yolo", "--tools", "+todo,+task"],
  prepare(stage) {
    const numbered = Array.from({ length: 500 }, (_, at) => `line ${at}`).join("\n")
    stage.write({ "logo.png": Buffer.from(png, "base64") })
    stage.write({ "a.txt": "one\ntwo\nthree\n", "src/main.ts": "const a = 1\nconst b = 2\n", "long.txt": numbered })
    return stage
  },
  scenes: [
    tool("read", "read", { path: "a.txt" }),
    tool("read: an image", "read", { path: "logo.png" }),
    tool("read: a missing file", "read", { path: "missing.txt" }),
    {
      name: "several reads and searches",
      play: (show) =>
        show.run(
          "go",
          {
            calls: [
              { name: "read", args: { path: "a.txt" } },
              { name: "grep", args: { pattern: "const" } },
              { name: "find", args: { pattern: "*.ts" } },
              { name: "ls", args: { path: "." } },
            ],
          },
          { text: "Done." },
        ),
    },
    tool("write: a new file", "write", { path: "new.txt", content: "alpha\nbeta\n" }),
    tool("edit with marks of words", "edit", {
      path: "src/main.ts",
      edits: [{ oldText: "const b = 2", newText: "const count = 2" }],
    }),
    tool("edit: no match", "edit", { path: "a.txt", edits: [{ oldText: "none", newText: "x" }] }),
    {
      name: "a diff of 500 lines",
      play: (show) =>
        show.run(
          "go",
          call("read", { path: "long.txt" }),
          call("write", { path: "long.txt", content: Array.from({ length: 500 }, (_, at) => `row ${at}`).join("\n") }),
          { text: "Done." },
        ),
    },
    bash("bash", "echo one; echo two"),
    bash("bash: a long command in several lines", "cd src &&\nwc -l main.ts |\n  sort -n"),
    bash("bash: failed", "echo first; echo wrong >&2; exit 3"),
    bash("bash: no output", "true"),
    bash(
      "bash: colours and a progress bar",
      String.raw`printf '\033[1;31mFAIL\033[0m a\n\033[32mok\033[0m b\n 10%%\r100%%\n'`,
    ),
    bash("bash: 1,000 lines", "seq 1000"),
    bash("bash: a time limit", "echo before; sleep 30", { timeout: 1 }),
    {
      name: "bash: running",
      play: async (show) => {
        show.say("go", call("bash", { command: "for i in 1 2 3 4 5 6 7; do echo row $i; done; sleep 60" }), {
          text: "x",
        })
        await show.shows("row 7")
      },
    },
    { name: "bash: aborted", follows: true, play: stop },
    {
      name: "bash: moved to the background",
      play: async (show) => {
        show.say("go", call("bash", { command: "echo up; sleep 60" }), { text: "Done." })
        await show.shows("  up")
        show.type(`${keys.ctrl("x")}b`)
        await show.shows("Done.")
      },
    },
    { name: "jobs", play: async (show) => show.type("/jobs\r"), back: stop },
    {
      name: "jobs: ended",
      play: async (show) => show.type("/jobs 1 stop\r"),
    },
    {
      name: "arguments that arrive",
      play: async (show) => {
        const args = { path: "b.txt", content: "x".repeat(300) }
        show.say("go", {
          calls: [{ name: "write", args }],
          argDelta: 4,
          fault: { kind: "stall", after: { chunks: 8 } },
        })
        await show.shows("write ...")
      },
      back: stopRun,
    },
    tool("an unknown tool", "teleport", { to: "the moon" }),
    tool("arguments that do not fit", "read", { file: "a.txt" }),
    tool("to-do list", "todo", {
      todos: [
        { content: "read the code", status: "completed" },
        { content: "write the test", status: "in_progress" },
        { content: "修复错误", status: "pending" },
      ],
    }),
    {
      name: "to-do list while a run works",
      play: async (show) => {
        show.say("go", call("bash", { command: "sleep 60" }), { text: "x" })
        await show.shows("bash sleep 60")
      },
      back: stopRun,
    },
    {
      name: "a task",
      play: (show) =>
        show.run(
          "go",
          call("task", { prompt: "Count the files.", title: "count" }),
          call("bash", { command: "ls | wc -l" }),
          { text: "Three." },
          { text: "Done." },
        ),
    },
    {
      name: "a running task",
      play: async (show) => {
        show.say("go", call("task", { prompt: "Wait.", title: "wait" }), call("bash", { command: "sleep 60" }), {
          text: "x",
        })
        await show.shows("    bash sleep 60")
      },
      back: stopRun,
    },
    { name: "!", play: async (show) => show.type("!echo from the shell\r") },
    { name: "!!", play: async (show) => show.type("!!echo unseen; false\r") },
    { name: "/output", play: async (show) => show.type("/output\r") },
    { name: "/diff: the list", play: async (show) => show.type("/diff\r") },
    {
      name: "/diff: one file",
      follows: true,
      play: async (show) => {
        show.type("main\r")
        await show.shows("const count")
      },
    },
    {
      name: "/diff: the question before undo",
      follows: true,
      play: async (show) => show.type("u"),
      back: async (show) => {
        show.type(keys.escape)
        await show.rests()
        await stop(show)
      },
    },
    { name: "/undo", play: async (show) => show.type("/undo a.txt\r") },
    { name: "/undo of all files", play: async (show) => show.type("/undo\r") },
    { name: "/redo", play: async (show) => show.type("/redo\r") },
  ],
}
