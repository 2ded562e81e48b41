import { join } from "node:path"
import { createGenerator, type Schema } from "ts-json-schema-generator"
import { commands } from "../packages/app/src/controller/commands.ts"
import { protocol } from "../packages/spec/src/events/event.ts"

/**
 * Input and output of a client of `gong rpc`, as one JSON Schema: commands from the table that validates them,
 * lines from the types that the program is checked against.
 */
export function rpcSchema(root: string): Schema {
  const { definitions } = createGenerator({
    path: join(root, "packages/gong/src/modes/rpc/protocol.ts"),
    tsconfig: join(root, "tsconfig.json"),
    type: "RpcLine",
    // `npm run check` does that.
    skipTypeCheck: true,
    additionalProperties: true,
  }).createSchema("RpcLine")
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: `gong rpc, protocol ${protocol}: a line of either direction`,
    anyOf: [{ $ref: "#/definitions/RpcCommand" }, { $ref: "#/definitions/RpcLine" }],
    definitions: { RpcCommand: commandSchema(), ...definitions },
  }
}

function commandSchema(): Schema {
  const id = { type: ["string", "number"], description: "comes back with the response" } satisfies Schema
  const all = Object.entries(commands).map(([name, { about, args }]) => ({
    ...args,
    description: about,
    properties: { type: { const: name }, id, ...args.properties },
    required: ["type", ...args.required],
  }))
  return { description: "What a client writes, one on a line.", anyOf: all as unknown as Schema[] }
}
