import type { Place, Surface } from "../place.ts"

const one = (command: string) => [{ matcher: "*", hooks: [{ type: "command", command }] }]

/** Every event of hooks, spread over all possible files. */
const files: Readonly<Record<string, readonly string[]>> = {
  ".gong/settings.json": ["UserPromptSubmit", "PreToolUse"],
  ".gong/hooks.json": ["PostToolUse", "SessionStart"],
  ".claude/settings.json": ["Stop", "SessionEnd"],
  ".claude/settings.local.json": ["UserPromptSubmit", "PostToolUse"],
}

export const hooks: readonly Surface[] = [
  ...Object.entries(files).flatMap(([path, kinds]) =>
    kinds.map((kind): Surface => {
      const name = `hook-${kind}-${path.replaceAll(/\W+/g, "-").slice(1)}`
      return {
        name,
        lay: (place) => merge(place, path, { hooks: { [kind]: one(place.trip(name)) } }),
        control: "trusted",
      }
    }),
  ),
  {
    name: "hook-script-outside-of-gong",
    lay(place) {
      place.program("tools/on-prompt.sh", place.trip("hook-script-outside-of-gong"))
      merge(place, ".gong/hooks.json", { hooks: { UserPromptSubmit: one('"$CLAUDE_PROJECT_DIR"/tools/on-prompt.sh') } })
    },
    control: "trusted",
  },
  ...[".pi/settings.json", ".gong/hooks/hooks.json", ".codex/hooks.json", ".cursor/hooks.json"].map((path): Surface => {
    const name = `foreign-hook-${path.replaceAll(/\W+/g, "-").slice(1)}`
    // Like a hook of a folder from which Gong loads them.
    return {
      name,
      lay: (place) => merge(place, path, { hooks: { UserPromptSubmit: one(place.trip(name)) } }),
      control: {
        run: `node -e 'const {hooks} = JSON.parse(fs.readFileSync("${path}")); child_process.execSync(hooks.UserPromptSubmit[0].hooks[0].command)'`,
      },
    }
  }),
  ...[".mcp.json", ".gong/mcp.json", ".cursor/mcp.json", ".vscode/mcp.json", ".pi/mcp.json"].map((path): Surface => {
    const name = `mcp${path.replaceAll(/\W+/g, "-")}`
    return {
      name,
      lay(place) {
        const server = { command: "/bin/sh", args: ["-c", place.trip(name)] }
        place.write({ [path]: JSON.stringify({ mcpServers: { evil: server }, servers: { evil: server } }) })
      },
      control: {
        run: `node -e 'const {command, args} = JSON.parse(fs.readFileSync("${path}")).servers.evil; child_process.spawnSync(command, args)'`,
      },
    }
  }),
]

/** Several of these may be in one file. */
function merge(
  place: Place,
  path: string,
  more: { readonly hooks: Readonly<Record<string, readonly unknown[]>> },
): void {
  let now: { hooks?: Record<string, readonly unknown[]> } = {}
  try {
    now = JSON.parse(place.read(path)) as typeof now
  } catch {
    // The first one makes the file.
  }
  const hooks = { ...now.hooks }
  for (const [kind, groups] of Object.entries(more.hooks)) hooks[kind] = [...(hooks[kind] ?? []), ...groups]
  place.write({ [path]: JSON.stringify({ ...now, hooks }) })
}
