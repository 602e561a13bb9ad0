import type { TemplateRow } from '#contracts/cms-api/rows.ts'
import type { ServerStartup, StartupChange, StartupImageChange } from '#contracts/http/panel/startup.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { ValueFault } from '#domain/startup/check-value.ts'
import { decideStartupChange, type StartupDecision } from '#domain/startup/decide-change.ts'
import { readOnlyReason } from '#domain/servers/read-only.ts'
import { isSecretVariable } from '#domain/startup/variable-kind.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readTemplate } from '../../cms/catalog-reader.ts'
import { recordActivity } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import { accessOf, lockedAccess } from '../access/server-access.ts'
import { chooseImages } from '../placement/choose-image.ts'
import { changeSpec, findServer, type ServerRecord } from '../store/server-store.ts'
import { givenTo } from './given-values.ts'
import { shownStartup } from './read-startup.ts'
import { readStartupState, writeStartupState, type StartupState } from './startup-store.ts'

/** `faults` by variable, for INVALID_VALUES. */
export type StartupRefusal = {
  readonly ok: false
  readonly code:
    | 'NOT_FOUND'
    | 'FORBIDDEN'
    | 'SERVER_SUSPENDED'
    | 'SERVER_EXPIRED'
    | 'STARTUP_CHANGED'
    | 'INVALID_VALUES'
    | 'IMAGE_NOT_LISTED'
  readonly permission?: string
  readonly faults?: Readonly<Record<string, ValueFault>>
}
type Changed = { readonly ok: true; readonly startup: ServerStartup }

type Request = { readonly caller: Caller; readonly serverId: string; readonly requestId: string }
type StartupCall =
  'PUT /api/server/{id}/startup' | 'PUT /api/server/{id}/startup/image' | 'POST /api/server/{id}/startup/secret'

const refuse = (code: StartupRefusal['code'], more: Partial<StartupRefusal> = {}): StartupRefusal => ({
  ...more,
  ok: false,
  code,
})

type Open = {
  readonly ok: true
  readonly server: ServerRecord
  readonly state: StartupState
  readonly template: TemplateRow | undefined
}

/** The locked server of somebody who may change it and has seen its present settings. */
async function openForChange(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  { caller, serverId, call, version }: Request & { call: StartupCall; version: number },
): Promise<Open | StartupRefusal> {
  const access = await lockedAccess(tx, caller, serverId)
  if (!access) return refuse('NOT_FOUND')
  const permission = PERMISSION_OF_CALL[call]
  if (!access.permissions.includes(permission)) return refuse('FORBIDDEN', { permission })
  const { server } = access
  if (server.deletedAtMs !== null || server.desired === 'deleted') return refuse('NOT_FOUND')
  const readOnly = readOnlyReason(server, clock.now())
  if (readOnly !== null) return refuse(readOnly === 'suspended' ? 'SERVER_SUSPENDED' : 'SERVER_EXPIRED')
  const state = await readStartupState(tx, serverId)
  if (state.version !== version) return refuse('STARTUP_CHANGED')
  return { ok: true, server, state, template: await readTemplate(tx, server.templateId) }
}

/** Tells the node, and answers with what is saved now. */
async function deliver(
  tx: Sql,
  context: Context,
  {
    request,
    template,
    type,
    text,
  }: { request: Request; template: TemplateRow | undefined; type: string; text: string },
): Promise<Changed> {
  const { caller, serverId, requestId } = request
  const { userId, address, way } = caller
  const activity = { userId, serverId, address, way, type, status: 'success' as const, detail: { text } }
  await recordActivity(tx, context, activity)
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
  const server = await findServer(tx, serverId)
  assert(server, 'the server is locked')
  return { ok: true, startup: await shownStartup(tx, { server, template, locale: caller.locale }) }
}

const decide = ({ server, state, template }: Open, change: StartupChange): StartupDecision => {
  const variables = (template?.variables ?? []).map((variable) => ({
    ...variable,
    editable: variable.editable && givenTo(server.spec, variable.environmentVariable) === undefined,
    rules: variable.rules ?? '',
    port: variable.port ?? null,
  }))
  const present = { environment: server.spec.environment, portLinks: state.portLinks }
  return decideStartupChange({ variables, ports: server.spec.allocations }, present, change.variables)
}

/**
 * Changes variables of a server on its locked row, all or none. The node gets them with the next generation of the
 * specification, and the program with its next start. The log names the variables and never their values.
 */
export function changeStartup(
  context: Context,
  { change, ...request }: Request & { change: StartupChange },
): Promise<Changed | StartupRefusal> {
  return context.db.transaction(async (tx): Promise<Changed | StartupRefusal> => {
    const call = 'PUT /api/server/{id}/startup'
    const open = await openForChange(tx, context, { ...request, call, version: change.version })
    if (!open.ok) return open
    const decided = decide(open, change)
    if (!decided.ok) return refuse('INVALID_VALUES', { faults: decided.faults })
    const { server, template } = open
    if (decided.changed.length === 0) {
      return { ok: true, startup: await shownStartup(tx, { server, template, locale: request.caller.locale }) }
    }
    const { environment, portLinks } = decided.values
    await writeStartupState(tx, server.id, { portLinks, nowMs: context.clock.now() })
    await changeSpec(tx, server.id, { environment: { ...environment } })
    await context.faults('startup.after-change')
    const text = decided.changed.join(', ')
    return deliver(tx, context, { request, template, type: 'server:startup.edit', text })
  })
}

/** Chooses another image of the template's list for a server in containers. */
export function changeStartupImage(
  context: Context,
  { change, ...request }: Request & { change: StartupImageChange },
): Promise<Changed | StartupRefusal> {
  return context.db.transaction(async (tx): Promise<Changed | StartupRefusal> => {
    const call = 'PUT /api/server/{id}/startup/image'
    const open = await openForChange(tx, context, { ...request, call, version: change.version })
    if (!open.ok) return open
    const { server, template, state } = open
    if (server.spec.image === null || template === undefined) return refuse('IMAGE_NOT_LISTED')
    const chosen = chooseImages(template, { runtime: 'docker', wanted: change.image })
    if (!chosen.ok) return refuse('IMAGE_NOT_LISTED')
    if (server.spec.image === chosen.image) {
      return { ok: true, startup: await shownStartup(tx, { server, template, locale: request.caller.locale }) }
    }
    const { portLinks } = state
    await writeStartupState(tx, server.id, { portLinks, nowMs: context.clock.now() })
    await changeSpec(tx, server.id, {
      image: chosen.image,
      installImage: chosen.installImage,
      images: [...chosen.images],
    })
    const text = template.docker_images.find(({ image }) => image === chosen.image)?.label ?? ''
    return deliver(tx, context, { request, template, type: 'server:startup.image', text })
  })
}

/** The value of one secret, for somebody who may change it anyway. The log says who looked at which. */
export function revealSecret(
  context: Context,
  { caller, serverId, variable: name }: { caller: Caller; serverId: string; variable: string },
): Promise<{ ok: true; value: string } | StartupRefusal> {
  return context.db.transaction(async (tx): Promise<{ ok: true; value: string } | StartupRefusal> => {
    const access = await accessOf(tx, caller, serverId)
    if (!access) return refuse('NOT_FOUND')
    const permission = PERMISSION_OF_CALL['POST /api/server/{id}/startup/secret']
    if (!access.permissions.includes(permission)) return refuse('FORBIDDEN', { permission })
    const { server } = access
    const template = await readTemplate(tx, server.templateId)
    const variable = template?.variables.find(({ environmentVariable }) => environmentVariable === name)
    if (variable === undefined || !variable.editable || !isSecretVariable(variable)) return refuse('NOT_FOUND')
    if (givenTo(server.spec, name) !== undefined) return refuse('NOT_FOUND')
    const { environment } = server.spec
    const value = Object.hasOwn(environment, name) ? environment[name] : variable.default
    const { userId, address, way } = caller
    const type = 'server:startup.reveal'
    const activity = { userId, serverId, address, way, type, status: 'success' as const, detail: { text: name } }
    await recordActivity(tx, context, activity)
    return { ok: true, value: value ?? '' }
  })
}
