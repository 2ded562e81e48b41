/** How the words of one program must look so that it only reads. */
export interface Reader {
  /** A word that makes it write, run something, follow links or never end. */
  readonly refuses?: RegExp
  /** All that may stand behind a dash; where a program has many ways to write, naming those that read is surer. */
  readonly options?: RegExp
  /** How many words without a dash it may have; a further one would be written to, or set something. */
  readonly operands?: number
  /** What its first word without a dash must look like: a program, and no file. */
  readonly script?: RegExp
  /** Its first word without a dash is a pattern, and no file, but where an option like this gives the pattern. */
  readonly pattern?: RegExp
  /** Its words are repeated or looked at as text: none of them is a file whose content it shows. */
  readonly text?: true
  /** Shows names and numbers only: with file patterns a link among the files could not give away what it leads to. */
  readonly globs?: true
  /** Looks at whole trees. */
  readonly recursive?: true
  /** A word with which it follows the links in them: whether one leads out is for the caller to say. */
  readonly follows?: RegExp
  /** A variable of the environment that makes it run something. */
  readonly unless?: RegExp
  /** The shell's own: nothing that lies in a folder can take its place. */
  readonly builtin?: true
}

const grep: Reader = {
  recursive: true,
  pattern: /^-[^-]*[ef]|^--[rf]/,
  // -f reads what nobody sees, -D reads devices.
  refuses: /^--(?:f|de(?!r))|^-[^-]*[fD]/,
  follows: /^--der|^-[^-]*R/,
}

/** Addresses with p, d, q or =, and one plain substitution: the commands that write, read and run are none of these. */
const sedScript =
  /^(?:(?:(?:\d+|\$|\/[^/\\\n]*\/)(?:,(?:\+?\d+|\$))?[pdq=];? ?)+|s([/|#,])[\w .:*^$-]*\1[\w .:-]*\1[gpI\d]{0,3})$/

const findTests =
  "name|iname|path|ipath|wholename|type|maxdepth|mindepth|size|mtime|mmin|ctime|cmin|newer\\w*|not|o|or|a|and|print|print0|printf|ls|empty|prune|perm|user|group|regex|iregex|regextype|depth|xdev|mount|readable|writable|executable|P|[ugoa]*\\+[rwxst]+|\\d+[kMGcwb]?"

/** Programs that people use to look around. What is not here is asked about: a wrong row costs a file, a missing one a question. */
export const readers: Readonly<Record<string, Reader>> = {
  ls: { globs: true },
  wc: { globs: true, refuses: /^--f/ },
  echo: { globs: true, text: true, builtin: true },
  pwd: { builtin: true },
  true: { builtin: true },
  false: { builtin: true },
  cat: {},
  head: {},
  tail: { refuses: /^-[^-]*[fF]|^--[frp]/ },
  // Into a pipe it shows everything and waits for nobody. Some systems have less under this name.
  more: { options: /^-(?:[cdelpsu]+|\d+)$/, unless: /^(?:LESS|MORE)/ },
  nl: {},
  tac: {},
  cut: {},
  tr: { text: true },
  rev: {},
  fold: {},
  column: {},
  comm: {},
  paste: {},
  od: { refuses: /^--t/ },
  // -o writes where it is not GNU's.
  base64: { options: /^-(?:[dDi]+|w\d*|-decode|-ignore-garbage|-wrap(?:=\d+)?)$/ },
  md5sum: {},
  sha1sum: {},
  sha256sum: {},
  cmp: {},
  diff: {
    recursive: true,
    options: /^-(?:[uyrqsbBwiaENdt]+|[UCW]\d+|-unified(?:=\d+)?|-brief|-side-by-side|-color(?:=\w+)?|-recursive)$/,
  },
  uniq: { operands: 1, options: /^-(?:[cdDiuz]+|[fsw]\d+|-count|-repeated|-unique|-ignore-case)$/ },
  // What does not fit into memory goes into its own temporary files.
  sort: {
    options:
      /^-(?:[bdfghiMnrRsuVzcC]*(?:[kt].*)?|-(?:reverse|numeric-sort|human-numeric-sort|version-sort|unique|stable|ignore-case|key=.*|field-separator=.*))$/,
  },
  // -z runs decompressors, -L follows links, the long ones run what they name or read it as patterns.
  rg: {
    recursive: true,
    pattern: /^-[^-]*[ef]|^--(?:regexp|file|type-list)/,
    refuses: /^--(?:pre|hostname-bin|search-zip|follow|file(?:=|$))|^-[^-]*[zfL]/,
  },
  grep,
  egrep: grep,
  fgrep: grep,
  find: { recursive: true, options: new RegExp(`^-(?:${findTests})$`) },
  sed: { script: sedScript, options: /^-(?:[nErs]+|-quiet|-silent|-regexp-extended)$/ },
  jq: {
    script: /^(?![^]*(?:import|include|env|ENV|input_filename|input_line))/,
    options: /^-(?:[rcMCSsenja]+|-(?:raw-output|compact-output|slurp|exit-status|null-input|sort-keys|tab))$/,
  },
  stat: { globs: true },
  file: { options: /^-(?:[bihr]+|-brief|-mime|-mime-type|-mime-encoding)$/ },
  du: { globs: true, refuses: /^--(?:f|exclude-)|^-[^-]*[XL]/ },
  df: { globs: true },
  tree: { options: /^-(?:[adfhspDFgiL]+|I|-dirsfirst|-gitignore|-noreport|-du)$/ },
  basename: { text: true },
  dirname: { text: true },
  realpath: {},
  readlink: {},
  which: { text: true },
  type: { text: true, builtin: true },
  // Names only. -B, -M and -S would search other folders.
  whereis: { text: true, options: /^-[bmslu]+$/ },
  whoami: {},
  id: { text: true },
  uname: {},
  nproc: {},
  date: {
    text: true,
    options: /^-(?:[uR]|I\w*|-utc|-universal|-iso-8601(?:=\w+)?|-rfc-3339=\w+|-date=.*)$/,
    script: /^\+/,
    operands: 1,
  },
  expr: { text: true },
  numfmt: { text: true },
  // Up to eight digits come to an end.
  seq: { text: true, refuses: /inf|nan|\d{9}|\d[ep]|^0x/i },
  // -v names a variable, and %n as well: what such a name holds in brackets is run.
  printf: { text: true, builtin: true, refuses: /^-|%[^a-zA-Z%]*[hlLqjzt]*n/ },
  test: { builtin: true, options: /^-(?:[bcdefghknprsuwxzLNSOGao]|nt|ot|ef|eq|ne|lt|le|gt|ge)$/ },
  "[": { builtin: true, options: /^-(?:[bcdefghknprsuwxzLNSOGao]|nt|ot|ef|eq|ne|lt|le|gt|ge)$/ },
}
