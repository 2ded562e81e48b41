/** Constraints on the words of a program under which it only reads. */
export interface ReadOnlyCommand {
  /** Words with which it writes, runs something, follows links or never ends. */
  readonly refuses?: RegExp
  /** Permitted options, for programs with many ways to write. */
  readonly options?: RegExp
  /** Maximum number of words without a dash; one more would be an output file or a setting. */
  readonly operands?: number
  /** Required form of its first word without a dash: a script, not a file. */
  readonly script?: RegExp
  /** Its first word without a dash is a pattern and not a file, unless an option like this gives the pattern. */
  readonly pattern?: RegExp
  /** Its words are used as text: none is a file whose content it shows. */
  readonly text?: true
  /** Shows names and numbers only, so file patterns cannot reveal the target of a link. */
  readonly globs?: true
  /** Reads whole trees. */
  readonly recursive?: true
  /** Words with which it follows links in them; the caller checks whether one leads outside. */
  readonly follows?: RegExp
  /** An environment variable that makes it run something. */
  readonly unless?: RegExp
  /** A shell builtin, which no file can replace. */
  readonly builtin?: true
}

const grep: ReadOnlyCommand = {
  recursive: true,
  pattern: /^-[^-]*[ef]|^--[rf]/,
  // -f reads a pattern file, -D reads devices.
  refuses: /^--(?:f|de(?!r))|^-[^-]*[fD]/,
  follows: /^--der|^-[^-]*R/,
}

/** Addresses with p, d, q or =, and one plain substitution, without commands that write, read or run. */
const sedScript =
  /^(?:(?:(?:\d+|\$|\/[^/\\\n]*\/)(?:,(?:\+?\d+|\$))?[pdq=];? ?)+|s([/|#,])[\w .:*^$-]*\1[\w .:-]*\1[gpI\d]{0,3})$/

const findTests =
  "name|iname|path|ipath|wholename|type|maxdepth|mindepth|size|mtime|mmin|ctime|cmin|newer\\w*|not|o|or|a|and|print|print0|printf|ls|empty|prune|perm|user|group|regex|iregex|regextype|depth|xdev|mount|readable|writable|executable|P|[ugoa]*\\+[rwxst]+|\\d+[kMGcwb]?"

/** Common read-only programs. Others need approval: a wrong row may cost a file, a missing one costs a question. */
export const readOnlyCommands: Readonly<Record<string, ReadOnlyCommand>> = {
  ls: { globs: true },
  wc: { globs: true, refuses: /^--f/ },
  echo: { globs: true, text: true, builtin: true },
  pwd: { builtin: true },
  true: { builtin: true },
  false: { builtin: true },
  cat: {},
  head: {},
  tail: { refuses: /^-[^-]*[fF]|^--[frp]/ },
  // In a pipe it prints everything without waiting. Some systems have less under this name.
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
  // -o writes in non-GNU versions.
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
  // Data beyond its memory goes into its own temporary files.
  sort: {
    options:
      /^-(?:[bdfghiMnrRsuVzcC]*(?:[kt].*)?|-(?:reverse|numeric-sort|human-numeric-sort|version-sort|unique|stable|ignore-case|key=.*|field-separator=.*))$/,
  },
  // -z runs decompressors, -L follows links, the long ones run programs or read pattern files.
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
  // Up to eight digits terminate in time.
  seq: { text: true, refuses: /inf|nan|\d{9}|\d[ep]|^0x/i },
  // -v and %n name a variable, and a subscript in such a name is executed.
  printf: { text: true, builtin: true, refuses: /^-|%[^a-zA-Z%]*[hlLqjzt]*n/ },
  test: { builtin: true, options: /^-(?:[bcdefghknprsuwxzLNSOGao]|nt|ot|ef|eq|ne|lt|le|gt|ge)$/ },
  "[": { builtin: true, options: /^-(?:[bcdefghknprsuwxzLNSOGao]|nt|ot|ef|eq|ne|lt|le|gt|ge)$/ },
}
