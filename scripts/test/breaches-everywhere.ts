/** One planted breach: a file that must be refused, and the rule of the linter that refuses it. */
export interface Breach {
  readonly boundary: string
  readonly file: string
  readonly text: string
  readonly rule: string
}

/** Rules for every file. */
export function everywhere(): Breach[] {
  const file = (name: string, text: string, rule: string): Breach => ({
    boundary: name,
    file: `packages/loop/src/${name}.ts`,
    text,
    rule: `typescript(${rule})`,
  })
  const union = `type K = "a" | "b"\nexport function f(k: K): void {\n  switch (k) {\n    case "a":\n      break\n  }\n}\n`
  return [
    file("floating-promise", `export function f(p: Promise<void>): void {\n  p\n}\n`, "no-floating-promises"),
    file("void-promise", `export function f(p: Promise<void>): void {\n  void p\n}\n`, "no-floating-promises"),
    file(
      "misused-promise",
      `export function f(p: () => Promise<boolean>): number {\n  return p() ? 1 : 2\n}\n`,
      "no-misused-promises",
    ),
    file(
      "async-callback",
      `export function f(p: number[]): void {\n  p.forEach(async () => {})\n}\n`,
      "no-misused-promises",
    ),
    file("open-switch", union, "switch-exhaustiveness-check"),
    file("any", `export const x: any = 1\n`, "no-explicit-any"),
    file("as-any", `export const x = (1 as any) as string\n`, "no-explicit-any"),
    file("ts-ignore", `// @ts-ignore\nexport const x: string = 1\n`, "ban-ts-comment"),
    file("ts-expect-error", `// @ts-expect-error because\nexport const x: string = 1\n`, "ban-ts-comment"),
    file("type-import", `import { Message } from "@gong/spec"\nexport type M = Message\n`, "consistent-type-imports"),
    file("non-null", `export const f = (x: string | undefined): string => x!\n`, "no-non-null-assertion"),
    file("thrown-text", `export function f(): never {\n  throw "no"\n}\n`, "only-throw-error"),
    { ...file("default", `export default 1\n`, ""), rule: "import(no-default-export)" },
  ]
}
