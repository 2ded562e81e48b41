/** Resources: skills, templates, themes, extensions, and what is wrong with them. */
export const resources: Readonly<Record<string, string>> = {
  // build/diagnostics.ts
  warning: "警告",
  error: "错误",
  collision: "重名",
  // commands/doctor.ts
  skills: "技能",
  themes: "配色",
  "{0}, templates {1}, files of instructions {2} (gong skills list, gong config prompt)":
    "{0} 个，模板 {1} 个，说明文件 {2} 个（gong skills list、gong config prompt）",
  " (chosen)": "（已选用）",
  // themes
  "colours on a terminal: the name of a theme, or the full path of its file":
    "终端的颜色：配色的名称，或其文件的完整路径",
  'gong: there is no theme "{0}".{1} gong doctor lists those that there are.\n':
    "gong: 没有配色“{0}”。{1}gong doctor 会列出已有的。\n",
}
