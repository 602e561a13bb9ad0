import type { Program, ServerSpec } from '#contracts/agent/server-spec.ts'
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
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

const valueOf = (name: string, context: ProgramContext): string | undefined => {
  const { spec } = context
  const primary = spec.allocations.find((allocation) => allocation.primary) ?? spec.allocations[0]
  const [kind = '', argument] = name.split(/:(.*)/s)
  if (kind === 'root' && argument === undefined) return context.rootFolder
  if (kind === 'memoryMiB' && argument === undefined) return String(spec.limits.memoryMiB)
  if (kind === 'port' && argument === undefined) return primary === undefined ? undefined : String(primary.port)
  if (kind === 'port' && argument !== undefined) return spec.allocations[Number(argument)]?.port.toString()
  if (kind === 'env' && argument !== undefined) {
    return Object.hasOwn(spec.environment, argument) ? spec.environment[argument] : undefined
  }
  return undefined
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
  const primary = spec.allocations.find((allocation) => allocation.primary) ?? spec.allocations[0]
  const variables = Object.entries(spec.environment).filter(
    ([name, value]) => !RESERVED.test(name) && !value.includes('\0'),
  )
  return {
    ...Object.fromEntries(variables),
    ...(context.searchPath === null ? {} : { PATH: context.searchPath }),
    HOME: context.rootFolder,
    USER: 'container',
    LANG: 'C.UTF-8',
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
