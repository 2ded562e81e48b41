import type { Rng } from "@gong/testing/sim/rng"

/** Scripts that delete folders, and reach their names in the ways that a shell has. */
export function deletingScript(rng: Rng): string {
  const count = 1 + rng.int(4)
  const before = Array.from({ length: count }, () => statement(rng, 2))
  return [...before, deletion(rng)].join(rng.pick(["; ", "\n", " && ", "; "]))
}

type List<T> = [T, ...T[]]

const names: List<string> = ["X", "Y", "Z"]
const values: List<string> = [
  ...(["build", "dist", "src/a", "$TMPDIR/t", "'a b'", "build/*", "./build", "build dist", "''"] as const),
  ...([
    "~",
    "$HOME",
    '"$HOME"',
    "/",
    "$PWD",
    ".",
    "..",
    "*",
    "~/*",
    "./*",
    "$UNSET",
    "~+",
    "/home",
    "${HOME%/*}",
  ] as const),
]

function word(rng: Rng): string {
  const name = rng.pick(names)
  return rng.pick<() => string>([
    () => rng.pick(values),
    () => rng.pick(values),
    () => `$${name}`,
    () => `"$${name}"`,
    () => `\${${name}}`,
    () => `"\${${name}}"/`,
    () => `$${name}/*`,
    () => `\${${name}:-${rng.pick(values)}}`,
    () => `"\${${name}:=${rng.pick(values)}}"`,
    () => `\${${name}:+${rng.pick(values)}}`,
    () => `\${${name}:?}`,
    () => `\${${name}%/*}`,
    () => `\${${name}##*/}`,
    () => `\${${name}[0]}`,
    () => `"\${${name}[@]}"`,
    () => `\${!${name}}`,
    () => `$(echo ${rng.pick(values)})`,
    () => `"$(printf %s $${name})"`,
    () => `$(cd ${rng.pick(["build", "~", "..", "/", '"$HOME"'])} && pwd)`,
    () => `\`echo $${name}\``,
    () => `$(dirname ${rng.pick(values)})`,
    () => `{${rng.pick(values)},$${name}}`,
    () => `build/$${name}`,
    () => `$${name}$${rng.pick(names)}`,
    () => `"$1"`,
    () => `$@`,
    () => `$'${rng.pick(["/home", "build", "\\x2f"])}'`,
  ])()
}

function statement(rng: Rng, depth: number): string {
  const name = rng.pick(names)
  const inner = (): string => (depth === 0 ? `${rng.pick(names)}=${rng.pick(values)}` : statement(rng, depth - 1))
  return rng.pick<() => string>([
    () => `${name}=${word(rng)}`,
    () => `${name}=${rng.pick(values)}`,
    () => `${name}+=${rng.pick(["/x", "u", "''"])}`,
    () => `export ${name}=${word(rng)}`,
    () => `${name}=(${word(rng)} ${word(rng)})`,
    () => `cd ${rng.pick(values)}`,
    () => `cd ${word(rng)}`,
    () => `for ${name} in ${word(rng)} ${word(rng)}; do ${inner()}; done`,
    () => `if ${rng.pick(["true", "false"])}; then ${inner()}; else ${inner()}; fi`,
    () => `${rng.pick(["true", "false"])} ${rng.pick(["&&", "||"])} ${inner()}`,
    () => `{ ${inner()}; }`,
    () => `( ${inner()} )`,
    () => `set -- ${word(rng)} ${word(rng)}`,
    () => `read -r ${name} <<< ${word(rng)}`,
    () => `f() { ${inner()}; }; f ${word(rng)}`,
    () => `eval ${inner()}`,
    () => `unset ${name}`,
    () => `case a in ${rng.pick(["a", "b"])}) ${inner()};; esac`,
    () => `echo ${word(rng)} | while read ${name}; do ${deletion(rng)}; done`,
    () => `printf -v ${name} %s ${word(rng)}`,
    () => `local ${name}=${word(rng)} 2>/dev/null`,
  ])()
}

function deletion(rng: Rng): string {
  const target = word(rng)
  return rng.pick<() => string>([
    () => `rm -rf ${target}`,
    () => `rm -rf -- ${target} build`,
    () => `rm ${target} -r`,
    () => `rm -rf ${target}`,
    () => `F=-rf; rm $F ${target}`,
    () => `D=${target}; rm -rf "$D"`,
    () => `for d in ${target} ${word(rng)}; do rm -rf $d; done`,
    () => `echo ${target} | xargs rm -rf`,
    () => `ls -d ${target} | xargs -I{} rm -rf {}`,
    () => `bash -c 'rm -rf "$1"' _ ${target}`,
    () => `bash -c "rm -rf ${target.replaceAll('"', "")}"`,
    () => `export X Y Z; bash -c 'rm -rf ${target.replaceAll("'", "")}'`,
    () => `eval "rm -rf ${target.replaceAll('"', "")}"`,
    () => `sh <<E\nrm -rf ${target}\nE`,
    () => `f() { rm -rf "$1"; }; f ${target}`,
    () => `env A=1 timeout 5 nohup rm -rf ${target}`,
    () => `(cd ${target} && rm -rf *)`,
    () => `cd ${target}; rm -rf ./*`,
    () => `find ${target} -maxdepth 1 -exec rm -rf {} +`,
    () => `a=(-rf ${target}); rm "\${a[@]}"`,
    () => `while read -r d; do rm -rf "$d"; done < <(echo ${target})`,
  ])()
}
