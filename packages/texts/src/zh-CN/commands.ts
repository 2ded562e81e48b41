/** What the commands of the command line say. */
export const commands: Readonly<Record<string, string>> = {
  // attach, auth, config, login, permissions, rpc
  "--output {0} does not work with {1}; --json is for programs.": "--output {0} 不能用于 {1}；供程序使用的是 --json。",
  "--output {0} does not work with {1}.": "--output {0} 不能用于 {1}。",
  '--output json does not work with "gong attach"; text and events do.':
    '--output json 不能用于 "gong attach"；text 和 events 可以。',
  "session {0} is not open in another gong. gong sessions show {1} shows it; gong --session {2} continues it.":
    "没有 gong 打开着会话 {0}。gong sessions show {1} 可查看；gong --session {2} 可继续。",
  "gong: the gong with session {0} (pid {1}) has exited.\n": "gong: 打开会话 {0} 的 gong（进程 {1}）已经结束。\n",
  "No key. Give one: gong login, or export ANTHROPIC_API_KEY=...\n":
    "没有密钥。请给出：gong login，或 export ANTHROPIC_API_KEY=...\n",
  "every provider": "所用的那一家",
  any: "任意",
  "for {0}": "发给 {0}",
  "not used: {0}": "没有用到：{0}",
  "{0} ({1}, not used: {2})": "{0}（{1}，没有用到：{2}）",
  "not used: another key has precedence": "没有用到：另一个优先",
  "No key of {0} is stored in {1}/auth.json.\n{2}": "{1}/auth.json 里没有 {0} 的密钥。\n{2}",
  " for {0}": "（{0}）",
  "The key of {0}{1} was removed; it stays valid until it is revoked.\n{2}":
    "{0} 的密钥{1}已删除；在其主人吊销之前，密钥本身仍然有效。\n{2}",
  "auth.json contains no key.": "auth.json 里没有密钥。",
  "which one? gong auth logout {0}": "哪一个？gong auth logout {0}",
  "{0} still contains one.\n": "{0} 仍提供一个密钥。\n",
  "--project works only with gong config set and unset, not with {0}.":
    "--project 用于 gong config set 和 unset；{0} 显示实际生效的设置。",
  "{0} is not set in {1}.": "{1} 里没有设置 {0}。",
  "{0} is {1} in {2}.": "{2} 里的 {0} 现在是 {1}。",
  " Here {0} has precedence{1}": "这里以 {0} 为准{1}",
  ", and the folder is not trusted (gong trust).": "，而且此文件夹尚未信任（gong trust）。",
  "Key{0} (not shown): ": "密钥{0}（不显示）：",
  "gong: {0} has precedence; unset it to use this key.": "gong: {0} 优先于它；取消该变量才会用这个密钥。",
  "an endpoint of your own needs its address: gong login --base-url URL":
    "自己的接口需要地址：gong login --base-url URL",
  "{0} needs no key.": "{0} 不需要密钥。",
  'no provider "{0}".{1} There are {2}; for another: gong login --base-url URL':
    "没有提供方“{0}”。{1}可选 {2}；其他接口：gong login --base-url URL",
  "the provider of this key is not recognized. Name it: gong login PROVIDER":
    "从密钥看不出是哪一家的。请写出提供方：gong login 提供方",
  "this looks like a key of {0}, not of {1}; it was not sent. Use gong login {2}.":
    "这像是 {0} 的密钥，不是 {1} 的，没有发出。请用 gong login {2}。",
  "no key was given; nothing was stored.": "没有给出密钥，什么也没有保存。",
  "the terminal": "终端",
  stdin: "标准输入",
  'no rule "{0}" is stored for {1}. {2}': "{1} 没有保存规则“{0}”。{2}",
  "{0} is removed: {1} asks again.\n": "已删除 {0}：在 {1} 里会重新询问。\n",
  "No allow rules are stored.\n": "没有保存的允许规则。\n",
  "None is stored.": "一条也没有。",
  "Stored: {0}": "已保存：{0}",
  "No allow rules are stored for {0}.\n": "{0} 没有保存的允许规则。\n",
  "--api-key - cannot be used with gong rpc: stdin belongs to the client.":
    "--api-key - 不能用于 gong rpc：标准输入属于客户端。",
  "gong: the client did not read the last {0} bytes; exiting\n": "gong: 客户端有 {0} 字节没有读取，已离开\n",
  // demo
  "Gong demo. The model is scripted (no key, no network); session, tools and files are real.\n":
    "Gong 演示。模型按剧本回答（不用密钥，不用网络）；会话、工具和文件都是真的。\n",
  "Project: {0}  (3 files, 1 failing test)\n\n> {1}\n\n": "项目：{0}（3 个文件，1 个失败的测试）\n\n> {1}\n\n",
  "\n{0} · {1} tool calls · scripted model, $0.00\n": "\n{0} · {1} 次工具调用 · 剧本模型，$0.00\n",
  "Changes: git -C {0} diff": "改动：git -C {0} diff",
  "Session: {0} sessions show {1}        (every step, also after a crash)":
    "会话：{0} sessions show {1}        （每一步都在，崩溃后也在）",
  "Undo:    {0} undo --session {1}": "撤销：{0} undo --session {1}",
  "Now with a real model, in your own repository:": "接下来在你自己的仓库里用真正的模型：",
  '  export ANTHROPIC_API_KEY=sk-ant-...   then: {0} "what does this repository do?"':
    '  export ANTHROPIC_API_KEY=sk-ant-...   然后：{0} "这个仓库是做什么的？"',
  '  or without a key, with Ollama:        {0} -m ollama/qwen3-coder "what does this repository do?"':
    '  或不用密钥，用 Ollama：               {0} -m ollama/qwen3-coder "这个仓库是做什么的？"',
  // doctor
  "{0} on {1}": "{0}，{1}",
  "not found: grep and find will not work. Run npm ci again.": "没有找到：grep 和 find 无法使用。请重新运行 npm ci。",
  images: "图片",
  home: "主文件夹",
  caches: "缓存",
  "none: {0}. Each start takes longer, and packages are fetched again.":
    "不保留：{0}。每次启动都会慢一些，软件包也要重新下载。",
  "{0}; of package managers in the sandbox: {1} MB, workspaces {2}":
    "{0}；沙箱里软件包管理器的缓存：{1} MB，工作区 {2} 个",
  "{0} cannot be used ({1})": "{0} 无法使用（{1}）",
  "{0} is not a folder": "{0} 不是文件夹",
  "{0} belongs to another user": "{0} 属于另一个用户",
  "others can write to {0} (chmod go-w)": "其他用户可以写入 {0}（chmod go-w）",
  sessions: "会话",
  "{0} in {1}/sessions": "{0} 个，在 {1}/sessions",
  workspace: "工作区",
  " (no git repository)": "（不是 git 仓库）",
  trusted: "信任",
  "yes: active content of this folder is loaded": "是：加载此文件夹自带的内容",
  "no: active content of this folder is not loaded": "否：不加载此文件夹自带的内容",
  hooks: "钩子",
  sandbox: "沙箱",
  model: "模型",
  "its server tells no window; Gong assumes {0} tokens": "它的服务器没有说明窗口；Gong 按 {0} token 处理",
  "its server gives it a window of {0} tokens": "它的服务器给出的窗口为 {0} token",
  "its template has tools": "它的模板有工具",
  "its template has no tools: the model cannot call any": "它的模板没有工具：模型无法调用工具",
  "none set (-m, GONG_MODEL or the setting model)": "没有设置（-m、GONG_MODEL 或设置 model）",
  keys: "密钥",
  proxy: "代理",
  none: "无",
  "{0} from {1}": "{0}，来自 {1}",
  extensions: "扩展",
  "{0} from {1}: {2}": "{0}，来自 {1}：{2}",
  "not loaded": "未加载",
  "no library: large images are not sent to the model. Run npm ci again.":
    "没有图片库：大图不会给模型看。请重新运行 npm ci。",
  ", five times slower than sharp, which npm could not install": "，比 sharp 慢五倍；npm 没能装上 sharp",
  "large ones are scaled down by {0}{1}": "大图由 {0} 缩小{1}",
  "{0} works: commands may write only in the workspace and temp": "{0} 可用：命令只能写工作区和临时文件夹",
  "none: {0}{1}. Without it, commands that are not known to only read need permission.":
    "无：{0}{1}。没有沙箱时，不能确定只读取的命令需要权限。",
  " (apt install bubblewrap, dnf install bubblewrap)": "（apt install bubblewrap、dnf install bubblewrap）",
  " (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for bwrap)":
    "（sysctl kernel.apparmor_restrict_unprivileged_userns=0，或给 bwrap 一份 AppArmor 配置）",
  " (start the container with permission to create them)": "（启动容器时必须允许它创建）",
  "{0} (created on first use)": "{0}（首次需要时创建）",
  "{0} is not writable. Set GONG_HOME to a writable folder, or use --no-session.":
    "{0} 无法写入。请把 GONG_HOME 设为可写的文件夹，或用 --no-session。",
  "{0} is not a folder. Move it away, or set GONG_HOME to a folder.":
    "{0} 不是文件夹。请把它移走，或把 GONG_HOME 设为一个文件夹。",
  "{0}/sessions cannot be read ({1}). Change its owner (chown), or move it away.":
    "{0}/sessions 无法读取（{1}）。请把它的所有权改回给自己（chown），或把它移走。",
  "gong: 1 file was not restored; gong undo retries it.\n": "gong: 有 1 个文件没有恢复；再次 gong undo 会重试。\n",
  "gong: {0} files were not restored; gong undo retries them.\n":
    "gong: 有 {0} 个文件没有恢复；再次 gong undo 会重试。\n",
  "{0}, for any provider": "{0}，用于所用的提供方",
  "none. Store one with gong login, or export ANTHROPIC_API_KEY=...; demo without a key: gong demo":
    "没有。请给出：gong login，或 export ANTHROPIC_API_KEY=...；也可以先看演示：gong demo",
  "{0} ({1}), except for {2} (NO_PROXY) and this machine": "{0}（{1}），{2}（NO_PROXY）和本机除外",
  "{0} ({1}), except for this machine": "{0}（{1}），本机除外",
  // import
  "which agent? gong import --from {0}": "从哪个编程代理迁入？gong import --from {0}",
  "no configuration of {0} was found in {1}.": "{1} 里没有 {0} 的内容。",
  " or ": " 或 ",
  // models
  "no key needed": "不需要密钥",
  "{0}  (key from {1})": "{0}（密钥来自 {1}）",
  "{0}\n* has a key\n": "{0}\n* 有密钥\n",
  'No model has "{0}" in its name. gong models lists them; --base-url URL uses any other endpoint.\n':
    "没有名称含“{0}”的模型。gong models 列出模型；--base-url URL 可用任何其他接口。\n",
  context: "窗口",
  reply: "回复",
  thinking: "思考",
  "per million tokens: input / output / cached": "每百万 token：输入 / 输出 / 缓存",
  " (default)": "（默认）",
  yes: "是",
  "gong models SEARCH searches all of them; gong models --keys lists the key variables.":
    "gong models 关键词 在全部模型中查找，gong models --keys 说明会读取哪些密钥。",
  "* has a key": "* 有密钥",
  "* has a key. {0}": "* 有密钥。{0}",
  "No provider has a key yet; the default model of each is listed. {0}":
    "还没有任何提供方的密钥；这里是各家的默认模型。{0}",
  unknown: "未知",
  "; above {0}: {1}": "；超过 {0}：{1}",
  "{0} is not a catalogue in the format of models.dev; nothing was changed.":
    "{0} 不是 models.dev 格式的目录；什么也没有改动。",
  "{0} models of {1} providers, from {2}, are stored in {3}.\n":
    "{1} 个提供方的 {0} 个模型，来自 {2}，已保存在 {3}。\n",
  "{0} sent more than {1} bytes; a catalogue is smaller. Nothing was changed.":
    "{0} 发来超过 {1} 字节；目录不会这么大。什么也没有改动。",
  "{0} responded with status {1}; nothing was changed.": "{0} 返回状态 {1}；什么也没有改动。",
  "{0} cannot be fetched ({1}); nothing was changed.": "{0} 无法获取（{1}）；什么也没有改动。",
  // lists, and what was refused
  ", ": "、",
  "gong: {0} was refused: {1}": "gong: {0} 未执行：{1}",
  // skills
  "{0}: no problems.\n": "{0}：没有问题。\n",
  "{0}, command only": "{0}，仅手动",
  "No skills.": "没有技能。",
  "{0} skill": "{0} 个技能",
  "{0} skills": "{0} 个技能",
  "{0} template": "{0} 个模板",
  "{0} templates": "{0} 个模板",
  "{0} problem": "{0} 个问题",
  "{0} problems": "{0} 个问题",
  "{0}: {1}.": "{0}：{1}。",
  "{0}: gong skills validate": "{0}：gong skills validate",
  "{0}: there is no SKILL.md in it.": "{0}：里面没有 SKILL.md。",
  "added {0}{1}": "已添加 {0}{1}",
  ", with {0}{1}": "，附带 {0}{1}",
  "{0}\nNothing was run. Review it before you use it.\n": "{0}\n其中没有运行任何内容。使用之前请先读一读。\n",
  "cannot write to {0} ({1}).": "无法写入 {0}（{1}）。",
  "{0}: nothing was added. {1}": "{0}：什么也没有添加。{1}",
  "{0} already exists; nothing was added. Move it away first.": "{0} 已经存在，什么也没有添加。请先把它移走。",
  ", and {0} more": "，另有 {0} 个",
  "{0}: there is no such folder or archive.": "{0}：没有这个文件夹或压缩包。",
  "{0}: this is neither a folder nor a .tgz. Name the folder of a skill.":
    "{0}：不是文件夹，也不是 .tgz。请写出技能的文件夹。",
  "npm:{0}: write npm:NAME or npm:NAME@VERSION.": "npm:{0}：请写 npm:NAME 或 npm:NAME@VERSION。",
  "npm:{0}: npm returned no package.": "npm:{0}：npm 没有取到软件包。",
  "{0} cannot be run here. Install it, or fetch the skill yourself and add its folder.":
    "这里无法运行 {0}。请安装它，或自己取来技能再添加其文件夹。",
  // undo
  "There is no undo to redo.\n": "没有可以重做的撤销。\n",
  "Session {0} has no compaction to undo.\n": "会话 {0} 没有可以撤销的压缩。\n",
  "The conversation is restored: {0} tokens, as before the compaction.": "会话恢复完整：{0} token，与压缩之前一样。",
  "1 later message is no longer part of it; {0} continues with the summary.":
    "其后的 1 条消息不再属于它；{0} 从摘要继续。",
  "{0} later messages are no longer part of it; {1} continues with the summary.":
    "其后的 {0} 条消息不再属于它；{1} 从摘要继续。",
  "Session {0} has no file changes to undo.": "会话 {0} 没有尚未撤销的文件改动。",
  "repeated  {0}": "已重做  {0}",
  "skipped   {0}: {1}": "未改动  {0}：{1}",
  "restored  {0}": "已恢复  {0}",
  "restored  {0}, with later changes by others": "已恢复  {0}，并保留此后别人的改动",
  "not restorable: {0} (changed by a command; no earlier copy)": "无法恢复：{0}（由命令改动，没有先前的副本）",
  "not detected: changes by commands in other files ({0})": "没有查看：命令在未列出的文件里改了什么（{0}）",
  // the command line
  '"{0}" is a command.{1} For a message write: gong -- {2}': "“{0}”是命令。{1}如果这是消息，请写：gong -- {2}",
  'there is no command "{0}".{1} For a message write: gong -- {2}': "没有命令“{0}”。{1}如果这是消息，请写：gong -- {2}",
  // config prompt
  "{0} bytes": "{0} 字节",
  "~{0} tokens": "约 {0} token",
  role: "角色",
  guidelines: "准则",
  documentation: "文档",
  "own prompt": "自己的提示词",
  appended: "附加",
  "context files": "说明文件",
  "date and time": "日期与时间",
  "working directory": "工作目录",
  "tool schemas": "工具参数",
  all: "合计",
}
