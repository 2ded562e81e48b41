/** Data about extensions: what is wrong with how one is written. Names of the API stay. */
export const extensionData: Readonly<Record<string, string>> = {
  'gong.{0}(): "{1}": "{2}" is text.': "gong.{0}()：“{1}”的“{2}”必须是文字。",
  'gong.{0}(): "{1}" is text.': "gong.{0}()：“{1}”必须是文字。",
  'gong.{0}(): "{1}": "{2}" is a function.': "gong.{0}()：“{1}”的“{2}”必须是函数。",
  'gong.{0}(): "{1}" is a function.': "gong.{0}()：“{1}”必须是函数。",
  'gong.on("{0}", look): look is a function.': 'gong.on("{0}", look)：look 必须是函数。',
  "gong.{0}({1}): {2} is an object.": "gong.{0}({1})：{2} 必须是对象。",
  'gong.tool(): "{0}": "parameters" is a JSON Schema, {type: "object", ...}.':
    'gong.tool()：“{0}”的“parameters”必须是 JSON Schema，{type: "object", ...}。',
  'gong.tool(): "{0}": "promptGuidelines" is a list of texts.':
    "gong.tool()：“{0}”的“promptGuidelines”必须是文字的列表。",
  'gong.command(): "name" is a word without a slash.': "gong.command()：“name”必须是不带斜杠的一个词。",
  'gong.hook(): "tools" is a list of names.': "gong.hook()：“tools”必须是名称的列表。",
  'gong.hook(): "timeMs" is 1 to {0}.': "gong.hook()：“timeMs”必须在 1 到 {0} 之间。",
  "gong.hook(): none of {0}.": "gong.hook()：至少要有其中之一：{0}。",
  'gong.on(): there is no event "{0}"; {1}.': "gong.on()：没有事件“{0}”；有 {1}。",
  'gong.{0}(): there is no "{1}"; {2}.': "gong.{0}()：没有“{1}”；有 {2}。",
  'gong.{0}(): there is "{1}" already.': "gong.{0}()：已经有“{1}”。",
  "gong.{0}(): {1} are the most.": "gong.{0}()：最多 {1} 个。",
  "gong.{0}() works only while the extension is loaded.": "gong.{0}() 只能在扩展加载时使用。",
  'gong.renderer(): "tool" is the name of a tool.': "gong.renderer()：“tool”必须是工具的名称。",
  'gong.provider(): "name" is 1 to 64 of a-z 0-9 . _ -.': "gong.provider()：“name”必须是 1 到 64 个 a-z 0-9 . _ -。",
  'gong.provider(): "{0}": "models" has a model: {ID: {}}.':
    "gong.provider()：“{0}”的“models”至少要有一个模型：{ID: {}}。",
  'gong.provider(): "{0}": "baseUrl" says where it is asked, or "stream" asks it.':
    "gong.provider()：“{0}”要有“baseUrl”写明地址，或由“stream”来请求。",
  'gong.provider(): "{0}": "{1}" is for a wire format that Gong speaks, and "stream" speaks its own.':
    "gong.provider()：“{0}”的“{1}”用于 Gong 支持的接口格式，而“stream”用自己的格式。",
  'gong.provider(): "{0}": "keys" need a "baseUrl": a key is kept for one address.':
    "gong.provider()：“{0}”的“keys”需要“baseUrl”：密钥只为一个地址保存。",
  "gong.resources({0}): each is a list of paths.": "gong.resources({0})：每一项都必须是路径的列表。",
  'gong.resources(): "{0}" is a list of paths.': "gong.resources()：“{0}”必须是路径的列表。",
  "stream() gives no pieces. Write it as a generator: async *stream() {...}":
    "stream() 没有给出片段。请写成生成器：async *stream() {...}",
  "its answer has {0} characters; {1} are the most": "回答有 {0} 个字符；最多 {1} 个",
  "it called process.exit()": "它调用了 process.exit()",
  "it needed more than {0} MB of memory": "它需要的内存超过 {0} MB",
  "{0} is not as it was when this folder was trusted. Look at it, then trust it again. ({1})":
    "{0} 与信任此文件夹时不同。请查看，再重新信任。（{1}）",
  '"{0}" lies outside of {1}, and what is trusted is that folder. Move it there. ({2})':
    "“{0}”在 {1} 之外，而信任的是那个文件夹。请移到那里。（{2}）",
  "{0} has {1} bytes; {2} are the most. Split it.": "{0} 有 {1} 字节；最多 {2}。请拆分。",
}
