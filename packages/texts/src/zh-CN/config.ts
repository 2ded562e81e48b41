/** Settings, files of configuration, and what is wrong with them; the choice of model, key, session and sandbox. */
export const config: Readonly<Record<string, string>> = {
  // config
  "{0}:1: the keys must be an object. {1}": "{0}:1: 密钥应是一个对象。{1}",
  '{0}: "{1}" has no key with an origin. {2}': "{0}: “{1}”没有带 origin 的密钥。{2}",
  'Write {"PROVIDER": {"key": "...", "origin": "https://..."}}, or "apiKeyCommand": ["PROGRAM", "ARGUMENT"] in place of the key, or move the file away.':
    '请写成 {"PROVIDER": {"key": "...", "origin": "https://..."}}，或用 "apiKeyCommand": ["PROGRAM", "ARGUMENT"] 代替密钥，或把文件移走。',
  "gong: {0} can be read by others (mode {1}). Restrict it: chmod 600 {2}":
    "gong: {0} 别人也能读（权限位 {1}）。请收紧：chmod 600 {2}",
  "--api-key is empty. Give a key, or - to read it from stdin.": "--api-key 是空的。请给出密钥，或用 - 从标准输入读。",
  "--api-key-env: the variable {0} is not set.": "--api-key-env：变量 {0} 没有设置。",
  "gong: cannot write to stdout: the disk is full ({0}). Free some space, or redirect the output.\n":
    "gong: 无法写入标准输出：磁盘已满（{0}）。请腾出空间，或重定向输出。\n",
  "gong: cannot write to stdout ({0}). Redirect the output.\n": "gong: 无法写入标准输出（{0}）。请重定向输出。\n",
  "the key from {0} contains blanks or other invalid characters.": "来自 {0} 的密钥含有空格或其他无效字符。",
  "cannot write to {0} ({1}). Set GONG_HOME to a writable folder, or use --no-session.":
    "无法写入 {0}（{1}）。请把 GONG_HOME 设为可写的文件夹，或用 --no-session。",
  "{0} Its hooks and rules are not active.": "{0}其中的钩子和规则都没有启用。",
  'gong: {0}: a deny rule is a text in a list, ["Bash(rm:*)"]; this one does not hold.':
    'gong：{0}：禁止规则是列表里的文字，如 ["Bash(rm:*)"]；这一条不生效。',
  "gong: {0}: the deny rule {1} does not hold: {2}": "gong：{0}：禁止规则 {1} 不生效：{2}",
  'gong: {0}:1: hooks must be in an object, {"hooks": {...}}.': 'gong: {0}:1: 钩子要写在对象里，{"hooks": {...}}。',
  "{0} is locked by another gong. If none is running, remove {1}":
    "{0} 被另一个 gong 锁定。如果没有 gong 在运行，请删除 {1}",
  "--{0} {1}: cannot read this file ({2}).": "--{0} {1}：无法读取此文件（{2}）。",
  "@{0}: no such file. To send the word itself, quote it together with the message.":
    "@{0}：没有这个文件。如果只是一个词，请把它和消息一起放进引号。",
  "{0} is not a regular file.": "{0} 不是普通文件。",
  "{0} has {1} bytes; the maximum for a file in the prompt is 64 MB.": "{0} 有 {1} 字节；提示词里的文件最多 64 MB。",
  "{0} is not an image in a supported format (PNG, JPEG, GIF, WebP).":
    "{0} 不是模型能接受的图片（PNG、JPEG、GIF、WebP）。",
  "{0}: cannot read this file ({1}).": "{0}：无法读取此文件（{1}）。",
  '"{0}" contains several models; only one is possible here.': "“{0}”写了几个模型；这里只能有一个。",
  '"{0}" is not a model. Write PROVIDER/ID, for example anthropic/claude-sonnet-4-5.':
    "“{0}”不是模型。请写 提供方/ID，如 anthropic/claude-sonnet-4-5。",
  '{0}:1: models.json must be an object, {"providers": {...}}.':
    '{0}:1: models.json 应是一个对象，{"providers": {...}}。',
  '{0}: there is no "{1}" in models.json.{2}': "{0}: models.json 里没有“{1}”这一项。{2}",
  '"{0}" cannot be set by a project. Without --project it is set for you.':
    "“{0}”不能由项目设置。去掉 --project 就设为你自己的。",
  'there is no setting "{0}".{1} gong config list shows all.': "没有设置“{0}”。{1}gong config list 列出全部。",
  '{0}: write {"FOLDER": ["bash(npm test)"]} or move the file away.':
    '{0}: 请写成 {"FOLDER": ["bash(npm test)"]}，或把文件移走。',
  "{0}:1: the settings must be an object, {...}. Fix it or move the file away.":
    "{0}:1: 设置应是一个对象，{...}。请改正，或把文件移走。",
  "{0} is not a regular file. Replace it by a text file or move it away.":
    "{0} 不是普通文件。请在那里放一个文本文件，或把它移走。",
  "{0} has {1} bytes; the maximum is {2}.": "{0} 有 {1} 字节；这种文件最多 {2} 字节。",
  "cannot read {0} ({1}). Fix its permissions or move it away.": "无法读取 {0}（{1}）。请改正它的权限，或把它移走。",
  "{0}:{1}: {2}. Fix it there or move the file away.": "{0}:{1}: {2}。请在那里改正，或把文件移走。",
  '"{0}" is ignored: keys belong in the environment or in auth.json.':
    "“{0}”已忽略：密钥应放在环境变量或 auth.json 里。",
  'unknown setting "{0}" is ignored.{1}': "没有设置“{0}”，已忽略。{1}",
  '"{0}" is ignored: a project cannot set it.': "“{0}”已忽略：项目不能设置它。",
  '--set: there is no setting "{0}".{1}': "--set：没有设置“{0}”。{1}",
  "on or off": "on 或 off",
  "a number from 0": "从 0 起的数",
  "a whole number from 0 to {0}": "0 到 {0} 的整数",
  "names of environment variables": "环境变量的名称",
  "true or false": "true 或 false",
  "a list of environment variable names": "环境变量名称的列表",
  'a list of rules such as "bash(npm test)"': '规则的列表，如 "bash(npm test)"',
  "a list of names and paths": "名称和路径的列表",
  'a list of keys such as "send=ctrl+s"': '按键的列表，如 "send=ctrl+s"',
  'sandbox.reveal: there is no secret "{0}".{1}': "sandbox.reveal：没有名为“{0}”的位置。{1}",
  'a time such as "15m"': '时间，如 "15m"',
  "{0}: {1}": "{0}：{1}",
  '{0}: "extensions" must be an object, {"NAME": {...}}.': '{0}："extensions" 是一个对象，{"NAME": {...}}。',
  "this session was started with --no-tools.": "这个会话以 --no-tools 开始。",
  "{0} did not end within {1} s": "{0} 在 {1} 秒内没有结束",
  "{0} failed: {1}": "{0} 失败：{1}",
  '{0}: "{1}" {2}.': "{0}：“{1}”{2}。",
  "must be {0}, not {1}.{2}": "必须是{0}，而不是 {1}。{2}",
  text: "文字",
  "a number": "数",
  "{0}:1: this must be an object, {...}. Fix it or move it away.":
    "{0}:1: 这里应是一个对象，{...}。请改正，或把它移走。",
  "gong: nothing on stdin for 3 s; going on without it (use </dev/null)":
    "gong: 标准输入 3 秒没有内容，不再等它（可用 </dev/null）",
  "gong: stdin is longer than 64 MB; the rest is left out": "gong: 标准输入超过 64 MB，其余部分略去",
  'no prompt. Try: gong -p "what does this repository do?"': '没有提示词。可以试试：gong -p "这个仓库是做什么的？"',
  "--tools {0} selects no tool. Use --no-tools to send none.": "--tools {0} 一个工具也不剩。不要工具请用 --no-tools。",
  'there is no tool "{0}".{1}': "没有工具“{0}”。{1}",
  " Available: {0}.": "可用：{0}。",
  "--cwd {0}: no such folder.": "--cwd {0}：没有这个文件夹。",
  "--cwd {0}: this folder is not accessible ({1}). Fix its permissions or choose another one.":
    "--cwd {0}：无法进入这个文件夹（{1}）。请修正其权限，或换一个。",
  "{0}:{1}: this is not JSON. Fix it there or move the file away.":
    "{0}:{1}：这不是 JSON。请在该处修正，或移走此文件。",
  "gong: {0} Until then no folder is trusted.": "gong: {0}在此之前不信任任何文件夹。",
  // what the disk refused
  "gong: {0}: {1} ({2}). {3}": "gong: {0}：{1}（{2}）。{3}",
  "permission denied": "没有权限",
  "the disk is full": "磁盘已满",
  "the disk quota is used up": "磁盘配额已用完",
  "the file system is read-only": "文件系统是只读的",
  "the disk reports an error": "磁盘报告了错误",
  "the file size limit is reached": "这里的文件不能再变大",
  "Raise the file size limit (ulimit -f).": "请提高文件大小的上限（ulimit -f）。",
  "too many open files": "打开的文件太多",
  "a part of this path is not a folder": "路径中有一部分不是文件夹",
  "its symbolic links form a loop": "链接成环",
  "Change its owner (chown), or move it away.": "请把它的所有权改回给自己（chown），或把它移走。",
  "Free some space there.": "请在那里腾出一些空间。",
  "Set GONG_HOME to a writable folder.": "请把 GONG_HOME 设为可写的文件夹。",
  "Check the system log, and back up your data.": "请查看系统日志，并把需要的内容复制出来。",
  "Raise the limit (ulimit -n) or close other programs.": "请提高上限（ulimit -n），或结束别的程序。",
  "Move that file away.": "请移走占着那个位置的文件。",
  "Remove one of them.": "请删除其中一个。",
  "--add-dir {0}: no such folder.": "--add-dir {0}：没有这个文件夹。",
  "gong: the git repository is {0}, which is too wide; the workspace is {1}.":
    "gong: git 仓库是 {0}，范围太大；工作区是 {1}。",
  // build
  "--fork {0}: not forked: {1}": "--fork {0}：没有分叉：{1}",
  "-o {0}: this is a folder. Name a file in it.": "-o {0}：这是文件夹。请写出其中的文件名。",
  "-o {0}: the disk is full ({1}). Free some space, or name another file.":
    "-o {0}：磁盘已满（{1}）。请腾出空间，或换一个文件。",
  "-o {0}: cannot write there ({1}).": "-o {0}：无法写入（{1}）。",
  "gong: ended job {0} ({1})": "gong: 结束了后台任务 {0}（{1}）",
  "stdin can hold the key or the prompt, not both.": "标准输入要么给密钥，要么给提示词，不能两者都给。",
  'stdin has no key. Pipe one: printf %s "$KEY" | {0}': '标准输入没有密钥。请这样给：printf %s "$KEY" | {0}',
  "{0} refused the key ({1}). It was not stored.": "{0} 拒绝了这个密钥（{1}），没有保存。",
  works: "可用",
  "could not be checked ({0})": "未能验证（{0}）",
  " The connection is not encrypted.": "发送途中没有加密。",
  "The key for {0} {1}. It is stored in {2}/auth.json and sent to {3} only.{4}":
    "{0} 的密钥{1}，已保存在 {2}/auth.json，只会发给 {3}。{4}",
  "apiKeyCommand in auth.json: {0} {1}": "auth.json 里的 apiKeyCommand：{0} {1}",
  "did not end within {0} s.": "{0} 秒内没有结束。",
  "cannot be run ({0}).": "无法运行（{0}）。",
  "failed ({0}){1}": "失败（{0}）{1}",
  "apiKeyCommand in auth.json: {0} printed no key.": "auth.json 里的 apiKeyCommand：{0} 没有输出密钥。",
  "--{0} {1}: there is no such file or folder.": "--{0} {1}：没有这个文件或文件夹。",
  "--max-cost needs prices; none are known for {0}. Use --max-tokens, or add its price to ~/{1}/models.json.":
    "--max-cost 需要价格，而 {0} 的价格未知。请用 --max-tokens，或在 ~/{1}/models.json 里写上价格。",
  "{0} The previous settings stay in effect.": "{0}之前的设置仍然有效。",
  "settings: {0} has changed.": "设置已更改：{0}。",
  "settings: {0} have changed.": "设置已更改：{0}。",
  "settings: {0} has changed for new sessions.": "设置已更改，对新会话生效：{0}。",
  "settings: {0} have changed for new sessions.": "设置已更改，对新会话生效：{0}。",
  "gong: no model is configured; using {0}, the only local model with tool calls":
    "gong: 没有配置模型；改用 {0}，它是这台机器上唯一会调用工具的模型",
  "  Or {0} ({1}): {2}": "  或 {0}（{1}）：{2}",
  "Ollama is not running on {0}. Start it: ollama serve": "{0} 上没有运行 Ollama。请启动：ollama serve",
  "Ollama on {0} has no model {1}. Get it: ollama pull {2}{3}":
    "{0} 上的 Ollama 没有模型 {1}。请获取：ollama pull {2}{3}",
  "{0} has no tool calls: Gong cannot work with it.{1}": "{0} 不会调用工具，Gong 无法使用它。{1}",
  "gong: Ollama loads {0}{1} ...": "gong: Ollama 正在加载 {0}{1} ……",
  "gong: This model runs with a {0} token window; Gong needs 16k. Start Ollama with OLLAMA_CONTEXT_LENGTH=32768.":
    "gong: 这个模型的窗口只有 {0} token；Gong 需要 16k。请用 OLLAMA_CONTEXT_LENGTH=32768 启动 Ollama。",
  " (with tools it has: {0})": "（会调用工具的有：{0}）",
  "{0}k context": "{0}k 窗口",
  "no tool calls: Gong cannot work with it": "不会调用工具，Gong 无法使用",
  "--base-url needs a model: gong --base-url URL -m MODEL ...": "--base-url 需要模型：gong --base-url URL -m 模型 ...",
  "no model is configured.": "没有配置模型。",
  "  Give a key:   export ANTHROPIC_API_KEY=...   (also OPENAI_API_KEY, GEMINI_API_KEY, DEEPSEEK_API_KEY, ... see gong models --keys)":
    "  给出密钥：export ANTHROPIC_API_KEY=...（还有 OPENAI_API_KEY、GEMINI_API_KEY、DEEPSEEK_API_KEY 等，见 gong models --keys）",
  '  Or an endpoint: gong --base-url http://127.0.0.1:11434/v1 -m MODEL "..."      Or look first: gong demo':
    '  或接口地址：gong --base-url http://127.0.0.1:11434/v1 -m 模型 "..."      或先看演示：gong demo',
  "no key for {0}. Give one: gong login {1}  or: export {2}=...":
    "没有 {0} 的密钥。请给出：gong login {1}，或 export {2}=...",
  "gong: {0} holds for this session only": "gong: {0} 只对本会话有效",
  '{0}: "{1}": there is no tool "{2}".{3}': "{0}: “{1}”：没有工具“{2}”。{3}",
  '{0}: "{1}" is no provider that Gong knows; give it a "baseUrl".': '{0}: Gong 不认识提供方“{1}”；请给它 "baseUrl"。',
  '{0}: "{1}": {2}': "{0}: “{1}”：{2}",
  '{0}: "{1}" cannot be the name of a provider.': "{0}: “{1}”不能作为提供方的名称。",
  // the network of commands
  "{0}, network by host": "{0}，按主机联网",
  "{0}, network open": "{0}，网络开放",
  "network of sandboxed commands; hosts: registries, remotes and permitted hosts":
    "受限制的命令能否访问网络；hosts：软件源、仓库的远程和放行的主机",
  "network of sandboxed commands; hosts: by host": "受限制的命令能访问什么；hosts：按主机放行",
  "--network {0} needs a sandbox: leave out --sandbox off.": "--network {0} 需要沙箱：请去掉 --sandbox off。",
  "{0} is not available here: {1} (gong doctor explains). --sandbox off runs without it.":
    "这里无法做到 {0}：{1}（详见 gong doctor）。--sandbox off 则不用沙箱。",
  "{0} Is {1} writable? --no-session runs without storing anything.":
    "{0} {1} 可以写入吗？--no-session 则什么也不保存。",
  '"{0}" matches {1} sessions: {2}. Give more of the id.': "“{0}”对应 {1} 个会话：{2}。请多给几位 id。",
  'there is no host "{0}" here.': "这里没有主机“{0}”。",
  "session {0} works on another host, so it can only be read here: {1}":
    "会话 {0} 在另一台主机上工作，在这里只能查看：{1}",
  "the session works on another host, {0}": "该会话在另一台主机 {0} 上工作",
  'there is no session "{0}".{1} gong sessions lists them.': "没有会话“{0}”。{1}gong sessions 列出会话。",
  "no session in {0} yet. gong sessions --all lists the others.":
    "{0} 里还没有会话。gong sessions --all 列出其他会话。",
  " --fork {0} starts a copy; gong attach {1} watches it.": "--fork {0} 另开一个副本；gong attach {1} 旁观它。",
  "session {0} is {1}.{2}": "会话 {0} {1}。{2}",
  "gong: {0} damaged line(s) in this session were kept and skipped; the first: {1} at byte {2}, {3}.":
    "gong: 此会话有 {0} 行已损坏，保留但跳过；第一处：{1} 的第 {2} 字节，{3}。",
  "gong: this session was interrupted during {0} tool call(s); the model is informed.":
    "gong: 此会话停在 {0} 次工具调用当中；会告诉模型。",
  "gong: a message from before the interruption was not sent: {0}": "gong: Gong 停止之前的一条消息没有发出：{0}",
  // config/settings/schema.ts
  "provider/id[:thinking]; after commas fallback models": "要用的 提供方/id[:思考级别]；逗号后面是后备模型",
  "the wire format of baseUrl": "baseUrl 的接口格式",
  "allowed without a question, like --allow": "这些永远不问，同 --allow",
  "always refused, like --deny": "这些永远不做，同 --deny",
  "language of texts for the user; auto: that of the locale": "Gong 用的语言；auto：随系统区域设置",
  "keys in place of those of an action, ACTION=KEY,KEY (docs/terminal.md)":
    "代替某个操作原有按键的按键，ACTION=KEY,KEY（docs/terminal.md）",
  "a command whose first line of output is the status row (docs/terminal.md)":
    "一条命令，其输出的第一行就是状态行（docs/terminal.md）",
  "images of messages and results are drawn where the terminal can (docs/terminal.md)":
    "终端支持时显示消息和结果中的图片（docs/terminal.md）",
  "the terminal shows characters of ambiguous width, such as · and …, two columns wide":
    "终端把 · 和 … 等宽度不定的字符显示为两列宽",
  "keys of vi in the input (docs/terminal.md)": "输入框使用 vi 按键（docs/terminal.md）",
  "the title of the terminal's window names the folder, and shows whether a run works":
    "终端窗口的标题显示文件夹名，以及是否正在运行",
  "a notification when a run of 10 s or more has ended, or a question waits, and the terminal is not in front":
    "运行了 10 秒以上后结束，或有问题等待回答，而终端不在前台时，发出通知",
  "a conversation with an input that stays below, or line by line (docs/terminal.md)":
    "对话：输入框固定在下方，或逐行显示（docs/terminal.md）",
  "seconds after which an open question for permission counts as a no, and a question of the tool ask as unanswered":
    "权限询问无人回答时，多少秒后算作“否”，工具 ask 的提问则算作没有回答",
  "places of keys that sandboxed commands can read: names in docs/permissions.md, or paths":
    "受限命令仍可看到的存放密钥的位置：docs/permissions.md 中的名称，或路径",
  "sandbox for commands; default: by the level, if available": "用什么限制命令；否则由权限级别决定",
  "tools for the model, like --tools": "给模型哪些工具，同 --tools",
  "folders that read, grep, find and ls may access": "read、grep、find、ls 可以看哪里",
  "write refuses once to replace a file that the session has not seen": "会话没看过的文件，write 第一次拒绝覆盖",
  "withheld variables that are passed on to commands": "命令可以看到的、原本隐去的变量",
  "variables that are withheld from commands": "命令不可以看到的变量",
  "seconds for a command without its own timeout": "没有自带时限的命令可用的秒数",
  "after bash.timeout a command continues as a job; false: it is killed":
    "超过 bash.timeout 后命令转为后台任务；false：直接结束",
  "maximum seconds of one scan for changes by a command": "查看命令改了什么，每次最多用的秒数",
  "no image is sent to a model; a text replaces it": "不给模型发图片；用一句话说明有过图片",
  "maximum bytes of one image in a request; larger ones are scaled down": "发出的单张图片的字节数；更大的会缩小",
  "model of the tool task, PROVIDER/ID like -m; default: the session's model":
    "工具 task 用的 提供方/ID，同 -m；否则用会话的模型",
  "model replies in one task": "一次任务的模型回复数",
  "US dollars in one task": "一次任务的费用（美元）",
  "tokens in one task": "一次任务的 token 数",
  "time for one task, such as 15m": "一次任务的时间，如 15m",
  "model replies in one run": "一次运行的模型回复数",
  "US dollars in one run": "一次运行的费用（美元）",
  "tokens in one run": "一次运行的 token 数",
  "time for one run, such as 15m": "一次运行的时间，如 15m",
  "messages sent during a run: all at once, or one per turn": "运行中插话：等待的一次全部送入，或每轮一条",
  "messages for the end of a run: one after the other, or all at once": "运行后发送的消息：一条接一条，或一次全部",
  "AGENTS.md and CLAUDE.md are read": "读取 AGENTS.md 与 CLAUDE.md",
  "skills in the usual locations are loaded": "在通常的位置查找技能",
  "timeout in seconds for the first event of a reply; default: by model and address":
    "等待回复第一个事件的秒数；否则随模型与位置而定",
  "timeout in seconds between two events of a reply; default: 30, at private addresses 120":
    "回复的两个事件之间的超时秒数；默认 30，私有地址 120",
  "requests to servers on this machine use the proxy too": "访问本机服务也经过代理",
  "certificate authorities of the system are trusted too": "除 Node 自带的之外，也信任系统的证书颁发机构",
  "timeout in milliseconds of the search for model servers on this machine, if no model is configured":
    "没有配置模型时，等待本机模型服务回应的毫秒数",
  "requests and replies are stored with the session, for `gong sessions replay`":
    "把请求与回应存在会话旁边，供 `gong sessions replay` 使用",
  "retries of a request after a temporary failure, 0 to 10": "途中失败的请求重试几次，0 到 10",
  "milliseconds before the first retry; doubled for each further one, at most 8 s":
    "第一次重试之前的毫秒数；之后每次加倍，最多 8 秒",
  "long conversations are compacted automatically": "会话超出模型窗口时自动压缩",
  "model for summaries, PROVIDER/ID like -m; default: the session's model":
    "写摘要的 提供方/ID，同 -m；否则用会话的模型",
  "tokens of the context window that stay free; at most a quarter of it": "窗口中保留不用的 token 数；最多四分之一",
  "tokens of the newest messages that a compaction keeps; at most a quarter of the context window":
    "压缩时保留的最新消息的 token 数；最多窗口的四分之一",
  "an extension, or a folder of them": "一个扩展，或扩展文件夹",
  "no extensions except those of -e": "除 -e 之外不用扩展",
}
