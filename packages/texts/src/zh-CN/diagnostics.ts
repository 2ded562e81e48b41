/** Data about resources: what is wrong with skills, templates, themes, files of instructions, extensions, hooks and rules. */
export const diagnostics: Readonly<Record<string, string>> = {
  // skills and templates
  'the name "{0}" may hold only lower-case letters, digits and hyphens. Rename the skill.':
    "名称“{0}”只能含小写字母、数字和连字符。请给技能改名。",
  'the name "{0}" may not begin with a hyphen. Rename the skill.': "名称“{0}”不能以连字符开头。请给技能改名。",
  'the name "{0}" may not end with a hyphen. Rename the skill.': "名称“{0}”不能以连字符结尾。请给技能改名。",
  'the name "{0}" may not hold two hyphens in a row. Rename the skill.':
    "名称“{0}”不能有两个相连的连字符。请给技能改名。",
  'the name "{0}" has {1} characters; it may have {2}. Rename the skill.':
    "名称“{0}”有 {1} 个字符，最多 {2} 个。请给技能改名。",
  'the name "{0}" is not that of its place, "{1}". Make them the same.':
    "名称“{0}”与所在位置的名称“{1}”不同。请让两者一致。",
  "the description has {0} characters; only the first {1} are shown to the model. Shorten it.":
    "描述有 {0} 个字符，只有前 {1} 个会给模型看。请缩短。",
  "no header, so this is no skill. Give it one, or move it away.": "没有文件头，所以不是技能。请加上，或把文件移走。",
  "a skill needs a description: what it does and when to use it. Add `description: ...`.":
    "技能需要描述：做什么、何时用。请加上 `description: ...`。",
  "this is true or false. Write one of them.": "这里只能是 true 或 false。请写其中之一。",
  "the scope is task, session, or a number of replies. Write one of them.":
    "范围是 task、session 或回复的数量。请写其中之一。",
  'the {0} "{1}" is left out: {2} has this name. Rename one of them.':
    "{0}“{1}”已忽略：{2} 用了这个名称。请给其中一个改名。",
  "this link leads out of {0} and is not followed. Put the files there.":
    "这个链接指向 {0} 之外，不予跟随。请把文件放在里面。",
  "this link leads out of {0} and is not followed. Put the file there.":
    "这个链接指向 {0} 之外，不予跟随。请把文件放在里面。",
  "more than {0} skills or {1} folders, or deeper than {2}; the rest is left out. Point to smaller folders.":
    "技能超过 {0} 个，或文件夹超过 {1} 个，或深于 {2} 层；其余已忽略。请指向较小的文件夹。",
  "the header is no YAML at column {0}: {1}": "文件头不是 YAML（第 {0} 列）：{1}",
  'the parser says "{0}". Quote the value.': "解析器报告“{0}”。请给值加上引号。",
  "* and & begin names of YAML's own. Quote the value.": "* 和 & 是 YAML 自己的名称开头。请给值加上引号。",
  "* begins a name of YAML's own, and nothing may stand before it. Quote the value.":
    "* 是 YAML 自己的名称开头，前面不能有别的。请给值加上引号。",
  "a value can have one name (&...). Quote the value.": "一个值只能有一个名称（&...）。请给值加上引号。",
  "! begins a type that is not known. Quote the value.": "! 开头的是未知的类型。请给值加上引号。",
  "a value can have one type (!...). Quote the value.": "一个值只能有一个类型（!...）。请给值加上引号。",
  "names (&...) and types (!...) stand behind the sign, before the value. Quote the value.":
    "名称（&...）和类型（!...）应在符号之后、值之前。请给值加上引号。",
  "% begins an instruction to the parser. Quote the value.": "% 开头的是给解析器的指令。请给值加上引号。",
  "there is no such escape. Put the value into single quotes.": "没有这样的转义。请给值加上单引号。",
  "no value begins with this character. Quote the value.": "值不能以这个字符开头。请给值加上引号。",
  "a colon inside a value makes a second key of it. Quote the value.": "值里的冒号会被当成另一个键。请给值加上引号。",
  "this does not fit between brackets. Close them, or quote the value.":
    "括号里不能这样写。请关闭括号，或给值加上引号。",
  "this key stands here twice. Leave one of them out.": "这个键出现了两次。请去掉一个。",
  "this line is not indented as those around it. Indent them alike, or quote the value.":
    "这一行的缩进与周围不同。请统一缩进，或给值加上引号。",
  "a tab indents this line. Use blanks.": "这一行用制表符缩进。请改用空格。",
  "a quote, bracket, comma, colon or blank is missing. Add it, or quote the value.":
    "缺少引号、括号、逗号、冒号或空格。请补上，或给值加上引号。",
  "a key and its colon stand on one line. Add the colon, or quote the value.":
    "键和冒号要在同一行。请补上冒号，或给值加上引号。",
  "a key is longer than 1024 characters. Close its quote, or shorten it.": "键超过 1024 个字符。请关闭引号，或缩短它。",
  "this does not belong here. Remove it, or quote the value.": "这里不应有它。请去掉，或给值加上引号。",
  "the header has no end. Close it with a line of ---.": "文件头没有结束。请用一行 --- 结束它。",
  "the header has {0} characters; it may have {1}. Shorten it.": "文件头有 {0} 个字符，最多 {1} 个。请缩短。",
  "the header is no list of `key: value` lines. Write it as such.": "文件头不是 `key: value` 的行。请这样写。",
  "the header repeats itself too often. Write it without aliases.": "文件头重复太多。请不要用别名。",
  "{0} bytes; such a file may have {1}. Move parts to files beside it.":
    "{0} 字节；这样的文件最多 {1} 字节。请把一部分移到旁边的文件里。",
  "this is no regular file. Put a text file there.": "这不是普通文件。请放一个文本文件。",
  "cannot be read ({0}). Fix its permissions or move it away.": "无法读取（{0}）。请改正权限或把文件移走。",
  "a name with a blank cannot be typed. Rename the file.": "带空格的名称无法输入。请给文件改名。",
  "there is no text in this template. Write what it stands for.": "这个模板没有内容。请写上它代表的文字。",
  "{0}: arguments count from 1. Write $1, or $@ for all.": "{0}：参数从 1 数起。请写 $1，或用 $@ 表示全部。",
  "extensions of a folder on another host are not loaded.": "另一台主机上文件夹自带的扩展不会加载。",
  "this is gone.": "文件已不在。",
  'there is no skill "{0}". Did you mean /skill:{1}?': "没有技能“{0}”。是不是想写 /skill:{1}？",
  "there is no /{0}. Did you mean /{1}? Start with a blank to send it as a message.":
    "没有 /{0}。是不是想写 /{1}？前面加一个空格就作为消息发送。",
  'there is no skill "{0}". gong skills list names those that there are.':
    "没有技能“{0}”。gong skills list 会列出已有的。",
  "/{0} works in a conversation only. Start with a blank to send it as a message.":
    "/{0} 只能在对话里使用。前面加一个空格就作为消息发送。",
  "/{0} grows beyond {1} characters with these arguments. Give it less.":
    "/{0} 加上这些参数超过 {1} 个字符。请少给一些。",
  // themes
  "this is no regular file. Put a theme there, or move it away.": "这不是普通文件。请放一个配色文件，或把它移走。",
  "this has {0} bytes; a theme may have {1}.": "文件有 {0} 字节；配色最多 {1} 字节。",
  "this cannot be read ({0}). Fix its permissions, or move it away.": "无法读取（{0}）。请改正权限，或把文件移走。",
  "this is nested more than {0} levels deep. Fix it there, or move the file away.":
    "这里嵌套超过 {0} 层。请在那里改正，或把文件移走。",
  "this is no JSON: {0}. Fix it there, or move the file away.": "这不是 JSON：{0}。请在那里改正，或把文件移走。",
  'the colours on a light background are an object, as "colors" is.':
    '浅色背景下的颜色应是一个对象，和 "colors" 一样。',
  'a theme is an object, {"colors": {"match": "#ff8800"}}.': '配色是一个对象，{"colors": {"match": "#ff8800"}}。',
  'there is no "{0}" in a theme; it is left out.': "配色里没有“{0}”，已忽略。",
  'there is no "{0}" to colour. A theme colours {1}.': "没有“{0}”可以上色。配色可用于 {1}。",
  '{0} is no colour. Write "#ff8800", or one of {1}.': '{0} 不是颜色。请写 "#ff8800"，或以下之一：{1}。',
  // files of instructions
  "this file is long; only its first part is in the prompt. Shorten it.":
    "这个文件很长，只有开头部分放进提示词。请缩短。",
  "this file imports {0}, which is not a file for that; it is left out.":
    "这个文件引入 {0}，那不是可引入的文件，已忽略。",
  // extensions
  "this extension is left out: {0} has its name. Rename one of them.":
    "此扩展已忽略：{0} 用了它的名称。请给其中一个改名。",
  "this extension and {0} more are left out: {1} are the most. Remove some.":
    "此扩展和另外 {0} 个已忽略：最多 {1} 个。请移走一些。",
  "the command /{0} is left out: {1} has one of this name. Rename it.": "命令 /{0} 已忽略：{1} 有这个命令。请改名。",
  'the provider "{0}" is left out: there is one of this name. Rename it.': "提供方“{0}”已忽略：已有这个名称。请改名。",
  'the provider "{0}" is left out: this name is taken. Rename it.': "提供方“{0}”已忽略：这个名称已占用。请改名。",
  'the provider "{0}" is left out: extensions of a project bring none. Put it into ~/{1}/extensions, or name it with -e.':
    "提供方“{0}”已忽略：项目的扩展不能带来提供方。请放进 ~/{1}/extensions，或用 -e 指定。",
  'the provider "{0}" is left out: {1} {2}. Mend it there.': "提供方“{0}”已忽略：{1} {2}。请在那里改正。",
  'the provider "{0}" is left out: {1} holds the key of another provider. Name a variable of its own; for another address of that provider there is models.json.':
    "提供方“{0}”已忽略：{1} 保存着另一个提供方的密钥。请写它自己的变量；同一提供方的其他地址可写在 models.json。",
  "an extension names this, and there is no such file or folder.": "有扩展指定了它，但没有这个文件或文件夹。",
  "an extension of the folder names this; it may bring what is in {0}.":
    "文件夹里的扩展指定了它；扩展只能带来 {0} 里的东西。",
  // hooks
  '"hooks" must be an object, {"PreToolUse": [...]}.': '"hooks" 必须是对象，{"PreToolUse": [...]}。',
  '"{0}" must be a list, [{"matcher": "...", "hooks": [...]}].':
    '"{0}" 必须是列表，[{"matcher": "...", "hooks": [...]}]。',
  'each entry of "{0}" is {"matcher": "...", "hooks": [{"type": "command", "command": "..."}]}.':
    '"{0}" 的每一项是 {"matcher": "...", "hooks": [{"type": "command", "command": "..."}]}。',
  '"matcher" must be text such as "Bash" or "Edit|Write".': '"matcher" 必须是文字，如 "Bash" 或 "Edit|Write"。',
  '"matcher" is no regular expression: {0}.': '"matcher" 不是正则表达式：{0}。',
  '"matcher" is longer than {0} characters.': '"matcher" 超过 {0} 个字符。',
  '"matcher" must go without looking ahead, looking behind and back-references, whose time has no bound: {0}.':
    '"matcher" 不能使用前瞻、后顾和反向引用，因为它们的匹配时间没有上限：{0}。',
  "more than {0} hooks.": "钩子超过 {0} 个。",
  'a hook is {"type": "command", "command": "..."}.': '钩子写作 {"type": "command", "command": "..."}。',
  'only "type": "command" works in this version, not {0}.': '这个版本只支持 "type": "command"，不支持 {0}。',
  '"command" must be text.': '"command" 必须是文字。',
  '"if" does not work in this version; let the command look at tool_input itself.':
    '这个版本不支持 "if"；请让命令自己查看 tool_input。',
  '"timeout" must be seconds, up to {0}.': '"timeout" 必须是秒数，最多 {0}。',
  'there is no hook event "{0}" in this version; there are {1}.': "这个版本没有钩子事件“{0}”；有 {1}。",
  // what is not as it was trusted
  "this {0}; it is left out.": "该文件{0}，已忽略。",
  // rules and models
  '"{0}" is no rule. Write bash(git push *) or edit(src/**).': "“{0}”不是规则。请写 bash(git push *) 或 edit(src/**)。",
  '"{0}": write a host, as network(example.com), network(*.example.com) or network(db.example.com:5432).':
    "“{0}”：请写主机，例如 network(example.com)、network(*.example.com) 或 network(db.example.com:5432)。",
  '"{0}": there is no tool "{1}" ({2}).': "“{0}”：没有工具“{1}”（{2}）。",
  // JSON
  "invalid symbol": "无效的符号",
  "nested more than {0} levels deep": "嵌套超过 {0} 层",
  "property name expected": "此处应是属性名",
  "value expected": "此处应是值",
  "colon expected": "此处应是冒号",
  "comma expected": "此处应是逗号",
  "close brace expected": "此处应是右花括号",
  "close bracket expected": "此处应是右方括号",
  "end of file expected": "此处应是文件结尾",
  "unexpected end of string": "字符串没有结束",
  "unexpected end of number": "数字没有结束",
  "unexpected end of comment": "注释没有结束",
  "invalid escape character": "无效的转义字符",
  "invalid character": "无效的字符",
  "invalid number format": "无效的数字",
  "invalid unicode": "无效的 Unicode",
}
