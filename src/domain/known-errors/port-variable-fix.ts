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
  readonly ports: readonly LinkablePort[]
  /** The ports that the program's arguments name. */
  readonly ofProgram: readonly number[]
}

/**
 * The variable that holds the failed port. `edit`: it gets another port of the server, and `before` is its earlier value, null
 * for the template's own. `no-port`: it needs one, and the server has none that is free. `right`: the port is the server's
 * own and the variable's alone.
 */
export type PortVariablePlan =
  | {
      readonly is: 'edit'
      readonly variable: string
      readonly name: string
      readonly from: string
      readonly to: string
      readonly before: string | null
    }
  | { readonly is: 'no-port'; readonly name: string }
  | { readonly is: 'right'; readonly name: string }

const PORT_NAME = /(?:^|_)PORT$/

const isPort = ({ environmentVariable, port, secret }: PortVariable): boolean =>
  !secret && (port !== null || PORT_NAME.test(environmentVariable))

/**
 * The value that undoes a change; undefined where none does: a variable that the template calls a port takes only ports
 * of the server, and this one held another.
 */
const wayBack = ({ port, value, isDefault }: PortVariable): string | null | undefined =>
  port === null ? (isDefault ? null : value) : (port.link ?? undefined)

/**
 * The plan for the start-up variable with the port that a program could not open; undefined where no variable holds it, or
 * where several do and it is not known which of them the program meant.
 */
export function portVariablePlan(facts: PortVariableFacts, failed: number | undefined): PortVariablePlan | undefined {
  if (failed === undefined) return undefined
  const { variables, ports, ofProgram } = facts
  const holders = variables.filter((each) => isPort(each) && each.value === String(failed))
  const open = holders.filter((each) => each.editable && wayBack(each) !== undefined)
  const [holder] = open
  if (holder === undefined || open.length > 1) return undefined
  const { environmentVariable: variable, name, rules, value } = holder
  const others = variables.filter((each) => each !== holder && isPort(each)).map((each) => each.value)
  const isTaken = ({ port }: LinkablePort): boolean => ofProgram.includes(port) || others.includes(String(port))
  const own = ports.find(({ port }) => port === failed)
  if (own !== undefined && !isTaken(own)) return { is: 'right', name }
  const isFit = ({ port }: LinkablePort): boolean =>
    holder.port !== null || valueFault(parseRules(rules).rules, String(port)) === undefined
  const free = ports
    .toSorted((one, other) => Number(other.primary) - Number(one.primary))
    .find((each) => each.port !== failed && !isTaken(each) && isFit(each))
  if (free === undefined) return { is: 'no-port', name }
  return { is: 'edit', variable, name, from: value ?? '', to: String(free.port), before: wayBack(holder) ?? null }
}
