import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram } from "../program.ts"
import { rowsOf } from "./rows.ts"

test("each setting of Codex for the user and for a project", async (t) => {
  const lines = [
    'model_provider = "corp"',
    'model = "gpt-5.1"',
    "model = 1",
    'model = ""',
    'model = "zzz"',
    'model = "x"\nmodel_provider = "unknown"',
    'model = "any"\nmodel_provider = "ollama"',
    'model_reasoning_effort = "max"',
    'model_reasoning_effort = "low"',
    'model_reasoning_effort = "odd"',
    "model_reasoning_effort = 3",
    'model_reasoning_effort = "toString"',
    'approval_policy = "untrusted"',
    'approval_policy = "never"',
    'approval_policy = "odd"',
    'sandbox_mode = "read-only"',
    'sandbox_mode = "workspace-write"',
    'sandbox_mode = "valueOf"',
    "sandbox_mode = 1",
    'hooks = "x"',
    'model = "x',
  ]
  const found: unknown[] = []
  for (const place of ["user", "project"])
    for (const line of lines) {
      const program = openProgram(t)
      const folder = place === "user" ? program.home : program.repo
      program.write({ [`${folder}/.codex/config.toml`]: `${line}\n` })
      const args = ["import", "--from", "codex", "--json", ...(place === "user" ? [] : ["--project"])]
      found.push(...rowsOf(program, await program.gong(args)))
    }
  assert.deepEqual(found, [
    "left settings: model_provider corp <- ~/.codex/config.toml:1: a provider is set with its model: gong config set model PROVIDER/ID",
    "taken settings: model gpt-5.1 <- ~/.codex/config.toml:1: $GONG/settings.json",
    "left settings: model 1 <- ~/.codex/config.toml:1: it is not a name.",
    "left settings: model  <- ~/.codex/config.toml:1: it is not a name.",
    "left settings: model zzz <- ~/.codex/config.toml:1: Gong does not know this model of openai. gong models openai lists them.",
    "left settings: model x <- ~/.codex/config.toml:1: Gong does not know the provider unknown.",
    "taken settings: model any <- ~/.codex/config.toml:1: $GONG/settings.json",
    "taken settings: model_reasoning_effort max <- ~/.codex/config.toml:1: $GONG/settings.json",
    "taken settings: model_reasoning_effort low <- ~/.codex/config.toml:1: $GONG/settings.json",
    "left settings: model_reasoning_effort odd <- ~/.codex/config.toml:1: Gong has no such level.",
    "left settings: model_reasoning_effort 3 <- ~/.codex/config.toml:1: Gong has no such level.",
    "left settings: model_reasoning_effort toString <- ~/.codex/config.toml:1: Gong has no such level.",
    "taken rules: approval_policy untrusted <- ~/.codex/config.toml:1: $GONG/settings.json",
    "left rules: approval_policy never <- ~/.codex/config.toml:1: Gong refuses if nobody can answer; --yolo allows everything.",
    "left rules: approval_policy odd <- ~/.codex/config.toml:1: Gong has no equivalent.",
    "taken settings: sandbox_mode read-only <- ~/.codex/config.toml:1: $GONG/settings.json",
    "taken settings: sandbox_mode workspace-write <- ~/.codex/config.toml:1: $GONG/settings.json",
    "left settings: sandbox_mode valueOf <- ~/.codex/config.toml:1: Gong has no equivalent.",
    "left settings: sandbox_mode 1 <- ~/.codex/config.toml:1: Gong has no equivalent.",
    "left hooks: hooks <- ~/.codex/config.toml:1: they must be an object.",
    "left settings: the file <- ~/.codex/config.toml: line 1: Invalid TOML document: control characters are not allowed in strings.",
    "left settings: model_provider corp <- $REPO/.codex/config.toml:1: a provider is set with its model: gong config set model PROVIDER/ID",
    "taken settings: model gpt-5.1 <- $REPO/.codex/config.toml:1: $REPO/.gong/settings.json",
    "left settings: model 1 <- $REPO/.codex/config.toml:1: it is not a name.",
    "left settings: model  <- $REPO/.codex/config.toml:1: it is not a name.",
    "left settings: model zzz <- $REPO/.codex/config.toml:1: Gong does not know this model of openai. gong models openai lists them.",
    "left settings: model x <- $REPO/.codex/config.toml:1: Gong does not know the provider unknown.",
    "taken settings: model any <- $REPO/.codex/config.toml:1: $REPO/.gong/settings.json",
    "taken settings: model_reasoning_effort max <- $REPO/.codex/config.toml:1: $REPO/.gong/settings.json",
    "taken settings: model_reasoning_effort low <- $REPO/.codex/config.toml:1: $REPO/.gong/settings.json",
    "left settings: model_reasoning_effort odd <- $REPO/.codex/config.toml:1: Gong has no such level.",
    "left settings: model_reasoning_effort 3 <- $REPO/.codex/config.toml:1: Gong has no such level.",
    "left settings: model_reasoning_effort toString <- $REPO/.codex/config.toml:1: Gong has no such level.",
    "left rules: approval_policy untrusted <- $REPO/.codex/config.toml:1: Gong has no equivalent.",
    "left rules: approval_policy never <- $REPO/.codex/config.toml:1: Gong refuses if nobody can answer; --yolo allows everything.",
    "left rules: approval_policy odd <- $REPO/.codex/config.toml:1: Gong has no equivalent.",
    "left settings: sandbox_mode read-only <- $REPO/.codex/config.toml:1: a project cannot set it.",
    "left settings: sandbox_mode workspace-write <- $REPO/.codex/config.toml:1: a project cannot set it.",
    "left settings: sandbox_mode valueOf <- $REPO/.codex/config.toml:1: a project cannot set it.",
    "left settings: sandbox_mode 1 <- $REPO/.codex/config.toml:1: a project cannot set it.",
    "left hooks: hooks <- $REPO/.codex/config.toml:1: this folder is not trusted; check them, then use --trust yes",
    "left settings: the file <- $REPO/.codex/config.toml: line 1: Invalid TOML document: control characters are not allowed in strings.",
  ])
})
