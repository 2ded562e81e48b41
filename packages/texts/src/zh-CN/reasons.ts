/**
 * Reasons of policy, hooks, the sandbox, undo and stores; failures of providers; notifications of a run.
 */
export const reasons: Readonly<Record<string, string>> = {
  // policy: why something is asked
  'rule "{0}" (built in)': "内置规则“{0}”",
  "it may show keys": "它可能显示密钥",
  "it runs outside the sandbox": "它在沙箱外运行",
  "it follows symbolic links, and they may lead out of the folder": "它会跟随符号链接，而这些链接可能指向该文件夹之外",
  "a program of the workspace may run, or one that its git settings name":
    "可能运行工作区里的程序，或其 git 设置指定的程序",
  "it is not known to only read": "不能确定它只是读取",
  "it cannot be told what all of it does": "无法判断它的全部作用",
  "it may hold keys": "它可能含有密钥",
  "outside the workspace": "在工作区之外",
  "it controls {0}": "它影响 {0} 的行为",
  "git or Gong": "git 或 Gong",
  "VS Code and its forks": "VS Code 一类的编辑器",
  "JetBrains editors": "JetBrains 的编辑器",
  "other graphical editors": "其他图形编辑器",
  "Vim and Emacs": "Vim 和 Emacs",
  "shells that enter the folder": "进入该文件夹的 shell",
  "the user's login": "用户的登录环境",
  "debuggers and interpreters": "调试器和解释器",
  "git hooks": "git 钩子",
  "other version control": "其他版本控制",
  "other agents": "其他智能体",
  "development containers": "开发容器",
  "continuous integration": "持续集成",
  "level ask": "权限级别 ask",
  "it asks the network": "它会访问网络",
  "a command wants to connect to it": "有命令想连接它",
  "it lies in a private network": "它在内部网络里",
  "it asks {0}": "它会访问 {0}",
  "the tool {0} may do anything": "工具 {0} 可能做任何事",
  // policy and loop: what a model read when it was refused
  'Refused: "{0}" needs permission and nobody is here to give it. {1}': "“{0}”需要权限，而这里没有人可以给出。",
  'Refused: "{0}" outside the sandbox needs permission and nobody is here to give it. The user can allow it with {1}. {2}':
    "在沙箱外运行“{0}”需要权限，而这里没有人可以给出。可以用 {1} 允许。",
  'Refused: "{0}" is forbidden by the rule {1}. {2}': "规则 {1} 禁止“{0}”。",
  'Refused: "{0}" would destroy {1}. Gong never runs this, whatever is allowed. {2}':
    "“{0}”会毁掉 {1}。无论允许什么，Gong 都不运行它。",
  'Refused: "{0}" is not run, because this session only plans. {1}': "此会话只做计划，不运行“{0}”。",
  'Refused: {0} is outside the workspace ({1}). Allow it with --add-dir {2} or --allow "{3}({4})".':
    '{0} 在工作区（{1}）之外。可以用 --add-dir {2} 或 --allow "{3}({4})" 允许。',
  'Refused: the user said no to "{0}". {1}': "你对“{0}”说了不。",
  'Refused: "{0}" needs permission, and the question was not answered in time. {1}':
    "“{0}”需要权限，而没有人及时回答。",
  "Refused: {0} Nothing was run.": "理由是：{0}",
  'the gate "{0}" gave no answer in time.': "把关的“{0}”没有及时回答。",
  // hooks that went wrong
  "hook {0}, {1}: {2}": "钩子 {0}（{1}）：{2}",
  "no answer after {0} ms; blocked": "{0} 毫秒后没有回答；已拒绝",
  "no answer after {0} ms; skipped": "{0} 毫秒后没有回答；已跳过",
  "no answer in time; abandoned": "没有及时回答；不再等待",
  "unknown answer {0}; passed": "不认识的回答 {0}；已放行",
  "{0} events are pending; one was dropped": "有 {0} 个事件在等待；略过了一个",
  // the sandbox: why there is none
  "this version has none for {0}": "这个版本没有适用于 {0} 的沙箱",
  "bubblewrap (bwrap) is not installed": "没有安装 bubblewrap（bwrap）",
  "nsenter (of util-linux) is not installed": "没有安装 nsenter（属于 util-linux）",
  "user namespaces are blocked by AppArmor": "AppArmor 禁止了用户命名空间",
  "user namespaces are blocked here": "这里禁止了用户命名空间",
  "{0} did not come back": "{0} 没有返回",
  "{0} cannot be run ({1})": "{0} 无法运行（{1}）",
  "bwrap failed without a word": "bwrap 失败，没有说明原因",
  // the loop and the session
  "the model sent an empty reply": "模型没有说话就结束了",
  "the model reasoned but gave no answer": "模型思考了，但没有给出回答",
  "The cost limit cannot be enforced: the last reply reported no usage.":
    "无法核算费用上限：不知道上一个回复用了多少。",
  "Use --max-turns or --max-time.": "请用 --max-turns 或 --max-time。",
  "a request reported no usage; the cost limit does not include it":
    "有一个请求没有说明用了多少；费用上限没有把它算进去",
  "The reply exceeded the model's output limit, even after two continuations.":
    "回复被模型的输出上限截断，两次接续后仍未结束。",
  "Operation aborted": "已中止",
  "A hook ended the run: {0}": "钩子结束了运行：{0}",
  "waiting for {0} ... {1} s": "正在等待 {0} …… {1} 秒",
  "{0} cannot be asked ({1}); going on with {2}": "无法使用 {0}（{1}），改用 {2} 继续",
  "write the session": "写入会话",
  "make the session durable": "把会话可靠地存到磁盘",
  "Free some space; what is waiting is written then.": "请腾出一些空间；等待的内容随后会写入。",
  "one of its files is not a regular file (EFTYPE)": "它的一个文件所在的位置不是文件（EFTYPE）",
  "one of its files is a symbolic link (ELOOP)": "它的一个文件所在的位置是符号链接（ELOOP）",
  "its folder is gone": "它的文件夹不见了",
  "not every change that commands make in this workspace can be undone: {0}":
    "命令在此工作区所做的改动不一定都能撤销：{0}",
  "This session has no step {0}.": "此会话没有步骤 {0}。",
  "it was deleted by someone else since": "此后已被别人删除",
  "the session made it, and it was changed by someone else since": "它由会话创建，此后被别人改过",
  "it was changed by someone else since": "此后被别人改过",
  "its earlier content is missing from the session": "会话里缺少它先前的内容",
  "it is binary and was changed by someone else since": "它是二进制文件，此后被别人改过",
  "it was changed by someone else since, in too many lines to compare": "此后被别人改过，行数太多，无法比较",
  "it was changed since the undo": "撤销之后它被改过",
  // providers
  "no TLS is spoken there; try http:// in place of https://": "那里不使用 TLS；请把 https:// 换成 http:// 再试",
  "{0} refused the key in {1}": "{0} 拒绝了 {1} 里的密钥",
  "{0} wants a key and none was given": "{0} 需要密钥，而没有给出",
  "{0} has no credit or quota left": "{0} 的额度已用完",
  "{0} asks us to slow down": "{0} 要求放慢",
  "{0} says the conversation is too long": "{0} 说会话太长",
  "{0} is overloaded": "{0} 负载过重",
  "{0} refused the thinking blocks": "{0} 拒绝了思考内容",
  "{0} does not know {1} or this address": "{0} 不认识 {1}，或没有这个地址",
  "{0} was not ready": "{0} 还没有准备好",
  "{0} refused the request": "{0} 拒绝了请求",
  "{0} failed": "{0} 出错",
  // what a replay differs in
  "step {0} ({1})": "步骤 {0}（{1}）",
  "after the last step": "最后一步之后",
  "none: the run ended": "没有：运行已结束",
  "one more request": "多一个请求",
  present: "有",
  "missing: the session stopped before it": "没有：会话在它之前停止",
  "a question for permission": "权限询问",
  "no open question": "没有待答的询问",
  "an open question": "有一个待答的询问",
  // images
  "The image is damaged or of a kind that models do not take ({0}).": "图片已损坏，或是模型不接受的类型（{0}）。",
  "The image must be made smaller ({0} pixels, {1}), and no image library is installed. Install sharp with npm, or make a smaller copy first.":
    "图片需要缩小（{0} 像素，{1}），但没有安装图片库。请用 npm 安装 sharp，或先做一份较小的副本。",
  "The image is too large to open ({0} pixels; at most {1} million). Make a smaller copy first.":
    "图片太大，无法打开（{0} 像素；最多 {1} 百万）。请先做一份较小的副本。",
  "The image is damaged or of a rare kind ({0}). Make a copy of it as PNG first.":
    "图片已损坏或类型少见（{0}）。请先做一份 PNG 副本。",
  "The image cannot be brought under {0}. Make a smaller copy first.": "图片无法缩到 {0} 以下。请先做一份较小的副本。",
  // sources of skills
  "it is no tar archive, or a damaged one. Fetch it again.": "不是 tar 归档，或已损坏。请重新获取。",
  "it has more than {0} files or {1} bytes. Name the skill's own folder.":
    "文件超过 {0} 个或超过 {1} 字节。请指定技能自己的文件夹。",
  // addresses, names and files that cannot be
  "{0} has a fragment, which is never sent. Leave out {1}.": "{0} 带有片段，片段不会被发送。请去掉 {1}。",
  "{0} is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.":
    "{0} 不是接口地址。请写 http://HOST:PORT/v1 或 https://HOST/v1。",
  // sessions on the disk
  "This session is {0}": "这个会话{0}",
  "written by a newer gong (format {0}) and only readable here": "由较新的 gong 写成（格式 {0}），这里只能读",
  "open in another gong (it has not said which, {0})": "正在另一个 gong 中打开（没有说明是哪个，{0}）",
  "open in another gong (pid {0}, {1}, {2})": "正在另一个 gong 中打开（进程 {0}，{1}，{2}）",
  "not written any more, since the disk could not make it durable ({0})": "不再写入，因为磁盘无法可靠地保存它（{0}）",
  "this machine": "本机",
  "opened for reading": "只为读取打开",
  "no longer at its place": "已不在原处",
  "An entry of {0} bytes is too large for the session.": "{0} 字节的步骤对会话来说太大。",
  "the recording of this session ends here: {0}": "这个会话的录制到此为止：{0}",
  "summing up the branch that is left": "正在总结离开的分支",
  // models and the network
  "{0} does not speak {1}. It speaks {2}.": "{0} 不支持 {1}。它支持 {2}。",
  'unknown model "{0}". {1}For another endpoint: --base-url URL': "没有模型“{0}”。{1}其他接口：--base-url URL",
  "Did you mean {0}? ": "是不是想写 {0}？",
  "SSL_CERT_FILE: {0} holds no certificates in PEM form": "SSL_CERT_FILE：{0} 里没有 PEM 格式的证书",
  "SSL_CERT_FILE: cannot read {0} ({1})": "SSL_CERT_FILE：无法读取 {0}（{1}）",
  'Refused: "{0}" needs permission and nobody is here to give it. The user can allow it with --allow "{1}". {2}':
    '“{0}”需要权限，而这里没有人可以给出。可以用 --allow "{1}" 允许。',
  'Refused: "{0}" would destroy a whole folder, and which one cannot be known before it runs ({1}). Gong never runs this, whatever is allowed. {2}':
    "“{0}”会毁掉整个文件夹，而运行之前无法知道是哪一个（{1}）。无论允许什么，Gong 都不运行它。",
  'Refused: "{0}" is not allowed at the permission level that the user has just set. {1}':
    "你刚设置的权限级别不允许“{0}”。",
}
