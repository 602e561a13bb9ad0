import { isPortVariable, namesPrimary, portUse } from '../servers/ports.ts'
import { valueFault } from '../startup/check-value.ts'
import type { LinkablePort } from '../startup/port-links.ts'
import { parseRules } from '../startup/rules.ts'
import { isNoError, readableText } from './match.ts'

/** The wordings in which programs name the port that they could not open. */
const NAMED: readonly RegExp[] = [
  /address already in use \S{0,60}?:(\d{1,5})\s*$/i,
  /\bbind\b.{0,80}\bport '?(\d{1,5})\b/i,
  /could not bind on \S{1,60}:(\d{1,5})\b/i,
  /\bport '?(\d{1,5})'? (?:is |was )?(?:already )?in use\b/i,
  /Starting Minecraft server on \S{1,60}:(\d{1,5})\s*$/i,
]

/** The port that a program could not open, by the line of the rule or those above it, the nearest first. */
export const failedPortOf = (line: string, above: readonly string[]): number | undefined => {
  for (const text of [...above, line].map(readableText).toReversed()) {
    if (isNoError(text)) continue
    for (const pattern of NAMED) {
      const port = Number(pattern.exec(text)?.[1])
      if (port > 0) return port
    }
  }
  return undefined
}

export type PortVariable = {
  readonly environmentVariable: string
  readonly name: string
  readonly rules: string
  readonly editable: boolean
  readonly secret: boolean
  readonly value: string | null
  readonly isDefault: boolean
  /** For a variable that the template calls a port: the port of the server that it means, if it means one. */
  readonly port: { readonly link: string | null } | null
}

export type PortVariableFacts = {
  readonly variables: readonly PortVariable[]
  /** In the order of the places that the program's arguments name. */
  readonly ports: readonly LinkablePort[]
  /** The arguments of the start, with their placeholders. */
  readonly command: readonly string[]
}

/**
 * The variable that holds the failed port. `edit`: it gets another port of the server. `to` and `before` are as the settings take
 * them: `primary` for a link to the primary port, `before` null for the template's own value; `port` is the number that `to` means.
 * `no-port`: it needs one, and the server has none that is free. `right`: the port is the server's own and the variable's alone.
 */
export type PortVariablePlan =
  | {
      readonly is: 'edit'
      readonly variable: string
      readonly name: string
      readonly from: string
      readonly to: string
      readonly port: number
      readonly before: string | null
    }
  | { readonly is: 'no-port'; readonly name: string }
  | { readonly is: 'right'; readonly name: string }

const holds = ({ environmentVariable, port, secret, value }: PortVariable, failed: number): boolean =>
  !secret && (port !== null || isPortVariable(environmentVariable)) && value?.trim() === String(failed)

/**
 * The value that undoes a change; undefined where none does: a variable that the template calls a port takes only ports
 * of the server, and this one held another.
 */
const wayBack = ({ port, value, isDefault }: PortVariable): string | null | undefined =>
  isDefault ? null : port === null ? value : (port.link ?? undefined)

/** Whether a port of the server is named by something beside the holder: another variable, or an argument of the program. */
const takenBeside = (holder: PortVariable, { variables, ports, command }: PortVariableFacts) => {
  const others = variables.filter((each) => each !== holder)
  const facts = {
    allocations: ports.map((each) => ({ ...each, ip: '' })),
    programs: [command],
    environment: Object.fromEntries(others.map(({ environmentVariable, value }) => [environmentVariable, value ?? ''])),
    linked: others.filter(({ port }) => port !== null).map(({ environmentVariable }) => environmentVariable),
  }
  return ({ port, primary }: LinkablePort): boolean => {
    const { byProgram, variables: naming } = portUse(facts, port)
    return byProgram || naming.length > 0 || (primary && namesPrimary(facts))
  }
}

/**
 * The plan for the start-up variable with the port that a program could not open; undefined where no variable holds it, or
 * where several do and it is not known which of them the program meant.
 */
export function portVariablePlan(facts: PortVariableFacts, failed: number | undefined): PortVariablePlan | undefined {
  if (failed === undefined) return undefined
  const open = facts.variables.filter((each) => holds(each, failed) && each.editable && wayBack(each) !== undefined)
  const [holder] = open
  if (holder === undefined || open.length > 1) return undefined
  const { environmentVariable: variable, name, rules, value, port: linkable } = holder
  const isTaken = takenBeside(holder, facts)
  const own = facts.ports.find(({ port }) => port === failed)
  if (own !== undefined && !isTaken(own)) return { is: 'right', name }
  // A game opens the primary port also where nothing names it: only what the template calls a port may share its number.
  const isFit = ({ port, primary }: LinkablePort): boolean =>
    linkable !== null || (!primary && valueFault(parseRules(rules).rules, String(port)) === undefined)
  const free = facts.ports
    .toSorted((one, other) => Number(other.primary) - Number(one.primary))
    .find((each) => each.port !== failed && !isTaken(each) && isFit(each))
  if (free === undefined) return { is: 'no-port', name }
  const to = linkable !== null && free.primary ? 'primary' : String(free.port)
  return { is: 'edit', variable, name, from: value ?? '', to, port: free.port, before: wayBack(holder) ?? null }
}
