/** Resources: skills, templates, themes, extensions, and what is wrong with them. */
export const resources: Readonly<Record<string, string>> = {
  // build/diagnostics.ts
  warning: "警告",
  "how {0} is shown": "{0} 的显示方式",
  nothing: "没有",
  collision: "重名",
  // skills
  "gong: {0}: {1} Left out; the rest works.": "gong: {0}：{1}已忽略，其余照常。",
  "-e {0}: there is no such file or folder.": "-e {0}：没有这样的文件或文件夹。",
  path: "指定",
  shipped: "自带",
  // commands/import
  "{0} ({1})": "{0}（{1}）",
  "Nothing was written (--dry-run).": "什么都没有写入。去掉 --dry-run 才会写入。",
  "would be imported": "将会接管",
  imported: "已接管",
  "already present": "已存在",
  "not imported": "未接管",
  rules: "规则",
  commands: "命令",
  agents: "代理",
  instructions: "说明",
  models: "模型",
  settings: "设置",
  "Gong does not know this model of {0}. {1}": "Gong 不知道 {0} 有这个名称的模型。{1}",
  "Did you mean gong config set model {0}/{1}": "也许是 gong config set model {0}/{1}",
  "gong models {0} lists them.": "gong models {0} 会列出。",
  // commands/demo
  "The test for applyDiscount fails. Find out why and fix it.": "applyDiscount 的测试失败了。找出原因并修好它。",
  "I'll look at the project first.": "我先看看这个项目。",
  "Now the tests, to see how it fails.": "现在运行测试，看看它怎样失败。",
  "I could not find the line that computes the discount, so I changed nothing.":
    "我没有找到计算折扣的那一行，所以什么都没有改。",
  "The test expects 1500 and the code says {0}: {1}.": "测试期望 1500，而代码写的是 {0}：{1}。",
  "it adds the discount instead of taking it off": "它加上了折扣，而不是减去",
  "it takes percent for a fraction": "它把百分数当成了小数",
  "it subtracts the percentage itself": "它直接减去了百分数",
  "it gives the discount, not the price after it": "它给出的是折扣，而不是折后的价格",
  "The tests still fail after the change.": "改动之后测试仍然失败。",
  "applyDiscount computed the wrong amount. It now takes the share of the price off; all {0} tests pass.":
    "applyDiscount 算错了金额。现在它减去价格的相应部分；{0} 个测试全部通过。",
  "{0} failing": "{0} 个失败",
  "{0} passing": "{0} 个通过",
  // commands/doctor.ts
  skills: "技能",
  themes: "配色",
  "{0}, templates {1}, instruction files {2} (gong skills list, gong config prompt)":
    "{0} 个，模板 {1} 个，说明文件 {2} 个（gong skills list、gong config prompt）",
  " (active)": "（已选用）",
  // themes
  "terminal colours: the name of a theme, or the absolute path of its file":
    "终端的颜色：配色的名称，或其文件的完整路径",
  'gong: there is no theme "{0}".{1} gong doctor lists all themes.':
    "gong: 没有配色“{0}”。{1}gong doctor 会列出已有的。",
  // copies of hooks' scripts
  "{0} changed since this folder was trusted; it is run as it was (gong trust shows it)":
    "{0} 在信任此文件夹之后有改动；仍按原样运行（gong trust 可查看）",
  "was deleted": "已被删除",
  "copies of its scripts are not supported on another host": "不为另一台主机保留其脚本的副本",
  "no copy of it can be stored in {0} ({1})": "无法在 {0} 保留它的副本（{1}）",
  "a key of the header is a list or a map. Write keys as plain words.":
    "文件头有一个键是列表或映射。请把键写成普通的词。",
  'the provider "{0}" is left out: {1}': "提供方“{0}”已忽略：{1}",
}
