/** The names of Gong's own commands, without their code, which `registry.ts` loads. */
export const slashNames: readonly string[] =
  "bug changelog compact context copy cost diff export fork help hotkeys init jobs login logout mcp memory model name new output permissions plan quit redo reload resume session settings share skills tasks theme tools tree trust undo".split(
    " ",
  )
