/** The meaning of a placeholder in a template's program. `port` is the primary one without an index. */
export type Placeholder =
  | { readonly is: 'program'; readonly name: string }
  | { readonly is: 'root' }
  | { readonly is: 'memory' }
  | { readonly is: 'ip' }
  | { readonly is: 'port'; readonly index: number | null }
  /** The address at which a program reaches its own node. */
  | { readonly is: 'interface' }
  | { readonly is: 'variable'; readonly name: string }

/** `{{…}}` in an argument. Inner braces are none, so that a placeholder cannot be assembled from two. */
export const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** Variables that a node sets for every program itself, whatever its template says of them. */
const GIVEN = {
  SERVER_MEMORY: { is: 'memory' },
  SERVER_IP: { is: 'ip' },
  SERVER_PORT: { is: 'port', index: null },
} as const satisfies Readonly<Record<string, Placeholder>>

/** Where the value of a variable comes from that nobody sets: the size, the machine or the primary port of its server. */
export type GivenSource = (typeof GIVEN)[keyof typeof GIVEN]['is']

const isGiven = (name: string): name is keyof typeof GIVEN => Object.hasOwn(GIVEN, name)

/** The source of a variable that the node sets; undefined for every other one. */
export const givenSource = (name: string): GivenSource | undefined => (isGiven(name) ? GIVEN[name].is : undefined)

/** The address at which a program in a container listens for what reaches the server's own: all of the container's. */
export const containerListenIp = (ip: string): string => (ip.includes(':') ? '::' : '0.0.0.0')

/** Names without an argument, in the spelling of this product and of the panels whose templates are imported. */
const FIXED: Readonly<Record<string, Placeholder>> = {
  root: { is: 'root' },
  memoryMiB: { is: 'memory' },
  port: { is: 'port', index: null },
  ...GIVEN,
  'server.build.memory': { is: 'memory' },
  'server.build.memory_limit': { is: 'memory' },
  'server.build.default.ip': { is: 'ip' },
  'server.build.default.port': { is: 'port', index: null },
  'server.allocations.default.ip': { is: 'ip' },
  'server.allocations.default.port': { is: 'port', index: null },
  'config.docker.interface': { is: 'interface' },
  'config.docker.network.interface': { is: 'interface' },
}
const VARIABLE = /^(?:env:|env\.|server\.env\.|server\.build\.env\.|server\.environment\.)([A-Za-z_][A-Za-z0-9_]*)$/
const BARE = /^[A-Z_][A-Z0-9_]*$/

/**
 * The meaning of a placeholder, by an allow-list: undefined for every other name, so that nothing of the node's own
 * configuration or environment can be named.
 */
export function placeholderOf(text: string): Placeholder | undefined {
  const name = text.trim()
  if (Object.hasOwn(FIXED, name)) return FIXED[name]
  const [, program] = /^program:(.*)$/s.exec(name) ?? []
  if (program !== undefined) return { is: 'program', name: program }
  const [, index] = /^port:(\d{1,2})$/.exec(name) ?? []
  if (index !== undefined) return { is: 'port', index: Number(index) }
  const variable = VARIABLE.exec(name)?.[1] ?? BARE.exec(name)?.[0]
  if (variable === undefined) return undefined
  // In the command as in the environment: one name has one value.
  return isGiven(variable) ? GIVEN[variable] : { is: 'variable', name: variable }
}
