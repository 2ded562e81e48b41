/** What is wrong with an extension, and where. Names of the API stay. */
export const extensions: Readonly<Record<string, string>> = {
  'gong.{0}(): "{1}": "{2}" is text': "gong.{0}()：“{1}”的“{2}”必须是文字",
  'gong.{0}(): "{1}": "{2}" is a function': "gong.{0}()：“{1}”的“{2}”必须是函数",
  'gong.tool(): "name" is text': "gong.tool()：“name”必须是文字",
  'gong.hook(): "{0}" is a function': "gong.hook()：“{0}”必须是函数",
  'gong.tool(): "{0}": "effect" is one of {1}': "gong.tool()：“{0}”的“effect”必须是以下之一：{1}",
  'gong.tool(): "{0}": "effect" is {1}, so it is not "readOnly"':
    "gong.tool()：“{0}”的“effect”是 {1}，所以它不是“readOnly”",
  'gong.tool(): "{0}": "paths" is a list of {argument: NAME, holds: {1}}':
    "gong.tool()：“{0}”的“paths”必须是 {argument: NAME, holds: {1}} 的列表",
  'gong.tool(): "{0}": "aliases" is a list of names': "gong.tool()：“{0}”的“aliases”必须是名称的列表",
  'gong.tool(): "{0}": "summary" is the name of a field of details':
    "gong.tool()：“{0}”的“summary”必须是 details 中一个字段的名称",
  'gong.on("{0}", look): look is a function': 'gong.on("{0}", look)：look 必须是函数',
  "gong.{0}({1}): {2} is an object": "gong.{0}({1})：{2} 必须是对象",
  'gong.tool(): "{0}": "parameters" is a JSON Schema, {type: "object", ...}':
    'gong.tool()：“{0}”的“parameters”必须是 JSON Schema，{type: "object", ...}',
  'gong.tool(): "{0}": "promptGuidelines" is a list of texts': "gong.tool()：“{0}”的“promptGuidelines”必须是文字的列表",
  'gong.command(): "name" is a word without a slash': "gong.command()：“name”必须是不带斜杠的一个词",
  'gong.hook(): "tools" is a list of names': "gong.hook()：“tools”必须是名称的列表",
  'gong.hook(): "timeMs" is 1 to {0}': "gong.hook()：“timeMs”必须在 1 到 {0} 之间",
  "gong.hook(): none of {0}": "gong.hook()：至少要有其中之一：{0}",
  'gong.on(): there is no event "{0}"; {1}': "gong.on()：没有事件“{0}”；有 {1}",
  'gong.{0}(): there is no "{1}"; {2}': "gong.{0}()：没有“{1}”；有 {2}",
  'gong.{0}(): there is "{1}" already': "gong.{0}()：已经有“{1}”",
  "gong.{0}(): {1} are the most": "gong.{0}()：最多 {1} 个",
  "gong.{0}() works only while the extension is loaded": "gong.{0}() 只能在扩展加载时使用",
  'gong.renderer(): "tool" is the name of a tool': "gong.renderer()：“tool”必须是工具的名称",
  'gong.provider(): "name" is 1 to 64 of a-z 0-9 . _ -': "gong.provider()：“name”必须是 1 到 64 个 a-z 0-9 . _ -",
  'gong.provider(): "{0}": "models" has a model: {ID: {}}':
    "gong.provider()：“{0}”的“models”至少要有一个模型：{ID: {}}",
  'gong.provider(): "{0}": "baseUrl" says where it is asked, or "stream" asks it':
    "gong.provider()：“{0}”要有“baseUrl”写明地址，或由“stream”来请求",
  'gong.provider(): "{0}": "{1}" is for a wire format that Gong speaks, and "stream" speaks its own':
    "gong.provider()：“{0}”的“{1}”用于 Gong 支持的接口格式，而“stream”用自己的格式",
  'gong.provider(): "{0}": "keys" need a "baseUrl": a key is kept for one address':
    "gong.provider()：“{0}”的“keys”需要“baseUrl”：密钥只为一个地址保存",
  "gong.resources({0}): each is a list of paths": "gong.resources({0})：每一项都必须是路径的列表",
  'gong.resources(): "{0}" is a list of paths': "gong.resources()：“{0}”必须是路径的列表",
  "stream() gives no pieces. Write it as a generator: async *stream() {...}":
    "stream() 没有给出片段。请写成生成器：async *stream() {...}",
  "its answer has {0} characters; {1} are the most": "回答有 {0} 个字符；最多 {1} 个",
  "it called process.exit()": "它调用了 process.exit()",
  "it needed more than {0} MB of memory": "它需要的内存超过 {0} MB",
  "{0} is not as it was when this folder was trusted. Look at it, then trust it again. ({1}:1)":
    "{0} 与信任此文件夹时不同。请查看，再重新信任。（{1}:1）",
  '"{0}" lies outside of {1}, and what is trusted is that folder. Move it there. ({2}:1)':
    "“{0}”在 {1} 之外，而信任的是那个文件夹。请移到那里。（{2}:1）",
  "{0} has {1} characters; {2} are the most. Split it": "{0} 有 {1} 个字符；最多 {2}。请拆分",
  '"{0}" is a native library, which a repository cannot bring. ({1}:1)':
    "“{0}”是原生库，仓库不能自带这样的库。（{1}:1）",
  // while it is loaded or runs
  "it was written for API {0}, and this Gong has {1}. Update Gong":
    "它是为 API {0} 写的，而这个 Gong 是 {1}。请更新 Gong",
  "it has no default export that is a function. Write: export default function (gong) {...}":
    "它没有导出默认函数。请写：export default function (gong) {...}",
  "it was not loaded after {0} s. Do not wait in the default export or at the top of the file":
    "{0} 秒后仍未加载。请不要在默认导出里或文件顶层等待",
  "it gave no sign for {0} s and was ended. Do not block: wait with await, and bound every loop":
    "{0} 秒没有动静，已被终止。请不要阻塞：用 await 等待，并限制每个循环",
  "it ended the thread of extensions: {0}": "它终止了扩展的线程：{0}",
  "another extension ended the thread that it shares": "另一个扩展终止了它们共用的线程",
  "the extension {0} is off; /reload loads it again": "扩展 {0} 已停用；/reload 会重新加载",
  "the extension did not stop in time": "扩展没有及时停下",
  "the session has ended": "会话已结束",
  "{0} calls of extensions wait already": "已有 {0} 个扩展的调用在等待",
  "what it registers is {0}": "它注册的内容{0}",
  "its answer is {0}": "它的回答{0}",
  "its answer cannot be written as JSON: {0}": "它的回答无法写成 JSON：{0}",
  "it has no such function any more": "它已没有这个函数",
  "it threw {0}": "它抛出 {0}",
  "it threw something that cannot be read": "它抛出了无法读取的东西",
  // what is reported of it
  "{0}. {1}{2}": "{0}。{1}{2}",
  "No call awaited this; catch it there.": "没有调用在等它；请在那里捕获。",
  "The extension {0} is off. Mend it; /reload loads it again.": "扩展 {0} 已停用。修好后用 /reload 重新加载。",
  'The extension {0} is off, and calls that it would judge are refused. Mend it; /reload loads it again; or do without it: "extensions": { "{1}": false } in the settings.':
    '扩展 {0} 已停用，本应由它判断的调用会被拒绝。修好后用 /reload 重新加载；或不用它：在设置里写 "extensions": { "{1}": false }。',
  "That was the last time; since it has not changed, no start waits for it again. {0}":
    "这是上次的情况；它没有改动，启动时不再等待它。{0}",
  "{0} (More is left out.)": "{0} （其余省略。）",
  "{0} printed: {1}": "{0} 输出：{1}",
  "extensions could not be loaded.": "扩展无法加载。",
  "an extension": "一个扩展",
  "{0}. Mend it at {1}; /reload loads it again.": "{0}。请在 {1} 改正；/reload 会重新加载。",
  'the gate "{0}" cannot be asked: {1}.': "把关的“{0}”无法询问：{1}。",
  "{0}: the renderer of {1} is not asked again: {2}. Mend it, then /reload.":
    "{0}：不再使用 {1} 的渲染器：{2}。请改正，再 /reload。",
  "it gave no lines in {0} ms": "它在 {0} 毫秒内没有给出行",
  "it gives text, or a list of lines": "它应给出文字或行的列表",
  "{0} gave more than {1} million characters for one reply": "{0} 一个回复给出了超过 {1} 百万个字符",
  "{0} cannot be asked: the extension {1} is off": "无法使用 {0}：扩展 {1} 已停用",
  "It was thrown at {0}:{1}.": "抛出的位置是 {0}:{1}。",
  "Mend it; /reload loads it again.": "请改正；/reload 会重新加载。",
  "What extensions bring is not what it was the last times, though their files are the same (gong doctor lists it). Gates and commands count from now on, new tools from the next message on, models, skills, templates and themes from the next start on.":
    "扩展带来的内容与前几次不同，尽管文件没有变（gong doctor 会列出）。把关和命令从现在起生效，新工具从下一条消息起，模型、技能、模板和配色从下次启动起。",
  // MCP servers
  "the MCP server {0} would run {1}": "MCP 服务器 {0} 将运行 {1}",
  "Send it?": "发送吗？",
  "the MCP server {0} may do anything with it": "MCP 服务器 {0} 可能用它做任何事",
  "the server did not answer within {0} s": "服务器在 {0} 秒内没有回答",
  '"command" is not a program.': "“command” 不是程序。",
  "it contains a NUL character.": "它含有 NUL 字符。",
  '{0} is not a folder ("cwd" of {1})': "{0} 不是文件夹（{1} 的 “cwd”）",
  "{0} contains a part of {1} twice. Remove one of them.": "{0} 里 {1} 的一部分写了两次。请删去一处。",
  "{0} was not ready after {1} s": "{0} 在 {1} 秒后仍未就绪",
  "the server is gone: {0}": "服务器没了：{0}",
  "If your browser is on another machine, paste the address at which it has ended:":
    "如果浏览器在另一台机器上，请把它最后停在的地址粘贴到这里：",
  "{0} was ended": "{0} 已结束",
  "{0} failed {1} times and is not started again ({2}). gong mcp test {3} shows its output; /mcp on {4} tries again.":
    "{0} 失败了 {1} 次，不再启动（{2}）。gong mcp test {3} 显示它的输出；/mcp on {4} 再试一次。",
  "The MCP server {0} has changed {1} tools since you accepted them; they are off: /mcp accept {2}":
    "MCP 服务器 {0} 有 {1} 个工具在你接受之后变了，它们已停用：/mcp accept {2}",
  "The MCP server {0} requires a login. Log in now?": "MCP 服务器 {0} 需要登录。现在登录吗？",
  "The MCP server {0} has changed its tools since you accepted them:\n{1}\nUse them as they are now?":
    "MCP 服务器 {0} 的工具在你接受之后变了：\n{1}\n按现在的样子使用吗？",
  "The MCP server {0} asks: {1}": "MCP 服务器 {0} 问：{1}",
  "The MCP server {0} asks you to open an address of {1}:\n{2}\nIt says: {3}":
    "MCP 服务器 {0} 请你打开 {1} 的一个地址：\n{2}\n它说：{3}",
  "{0}\nThis looks like a secret: it would be sent to the server. Gong never asks for one here.":
    "{0}\n这看起来是密钥：它会发给这个服务器。Gong 从不在这里索要密钥。",
  "(decline): send nothing": "(decline)：什么都不发送",
  "(skip): leave it empty": "(skip)：留空",
  "opened: I have opened it myself": "opened：我已自己打开",
  "{0} is a program on this machine, which has no login.": "{0} 是这台机器上的程序，没有登录。",
  "the MCP server {0} requires a login: gong mcp login {1}": "MCP 服务器 {0} 需要登录：gong mcp login {1}",
  "{0} has changed the tool {1} since the user accepted it, so it is off. The user can accept it: gong mcp trust {2}":
    "{0} 的工具 {1} 在用户接受之后变了，所以已停用。用户可以接受它：gong mcp trust {2}",
  "{0} changed since this folder was trusted (gong trust)": "{0} 在信任这个文件夹之后变了（gong trust）",
  "there is no MCP server {0}. Those of a repository exist once its folder is trusted: gong trust":
    "没有 MCP 服务器 {0}。仓库里的服务器在信任文件夹之后才有：gong trust",
  '{0} is not a header: gong mcp add NAME URL "Name: value"': '{0} 不是请求头：gong mcp add 名称 地址 "Name: value"',
  "{0} has no tool {1}": "{0} 没有工具 {1}",
  "the login failed ({0})": "登录失败（{0}）",
  "the server wants the user to open {0} first": "服务器要求用户先打开 {0}",
  mcp: "MCP 服务器",
  ", off": "，已停用",
  'gong: {0}: the MCP server "{1}" is left out: {2} has this name.':
    "gong: {0}：MCP 服务器“{1}”被略去：{2} 已用这个名称。",
  'gong: {0}: the MCP server "{1}" is left out: more than {2} servers.':
    "gong: {0}：MCP 服务器“{1}”被略去：超过 {2} 个服务器。",
  '{0}:1: servers must be in an object, {"mcpServers": {"NAME": {...}}}.':
    '{0}:1：服务器要写在对象里，{"mcpServers": {"NAME": {...}}}。',
  'gong: {0}: the MCP server "{1}" is left out: {2}': "gong: {0}：MCP 服务器“{1}”被略去：{2}",
  "a name is 1 to 32 of a-z A-Z 0-9 - and single _.": "名称是 1 到 32 个 a-z A-Z 0-9 - 和单个的 _。",
  'it must be an object, {"command": ...} or {"url": ...}.': '它必须是对象，{"command": ...} 或 {"url": ...}。',
  "it has both a command and a url.": "它既有 command 又有 url。",
  '"url" is not an address.': "“url” 不是地址。",
  '"sandbox" works in the user\'s file only.': "“sandbox” 只在用户自己的文件里有效。",
  "the variable {0} is not set.": "变量 {0} 没有设置。",
  "{0} is replaced in the user's file only (gong mcp add).": "{0} 只在用户自己的文件里替换（gong mcp add）。",
  "No MCP servers. Add one: gong mcp add NAME -- COMMAND, or gong mcp add NAME URL":
    "没有 MCP 服务器。添加一个：gong mcp add 名称 -- 命令，或 gong mcp add 名称 地址",
  "No MCP servers. Add one: gong mcp add NAME -- COMMAND, or gong mcp add NAME URL\n":
    "没有 MCP 服务器。添加一个：gong mcp add 名称 -- 命令，或 gong mcp add 名称 地址\n",
  "There is no MCP server {0}.": "没有 MCP 服务器 {0}。",
  "there is no MCP server {0}.": "没有 MCP 服务器 {0}。",
  "{0} has the tools that you accepted.": "{0} 的工具就是你接受的那些。",
  "{0} has the tools that you accepted.\n": "{0} 的工具就是你接受的那些。\n",
  "Use the tools of {0} as they are now?": "按现在的样子使用 {0} 的工具吗？",
  "{0} could not be started: {1}": "{0} 无法启动：{1}",
  "the network is off in this session (--network off)": "本会话没有网络（--network off）",
  "Log in at {0}: {1}": "在 {0} 登录：{1}",
  "{0} is held by another gong. If none is running, remove it": "{0} 被另一个 gong 占用。如果没有在运行的，请删除它",
  off: "已停用",
  "failed: {0}": "失败：{0}",
  "requires a login": "需要登录",
  "changed tools are off": "变了的工具已停用",
  "never started": "从未启动",
  "1 tool": "1 个工具",
  "{0} tools": "{0} 个工具",
  "  resources: @{0}:URI": "  资源：@{0}:URI",
  "  left out: {0}": "  略去：{0}",
  "  changed since you accepted them (gong mcp trust {0}):": "  在你接受之后变了（gong mcp trust {0}）：",
  "{0} is an option of Gong. Write -- before the program: gong mcp add NAME -- COMMAND":
    "{0} 是 Gong 的选项。请在程序前写 --：gong mcp add 名称 -- 命令",
  "Logged in at {0}.": "已在 {0} 登录。",
  "Its output:": "它的输出：",
  "Accepted: {0} may be used with these tools.": "已接受：{0} 可以按这些工具使用。",
  "there is an MCP server {0} already: gong mcp remove {1}": "已经有 MCP 服务器 {0}：gong mcp remove {1}",
  "{0} is stored in {1}.\n": "{0} 已存入 {1}。\n",
  "there is no MCP server {0} in {1}.": "{1} 里没有 MCP 服务器 {0}。",
  "{0} is removed.\n": "{0} 已删除。\n",
  "there is no MCP server {0} with an address.": "没有带地址的 MCP 服务器 {0}。",
  "Logged out at {0}.\n": "已在 {0} 退出登录。\n",
  "MCP servers: list, add, remove, test, login": "MCP 服务器：list、add、remove、test、login",
  "MCP servers: their tools, start, on, off, accept changes, log in": "MCP 服务器：工具，start、on、off、accept、login",
  "servers with their states": "服务器及其状态",
  "a program after --, or an address": "-- 后的程序，或一个地址",
  "remove one of yours": "删除你的一个服务器",
  "start it; show its tools and its output": "启动它；显示它的工具和输出",
  "log in with a browser": "用浏览器登录",
  "remove the stored login": "删除存储的登录",
  "show its changed tools, and accept them": "显示变了的工具并接受",
  "{0} script of an MCP server": "{0} 个 MCP 服务器脚本",
  "{0} scripts of MCP servers": "{0} 个 MCP 服务器脚本",
}
