import { valueFault, type ValueFault } from './check-value.ts'
import { chosenLink, linkedPort, linkOfPlace, type LinkablePort, type PortLinks } from './port-links.ts'
import { parseRules } from './rules.ts'

/** A variable of a server's template, as far as its value is concerned. */
export type VariableFacts = {
  readonly environmentVariable: string
  readonly default: string
  readonly editable: boolean
  readonly rules: string
  /** The place in the list of ports; null for a variable that is no port. */
  readonly port: number | null
}

/** The values that a server has. */
export type StartupValues = {
  readonly environment: Readonly<Record<string, string>>
  readonly portLinks: PortLinks
}

/** The wanted values by variable; null stands for the template's default. */
export type WantedValues = Readonly<Record<string, string | null>>

export type StartupDecision =
  | { readonly ok: true; readonly values: StartupValues; readonly changed: readonly string[] }
  | { readonly ok: false; readonly faults: Readonly<Record<string, ValueFault>> }

type Facts = {
  readonly variables: readonly VariableFacts[]
  readonly ports: readonly LinkablePort[]
}

type Decided = { readonly value: string; readonly link?: PortLinks[string] } | { readonly fault: ValueFault }

const decidePort = (place: number, wanted: string | null, ports: readonly LinkablePort[]): Decided => {
  const link = wanted === null ? linkOfPlace(place, ports) : chosenLink(wanted, ports)
  const port = link && linkedPort(link, ports)
  return link === undefined || port === undefined ? { fault: { code: 'ownPort' } } : { value: String(port), link }
}

const decideValue = (variable: VariableFacts | undefined, wanted: string | null, { ports }: Facts): Decided => {
  if (variable === undefined) return { fault: { code: 'unknown' } }
  if (!variable.editable) return { fault: { code: 'locked' } }
  if (variable.port !== null) return decidePort(variable.port, wanted, ports)
  const value = wanted ?? variable.default
  const fault = valueFault(parseRules(variable.rules).rules, value)
  return fault === undefined ? { value } : { fault }
}

/** The links of variables that still contain a port. One that staff have made an ordinary variable keeps what is typed. */
const stillLinked = (links: PortLinks, { variables }: Facts): PortLinks =>
  Object.fromEntries(
    Object.entries(links).filter(
      ([name]) => variables.find(({ environmentVariable }) => environmentVariable === name)?.port !== null,
    ),
  )

/**
 * Decides whether a server takes the wanted values. All faults are found, and one of them refuses everything: half a change
 * could start a program that neither the old nor the new values describe.
 */
export function decideStartupChange(facts: Facts, present: StartupValues, wanted: WantedValues): StartupDecision {
  const faults: Record<string, ValueFault> = {}
  const environment: Record<string, string> = {}
  const portLinks: Record<string, PortLinks[string]> = {}
  for (const [name, value] of Object.entries(wanted)) {
    const variable = facts.variables.find(({ environmentVariable }) => environmentVariable === name)
    const decided = decideValue(variable, value, facts)
    if ('fault' in decided) faults[name] = decided.fault
    else {
      environment[name] = decided.value
      if (decided.link !== undefined) portLinks[name] = decided.link
    }
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults }
  const hasOwn = (name: string) => Object.hasOwn(present.environment, name)
  const isSame = (name: string) =>
    hasOwn(name) && present.environment[name] === environment[name] && present.portLinks[name] === portLinks[name]
  const changed = Object.keys(environment).filter((name) => !isSame(name))
  const values = {
    environment: { ...present.environment, ...environment },
    portLinks: { ...stillLinked(present.portLinks, facts), ...portLinks },
  }
  return { ok: true, values, changed }
}
