import type { ServerStartup, StartupVariable } from '#contracts/http/panel/startup.ts'
import { valueFault } from '#domain/startup/check-value.ts'
import type { ValueFault } from '#domain/startup/check-value.ts'
import { linkedPort } from '#domain/startup/port-links.ts'
import { parseRules } from '#domain/startup/rules.ts'

/** Typed values by variable; null is the default of a secret, which the page does not know. */
type Typed = Readonly<Record<string, string | null>>

export type StartupDraft = {
  /** The saved settings that the typed ones belong to. */
  readonly base: ServerStartup
  readonly typed: Typed
  /** Variables that somebody else saved while they were being typed. */
  readonly clashes: ReadonlySet<string>
  /** When somebody else saved; null unless typed values have survived it. */
  readonly otherAt: string | null
}

export const beginDraft = (base: ServerStartup): StartupDraft => ({
  base,
  typed: {},
  clashes: new Set(),
  otherAt: null,
})

/** The saved value as a control has it: a port by its link. */
export const savedText = ({ port, value }: StartupVariable): string => (port ? (port.link ?? '') : (value ?? ''))

/** The default as a control has it; null for a secret. */
export const defaultText = (variable: StartupVariable): string | null =>
  variable.port ? (variable.port.default ?? '') : variable.default

/** The text in the control of a variable. */
export const shownText = ({ typed }: StartupDraft, variable: StartupVariable): string =>
  typed[variable.environmentVariable] ?? savedText(variable)

const find = (startup: ServerStartup, name: string): StartupVariable | undefined =>
  startup.variables.find(({ environmentVariable }) => environmentVariable === name)

const without = (typed: Typed, names: ReadonlySet<string>): Typed =>
  Object.fromEntries(Object.entries(typed).filter(([name]) => !names.has(name)))

/** Whether a value is what is saved already. A secret is never known to be. */
const isSaved = (variable: StartupVariable | undefined, value: string | null): boolean =>
  variable !== undefined && !variable.secret && value === savedText(variable)

/** With another value typed. */
export function typeValue(draft: StartupDraft, variable: StartupVariable, value: string | null): StartupDraft {
  const { environmentVariable: name } = variable
  const clashes = new Set([...draft.clashes].filter((each) => each !== name))
  const rest = without(draft.typed, new Set([name]))
  return { ...draft, clashes, typed: isSaved(variable, value) ? rest : { ...rest, [name]: value } }
}

/** With the saved value of a variable instead of the typed one. */
export function forgetValue(draft: StartupDraft, name: string): StartupDraft {
  const names = new Set([name])
  return {
    ...draft,
    typed: without(draft.typed, names),
    clashes: new Set([...draft.clashes].filter((each) => each !== name)),
  }
}

/** With the typed value of a clash: the reader has decided. */
export const keepValue = (draft: StartupDraft, name: string): StartupDraft => ({
  ...draft,
  clashes: new Set([...draft.clashes].filter((each) => each !== name)),
})

/** With the defaults of all variables that the reader may change. */
export const resetAll = (draft: StartupDraft): StartupDraft =>
  draft.base.variables
    .filter(({ editable, isDefault, secret }) => editable && (secret || !isDefault))
    .reduce<StartupDraft>((next, variable) => typeValue(next, variable, defaultText(variable)), {
      ...draft,
      typed: {},
    })

/** Whether the one change between the two was that of the image, which no typed value is about. */
const hasOnlyAnotherImage = (before: ServerStartup, after: ServerStartup): boolean =>
  after.version === before.version + 1 && after.image?.current !== before.image?.current

/**
 * The draft over settings that have arrived since. Typed values stay; those that somebody else changed meanwhile are
 * marked, and a secret may always be one of them.
 */
export function rebaseDraft(draft: StartupDraft, base: ServerStartup): StartupDraft {
  const typed = Object.fromEntries(
    Object.entries(draft.typed).filter(([name, value]) => {
      const variable = find(base, name)
      return variable !== undefined && !isSaved(variable, value)
    }),
  )
  if (base.version === draft.base.version || hasOnlyAnotherImage(draft.base, base)) return { ...draft, base, typed }
  const isOther = (name: string): boolean => {
    const before = find(draft.base, name)
    const after = find(base, name)
    return (
      after?.secret === true || (before !== undefined && after !== undefined && savedText(before) !== savedText(after))
    )
  }
  const names = Object.keys(typed)
  const clashes = new Set(names.filter((name) => draft.clashes.has(name) || isOther(name)))
  return { base, typed, clashes, otherAt: names.length > 0 ? base.changedAt : null }
}

/** The draft after its values were saved. Values that were typed while the saved ones were on their way stay. */
export function savedDraft(draft: StartupDraft, sent: Typed, base: ServerStartup): StartupDraft {
  const done = new Set(Object.keys(sent).filter((name) => draft.typed[name] === sent[name]))
  return { base, typed: without(draft.typed, done), clashes: new Set(), otherAt: null }
}

/** Why typed values would be refused, by variable: the same decision that the control plane makes. */
export function draftFaults({ base, typed }: StartupDraft): Readonly<Record<string, ValueFault>> {
  const faults = Object.entries(typed).flatMap(([name, value]) => {
    const variable = find(base, name)
    if (variable === undefined || value === null) return []
    const isLost = variable.port !== null && linkedPort(value, base.ports) === undefined
    const fault: ValueFault | undefined = variable.port
      ? isLost
        ? { code: 'ownPort' }
        : undefined
      : valueFault(parseRules(variable.rules).rules, value)
    return fault ? [[name, fault] as const] : []
  })
  return Object.fromEntries(faults)
}

/** Secrets that have a value, which nobody sees in passing. */
export const hiddenSecrets = ({ base, typed }: StartupDraft): string[] =>
  base.variables
    .filter(({ secret, isSet, environmentVariable: name }) => secret && (name in typed ? typed[name] !== '' : isSet))
    .map(({ environmentVariable }) => environmentVariable)

/** The values with which a program would start: the text of each variable, ports as numbers, and nothing of secrets. */
export function startedValues(draft: StartupDraft): Readonly<Record<string, string>> {
  const { ports, variables } = draft.base
  const textOf = (variable: StartupVariable): string => {
    if (variable.secret) return ''
    const text = shownText(draft, variable)
    if (variable.port === null) return text
    return String(linkedPort(text, ports) ?? variable.value ?? '')
  }
  return Object.fromEntries(variables.map((variable) => [variable.environmentVariable, textOf(variable)]))
}
