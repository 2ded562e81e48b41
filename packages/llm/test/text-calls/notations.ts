/** One call, `edit` of `src/a.ts` with a multi-line text, as the templates of these models write it. */
export const args = { path: "src/a.ts", text: 'let a = "<b>"\n\tif (a) {', count: 3 }
const json = JSON.stringify(args)
const call = JSON.stringify({ name: "edit", arguments: args })
const pairs = (open: (name: string) => string, close: string) =>
  Object.entries(args)
    .map(([name, value]) => `${open(name)}${value}${close}`)
    .join("\n")

export const notations: Readonly<Record<string, string>> = {
  Hermes: `<tool_call>\n${call}\n</tool_call>`,
  "Hermes without its end": `<tool_call>\n${call}`,
  "Qwen3-Coder": `<tool_call>\n<function=edit>\n${pairs((name) => `<parameter=${name}>\n`, "\n</parameter>")}\n</function>\n</tool_call>`,
  "Qwen3-Coder without its beginning": `<function=edit>\n${pairs((name) => `<parameter=${name}>\n`, "\n</parameter>")}\n</function>\n</tool_call>`,
  GLM: `<tool_call>edit\n${pairs((name) => `<arg_key>${name}</arg_key>\n<arg_value>`, "</arg_value>")}\n</tool_call>`,
  "Llama, built-in tools": `<|python_tag|>${JSON.stringify({ type: "function", name: "edit", parameters: args })}<|eom_id|>`,
  "Llama, own tools": `<function=edit>${json}</function>`,
  "Mistral, list": `[TOOL_CALLS] [${call}]</s>`,
  "Mistral, newer": `[TOOL_CALLS]edit[CALL_ID]abcdefghi[ARGS]${json}`,
  "DeepSeek R1": `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>edit\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  "DeepSeek V3.1": `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>edit<｜tool▁sep｜>${json}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
  "DeepSeek V3.2": `<｜DSML｜function_calls>\n<｜DSML｜invoke name="edit">\n${pairs((name) => `<｜DSML｜parameter name="${name}" string="${name !== "count"}">`, "</｜DSML｜parameter>")}\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
  Kimi: `<|tool_calls_section_begin|><|tool_call_begin|>functions.edit:0<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`,
  harmony: `<|channel|>commentary to=functions.edit <|constrain|>json<|message|>${json}<|call|>`,
  "harmony with its role": `<|start|>assistant to=functions.edit<|channel|>commentary <|constrain|>json<|message|>${json}<|call|>`,
  invoke: `<function_calls>\n<invoke name="edit">\n${pairs((name) => `<parameter name="${name}">`, "</parameter>")}\n</invoke>\n</function_calls>`,
  MiniMax: `<minimax:tool_call>\n<invoke name="edit">\n${pairs((name) => `<parameter name="${name}">`, "</parameter>")}\n</invoke>\n</minimax:tool_call>`,
  Granite: `<|tool_call|>[${call}]`,
  Nemotron: `<TOOLCALL>[${call}]</TOOLCALL>`,
  fence: `\`\`\`json\n${JSON.stringify({ name: "edit", arguments: args }, null, 2)}\n\`\`\``,
  "bare object": call,
  "bare object with parameters": JSON.stringify({ name: "edit", parameters: args }),
  "bare list": `[${call}]`,
  "OpenAI's own form": JSON.stringify({
    tool_calls: [{ id: "a", type: "function", function: { name: "edit", arguments: json } }],
  }),
}
