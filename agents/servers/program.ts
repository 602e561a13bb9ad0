import type { Program, ServerSpec } from '#contracts/agent/server-spec.ts'
import { PLACEHOLDER, placeholderOf } from '#contracts/agent/placeholder.ts'
import { REGISTRY_VARIABLE } from '../npm/registry-cache.ts'
import type { ProgramPlace } from '../runtime/driver/runtime-driver.ts'

export interface ProgramContext extends ProgramPlace {
  readonly spec: ServerSpec
}

export type ResolvedProgram =
  | { readonly ok: true; readonly argv: readonly string[] }
  | { readonly ok: false; readonly code: 'UNKNOWN_PROGRAM' | 'UNKNOWN_PLACEHOLDER'; readonly detail: string }

/** One of the agent's own programs must be a separate argument: it may expand to several. */
const OWN_PROGRAM = /^\{\{program:([^{}]*)\}\}$/
/** Programs cannot reach their node, so the address that other panels give for that leads nowhere else. */
const NODE_INTERFACE = '127.0.0.1'

const primaryOf = ({ allocations }: ServerSpec): ServerSpec['allocations'][number] | undefined =>
  allocations.find(({ primary }) => primary) ?? allocations[0]

const valueOf = (name: string, { spec, ...place }: ProgramContext): string | undefined => {
  const placeholder = placeholderOf(name)
  const primary = primaryOf(spec)
  switch (placeholder?.is) {
    case 'root':
      return place.rootFolder
    case 'memory':
      return String(spec.limits.memoryMiB)
    case 'ip':
      return primary && place.listenIp(primary.ip)
    case 'port':
      return (placeholder.index === null ? primary : spec.allocations[placeholder.index])?.port.toString()
    case 'interface':
      return NODE_INTERFACE
    case 'variable':
      return Object.hasOwn(spec.environment, placeholder.name) ? spec.environment[placeholder.name] : undefined
    default:
      return undefined
  }
}

/**
 * Replaces the placeholders of a template's program. Each is replaced once, so that a customer's value that looks like
 * a placeholder or shell text stays one literal argument.
 */
export const resolveProgram = (program: Program, context: ProgramContext): ResolvedProgram => {
  let unknown: string | undefined
  const parts = program.argv.flatMap((part): readonly string[] => {
    const own = OWN_PROGRAM.exec(part)?.[1]
    if (own !== undefined) {
      const named = context.program(own)
      if (named === undefined) unknown ??= `program:${own}`
      return named ?? []
    }
    const filled = part.replace(PLACEHOLDER, (whole: string, name: string) => {
      const value = valueOf(name, context)
      if (value === undefined) unknown ??= name
      return value ?? whole
    })
    return [filled]
  })
  if (unknown !== undefined) {
    const code = unknown.startsWith('program:') ? 'UNKNOWN_PROGRAM' : 'UNKNOWN_PLACEHOLDER'
    return { ok: false, code, detail: unknown }
  }
  if (parts.some((part) => part.includes('\0'))) return { ok: false, code: 'UNKNOWN_PLACEHOLDER', detail: 'NUL' }
  const [command = '', ...rest] = parts
  if (command === 'node') return { ok: true, argv: [context.nodePath, ...rest] }
  if (command === 'npm') return { ok: true, argv: [...context.npmCommand, ...rest] }
  return { ok: true, argv: parts }
}

/** Names that would change the behaviour of our own launchers, Node or the loader, or that the agent itself sets. */
const RESERVED = /^(LD_.*|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|PATH|HOME|USER|SHELL|BAKTER_.*|NPM_CONFIG_.*)$/i

export interface NpmSettings {
  readonly registry: string | undefined
  /** The folder of npm's cache during an installation; by default in the server's own folder. */
  readonly folder?: string | undefined
}

/**
 * The complete environment of a server's program: this list and the template's variables, nothing of the agent's own.
 */
export const environmentOf = (
  context: ProgramContext,
  kind: 'install' | 'server',
  npm: NpmSettings,
): Record<string, string> => {
  const { spec } = context
  const primary = primaryOf(spec)
  const variables = Object.entries(spec.environment).filter(
    ([name, value]) => !RESERVED.test(name) && !value.includes('\0'),
  )
  return {
    ...Object.fromEntries(variables),
    ...(context.searchPath === null ? {} : { PATH: context.searchPath }),
    HOME: context.rootFolder,
    USER: 'container',
    LANG: 'C.UTF-8',
    ...(spec.timeZone ? { TZ: spec.timeZone } : {}),
    SERVER_MEMORY: String(spec.limits.memoryMiB),
    ...(primary === undefined ? {} : { SERVER_IP: context.listenIp(primary.ip), SERVER_PORT: String(primary.port) }),
    ...(context.caBundle === undefined ? {} : { NODE_EXTRA_CA_CERTS: context.caBundle }),
    ...(kind === 'install'
      ? {
          npm_config_cache: npm.folder ?? `${context.rootFolder}/.npm`,
          npm_config_update_notifier: 'false',
          npm_config_fund: 'false',
          npm_config_audit: 'false',
          // The registry's address is specific to the node, so lock files must not contain it.
          npm_config_omit_lockfile_registry_resolved: 'true',
          // Enough to outlast a restart of the agent, which serves the packages.
          npm_config_fetch_retries: '5',
          ...(npm.registry === undefined ? {} : { [REGISTRY_VARIABLE]: npm.registry }),
        }
      : {}),
  }
}
