/** Bounds on what a server may send. Sizes are characters unless said. */
export const limits = {
  /** Of one server. */
  tools: 200,
  prompts: 200,
  resources: 1_000,
  /** Of one result. */
  parts: 1_000,
  /** Of a tool's name as the server calls it. */
  ownName: 128,
  description: 2_048,
  /** Of a schema as JSON. */
  schema: 32_768,
  /** Levels of a schema. */
  schemaDepth: 32,
  /** Bytes of one message. */
  message: 10_485_760,
  /** Characters of stderr that are kept. */
  stderr: 65_536,
  /** Rounds of questions in one call. */
  rounds: 10,
  /** Pages of one list. */
  pages: 64,
} as const

/** Milliseconds. */
export const times = {
  /** Until the first list of tools. */
  start: 30_000,
  call: 600_000,
  /** Of the list of prompts, without which a server's tools are used as well. */
  prompts: 5_000,
  /** Without a call, until a server is ended. */
  idle: 300_000,
  /** Until a server that does not answer the probe of revision 2026-07-28 counts as one of revision 2025-11-25. */
  probe: 10_000,
  /** Between two lists that a server's notifications cause. */
  relist: 2_000,
} as const
