/** The names of Gong's own commands, for whoever only asks what is taken: `registry.ts` loads all that they do. */
export const slashNames: readonly string[] =
  "changelog compact context copy cost diff export fork help hotkeys init login logout model name new permissions plan quit redo reload resume session settings share skills tools tree trust undo".split(
    " ",
  )
