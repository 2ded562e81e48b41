import { noWayAround, phrase, type Phrase, sayThePlan } from "@gong/spec"

/** Texts of refusals: English for the model, translated for users. */

export function needsPermission(what: string): Phrase {
  return phrase`Refused: "${what}" needs permission and nobody is here to give it. ${noWayAround}`
}

export function needsPermissionOrRule(what: string, rule: string): Phrase {
  return phrase`Refused: "${what}" needs permission and nobody is here to give it. The user can allow it with --allow "${rule}". ${noWayAround}`
}

export function needsHostPermission(what: string, rule: string): string {
  return `${what} was refused: commands reach package registries, the remotes of this repository and what rules name (--network hosts). The user can allow it with --allow "${rule}". ${noWayAround}`
}

export function hostDenied(what: string, why: string): string {
  return `${what} was refused: ${why}. ${noWayAround}`
}

export function needsUnsandboxedPermission(what: string, rule: string | null): Phrase {
  const flag = rule === null ? "--sandbox off" : phrase`--allow "${rule}" or --sandbox off`
  return phrase`Refused: "${what}" outside the sandbox needs permission and nobody is here to give it. The user can allow it with ${flag}. ${noWayAround}`
}

export function deniedByRule(what: string, rule: string): Phrase {
  return phrase`Refused: "${what}" is forbidden by the rule ${rule}. ${noWayAround}`
}

export function deniedByGuard(what: string, lost: string): Phrase {
  return phrase`Refused: "${what}" would destroy ${lost}. Gong never runs this, whatever is allowed. ${noWayAround}`
}

export function unknownFolder(what: string, command: string): Phrase {
  return phrase`Refused: "${what}" would destroy a whole folder, and which one cannot be known before it runs (${command}). Gong never runs this, whatever is allowed. ${nameTheFolder}`
}

export function deniedByPlan(what: string): Phrase {
  return phrase`Refused: "${what}" is not run, because this session only plans. ${sayThePlan}`
}

export function outsideRoots(tool: string, path: string, folder: string, workspace: string): Phrase {
  return phrase`Refused: ${path} is outside the workspace (${workspace}). Allow it with --add-dir ${folder} or --allow "${tool}(${path})".`
}

const nameTheFolder =
  'Name the folder: write its path out, or assign it in the same command, as in "DIR=build; rm -rf $DIR". What a variable of the environment holds, a list in the command, a search by name (find . -name node_modules) and mktemp are known, too.'
