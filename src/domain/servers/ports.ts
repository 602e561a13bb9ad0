/** A port of a server as its specification names it: for tcp and udp alike. */
export type OwnPort = { readonly ip: string; readonly port: number; readonly primary: boolean }

/** The ports in a server's specification, with everything that names one. */
export type PortFacts = {
  /** In the order of the placeholders `{{port:0}}`, `{{port:1}}`, ... */
  readonly allocations: readonly OwnPort[]
  /** Arguments of every program of the server: its start and its installation. */
  readonly programs: readonly (readonly string[])[]
  /** Values of the variables by their name. */
  readonly environment: Readonly<Record<string, string>>
  /** Variables that contain a port because they are linked to it, whatever their name. */
  readonly linked?: readonly string[]
}

/** Ports that a server may have beyond those that its template needs. */
export const EXTRA_PORTS = 3

/** How many ports a server of a template may have. */
export const portLimitOf = (requiredPorts: number): number => requiredPorts + EXTRA_PORTS

const WORDS_WITH_PORT = ['SUPPORT', 'EXPORT', 'IMPORT', 'REPORT', 'TRANSPORT', 'PASSPORT']

/** Whether a variable of this name holds a port: `QUERY_PORT`, `SERVER_WEBPORT`, `PORT2`; not `SUPPORT_MAIL`. */
export const isPortVariable = (name: string): boolean =>
  name.split('_').some((word) => /PORT\d*$/.test(word) && !WORDS_WITH_PORT.includes(word.replace(/\d+$/, '')))

/** Names of the variables that name a port, in their order. */
export const variablesNaming = (
  { environment, linked = [] }: Pick<PortFacts, 'environment' | 'linked'>,
  port: number,
): string[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    (isPortVariable(name) || linked.includes(name)) && value.trim() === String(port) ? [name] : [],
  )

const PLACEHOLDER = /\{\{\s*port:(\d{1,4})\s*\}\}/g

/** How many ports the programs name by their place: a server with fewer could not start. */
export const namedPlaces = ({ programs }: Pick<PortFacts, 'programs'>): number =>
  Math.max(
    0,
    ...programs.flat().flatMap((part) => [...part.matchAll(PLACEHOLDER)].map(([, place]) => Number(place) + 1)),
  )

/** Whether a program names the primary port as such, whatever its place. */
export const namesPrimary = ({ programs }: Pick<PortFacts, 'programs'>): boolean =>
  programs.flat().some((part) => /\{\{\s*port\s*\}\}/.test(part))

/** The uses of a port. `byProgram`: an argument of the server's program names it by its place. */
export type PortUse = {
  readonly isPrimary: boolean
  readonly byProgram: boolean
  readonly variables: readonly string[]
}

/** The uses of one of the server's ports; it is free if nothing names it. */
export const portUse = (facts: PortFacts, port: number): PortUse => {
  const place = facts.allocations.findIndex((each) => each.port === port)
  return {
    isPrimary: facts.allocations[place]?.primary ?? false,
    // Without it the ports after it would move up.
    byProgram: place >= 0 && place < namedPlaces(facts),
    variables: variablesNaming(facts, port),
  }
}

export type RemovalRefusal =
  | { readonly code: 'PORT_IS_PRIMARY' }
  | { readonly code: 'PORT_IN_USE'; readonly variable: string }
  | { readonly code: 'PORT_IN_PROGRAM' }

/** Why a port may not be removed; null if it may. */
export const refuseRemoval = (facts: PortFacts, port: number): RemovalRefusal | null => {
  const { isPrimary, byProgram, variables } = portUse(facts, port)
  if (isPrimary) return { code: 'PORT_IS_PRIMARY' }
  const [variable] = variables
  if (variable !== undefined) return { code: 'PORT_IN_USE', variable }
  return byProgram ? { code: 'PORT_IN_PROGRAM' } : null
}

/** The variables with every port that one of them names replaced as `renumbering` says. */
export const renumbered = (
  environment: PortFacts['environment'],
  renumbering: ReadonlyMap<number, number>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      const next = /^\s*\d{1,5}\s*$/.test(value) && isPortVariable(name) ? renumbering.get(Number(value)) : undefined
      return [name, next === undefined ? value : String(next)]
    }),
  )

/**
 * The ports and variables with another primary port. The two ports change places, so that placeholders never name one port twice, and
 * variables that name either follow. Null if the server does not have the port.
 */
export const withPrimary = (
  { allocations, environment }: Pick<PortFacts, 'allocations' | 'environment'>,
  port: number,
): { allocations: OwnPort[]; environment: Record<string, string> } | null => {
  const chosen = allocations.find((each) => each.port === port)
  const before = allocations.find(({ primary }) => primary) ?? allocations[0]
  if (chosen === undefined || before === undefined) return null
  const swapped = new Map([
    [before.port, chosen],
    [chosen.port, before],
  ])
  const renumbering = new Map([
    [before.port, chosen.port],
    [chosen.port, before.port],
  ])
  return {
    allocations: allocations.map((each) => {
      const { ip, port: number } = swapped.get(each.port) ?? each
      return { ip, port: number, primary: number === chosen.port }
    }),
    environment: renumbered(environment, renumbering),
  }
}

/** The generations of a port, and that of the running program: null without one, undefined if the node does not say it. */
export type PortAge = { readonly addedIn: number; readonly removedIn: number | null }

/** Whether a program that was started with this generation has the port. */
export const hasPort = ({ addedIn, removedIn }: PortAge, generation: number): boolean =>
  addedIn <= generation && (removedIn === null || removedIn > generation)

/** Whether the running program has other ports, or another primary one, than the server has now. */
export const needsRestart = (
  ports: readonly PortAge[],
  { primarySetIn, runningGeneration }: { primarySetIn: number; runningGeneration: number | null },
): boolean => {
  if (runningGeneration === null) return false
  if (primarySetIn > runningGeneration) return true
  return ports.some((port) => hasPort(port, runningGeneration) !== (port.removedIn === null))
}

/** An address as players type it: IPv6 needs brackets before a port. */
export const typedAddress = (ip: string, port: number): string => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`
