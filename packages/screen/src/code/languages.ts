import type { StreamParser } from "@codemirror/streamparser"

/** Any state is only handed back to its own parser. */
export type Parser = StreamParser<unknown>

/** Loads the parser of a language of `@codemirror/legacy-modes`. */
type Load = () => Promise<Parser>

const javascript = () => import("@codemirror/legacy-modes/mode/javascript")
const clike = () => import("@codemirror/legacy-modes/mode/clike")
const css = () => import("@codemirror/legacy-modes/mode/css")
const xml = () => import("@codemirror/legacy-modes/mode/xml")
const sql = () => import("@codemirror/legacy-modes/mode/sql")
const mllike = () => import("@codemirror/legacy-modes/mode/mllike")

/** Names as they stand behind the fence of a code block, with file extensions among them. */
const languages: readonly (readonly [names: string, load: Load])[] = [
  ["javascript js jsx mjs cjs node", async () => (await javascript()).javascript as Parser],
  ["typescript ts tsx mts cts", async () => (await javascript()).typescript as Parser],
  ["json jsonc json5 jsonl ndjson", async () => (await javascript()).json as Parser],
  ["python py python3 pyi", async () => (await import("@codemirror/legacy-modes/mode/python")).python as Parser],
  [
    "shell sh bash zsh console shell-session",
    async () => (await import("@codemirror/legacy-modes/mode/shell")).shell as Parser,
  ],
  ["rust rs", async () => (await import("@codemirror/legacy-modes/mode/rust")).rust as Parser],
  ["go golang", async () => (await import("@codemirror/legacy-modes/mode/go")).go as Parser],
  ["c h", async () => (await clike()).c as Parser],
  ["cpp c++ cc cxx hpp hh", async () => (await clike()).cpp as Parser],
  ["java", async () => (await clike()).java as Parser],
  ["csharp cs c#", async () => (await clike()).csharp as Parser],
  ["kotlin kt kts", async () => (await clike()).kotlin as Parser],
  ["scala", async () => (await clike()).scala as Parser],
  ["dart", async () => (await clike()).dart as Parser],
  ["objectivec objc objective-c m", async () => (await clike()).objectiveC as Parser],
  ["glsl shader", async () => (await clike()).shader as Parser],
  ["swift", async () => (await import("@codemirror/legacy-modes/mode/swift")).swift as Parser],
  ["ruby rb", async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby as Parser],
  ["css", async () => (await css()).css as Parser],
  ["scss sass", async () => (await css()).sCSS as Parser],
  ["less", async () => (await css()).less as Parser],
  ["html htm vue svelte", async () => (await xml()).html as Parser],
  ["xml svg xhtml plist", async () => (await xml()).xml as Parser],
  ["sql", async () => (await sql()).standardSQL as Parser],
  ["mysql mariadb", async () => (await sql()).mySQL as Parser],
  ["postgres postgresql pgsql plpgsql", async () => (await sql()).pgSQL as Parser],
  ["sqlite", async () => (await sql()).sqlite as Parser],
  ["yaml yml", async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml as Parser],
  ["toml", async () => (await import("@codemirror/legacy-modes/mode/toml")).toml as Parser],
  [
    "ini properties cfg conf env dotenv",
    async () => (await import("@codemirror/legacy-modes/mode/properties")).properties as Parser,
  ],
  [
    "dockerfile docker containerfile",
    async () => (await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile as Parser,
  ],
  ["diff patch", async () => (await import("@codemirror/legacy-modes/mode/diff")).diff as Parser],
  ["lua", async () => (await import("@codemirror/legacy-modes/mode/lua")).lua as Parser],
  ["perl pl", async () => (await import("@codemirror/legacy-modes/mode/perl")).perl as Parser],
  ["powershell ps1 pwsh", async () => (await import("@codemirror/legacy-modes/mode/powershell")).powerShell as Parser],
  ["r", async () => (await import("@codemirror/legacy-modes/mode/r")).r as Parser],
  ["julia jl", async () => (await import("@codemirror/legacy-modes/mode/julia")).julia as Parser],
  ["haskell hs", async () => (await import("@codemirror/legacy-modes/mode/haskell")).haskell as Parser],
  ["ocaml ml", async () => (await mllike()).oCaml as Parser],
  ["fsharp fs f#", async () => (await mllike()).fSharp as Parser],
  ["elm", async () => (await import("@codemirror/legacy-modes/mode/elm")).elm as Parser],
  ["erlang erl", async () => (await import("@codemirror/legacy-modes/mode/erlang")).erlang as Parser],
  ["clojure clj cljs edn", async () => (await import("@codemirror/legacy-modes/mode/clojure")).clojure as Parser],
  ["scheme", async () => (await import("@codemirror/legacy-modes/mode/scheme")).scheme as Parser],
  [
    "lisp commonlisp elisp",
    async () => (await import("@codemirror/legacy-modes/mode/commonlisp")).commonLisp as Parser,
  ],
  ["groovy gradle", async () => (await import("@codemirror/legacy-modes/mode/groovy")).groovy as Parser],
  ["cmake", async () => (await import("@codemirror/legacy-modes/mode/cmake")).cmake as Parser],
  ["nginx", async () => (await import("@codemirror/legacy-modes/mode/nginx")).nginx as Parser],
  ["protobuf proto", async () => (await import("@codemirror/legacy-modes/mode/protobuf")).protobuf as Parser],
  ["tcl", async () => (await import("@codemirror/legacy-modes/mode/tcl")).tcl as Parser],
  ["verilog", async () => (await import("@codemirror/legacy-modes/mode/verilog")).verilog as Parser],
  ["vhdl", async () => (await import("@codemirror/legacy-modes/mode/vhdl")).vhdl as Parser],
  ["latex tex", async () => (await import("@codemirror/legacy-modes/mode/stex")).stex as Parser],
  ["asm gas s", async () => (await import("@codemirror/legacy-modes/mode/gas")).gas as Parser],
  ["wasm wat wast", async () => (await import("@codemirror/legacy-modes/mode/wast")).wast as Parser],
  ["d", async () => (await import("@codemirror/legacy-modes/mode/d")).d as Parser],
  ["crystal", async () => (await import("@codemirror/legacy-modes/mode/crystal")).crystal as Parser],
  ["fortran", async () => (await import("@codemirror/legacy-modes/mode/fortran")).fortran as Parser],
  ["pascal", async () => (await import("@codemirror/legacy-modes/mode/pascal")).pascal as Parser],
  ["vb vbnet", async () => (await import("@codemirror/legacy-modes/mode/vb")).vb as Parser],
]

/** Loaders of parsers by all names of their languages. */
export const parserLoaders: ReadonlyMap<string, Load> = new Map(
  languages.flatMap(([names, load]) => names.split(" ").map((name) => [name, load] as const)),
)
