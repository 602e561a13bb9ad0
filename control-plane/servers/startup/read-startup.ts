import type { TemplateRow, TemplateVariable } from '#contracts/cms-api/rows.ts'
import type { ServerStartup, StartupVariable } from '#contracts/http/panel/startup.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Locale } from '#contracts/locale.ts'
import { PERMISSION_OF_CALL } from '#contracts/panel/permissions.ts'
import { linkedPort, linkOfPlace } from '#domain/startup/port-links.ts'
import { runningDifference } from '#domain/startup/running-difference.ts'
import { isSecretVariable } from '#domain/startup/variable-kind.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readTemplate } from '../../cms/catalog-reader.ts'
import type { Context } from '../../platform/context.ts'
import { accessOf } from '../access/server-access.ts'
import { imageChoices } from '../placement/choose-image.ts'
import type { ServerRecord } from '../store/server-store.ts'
import { givenTo } from './given-values.ts'
import { readStartupState, startedWithOf, type StartupState } from './startup-store.ts'

export type StartupReadRefusal = {
  readonly ok: false
  readonly code: 'NOT_FOUND' | 'FORBIDDEN'
  readonly permission?: string
}

type Shown = { readonly server: ServerRecord; readonly state: StartupState; readonly locale: Locale }

const shownVariable = (variable: TemplateVariable, { server, state, locale }: Shown): StartupVariable => {
  const { environmentVariable, default: preset } = variable
  const texts = {
    environmentVariable,
    name: variable.name[locale],
    description: variable.description?.[locale] ?? '',
    rules: variable.rules ?? '',
  }
  const given = givenTo(server.spec, environmentVariable)
  if (given) {
    const { source, value } = given
    const fixed = { editable: false, secret: false, isSet: true, isDefault: true, port: null }
    return { ...texts, ...fixed, value, default: value, given: source }
  }
  const { environment, allocations: ports } = server.spec
  const place = variable.port ?? null
  const secret = isSecretVariable(variable)
  const value = (Object.hasOwn(environment, environmentVariable) && environment[environmentVariable]) || undefined
  const saved = Object.hasOwn(environment, environmentVariable) ? (value ?? '') : preset
  const own = ports.find(({ port }) => String(port) === saved)
  const stored = state.portLinks[environmentVariable]
  const link =
    stored !== undefined && linkedPort(stored, ports) !== undefined ? stored : ((own && String(own.port)) ?? null)
  const usual = place === null ? null : (linkOfPlace(place, ports) ?? null)
  return {
    ...texts,
    editable: variable.editable,
    secret,
    isSet: saved !== '',
    value: secret ? null : saved,
    default: secret ? null : preset,
    isDefault: place === null ? saved === preset : link === usual,
    port: place === null ? null : { link, default: usual },
    given: null,
  }
}

/** The start-up settings of a server in the reader's language, without secrets. */
export async function shownStartup(
  sql: Sql,
  { server, locale, template }: { server: ServerRecord; locale: Locale; template: TemplateRow | undefined },
): Promise<ServerStartup> {
  const state = await readStartupState(sql, server.id)
  const { spec } = server
  return {
    version: state.version,
    changedAt: state.changedAtMs === null ? null : new Date(state.changedAtMs).toISOString(),
    command: [...spec.startup.argv],
    memoryMiB: spec.limits.memoryMiB,
    variables: (template?.variables ?? []).map((variable) => shownVariable(variable, { server, state, locale })),
    ports: spec.allocations.map(({ port, primary }) => ({ port, primary })),
    image: spec.image === null ? null : { current: spec.image, choices: template ? imageChoices(template) : [] },
    running: state.startedWith && { ...differenceOf(state, server) },
  }
}

const differenceOf = ({ startedWith }: StartupState, { spec }: ServerRecord) => {
  const saved = startedWithOf(spec)
  const { variables, image, rest } = runningDifference(startedWith ?? saved, saved)
  return { variables: [...variables], image, rest }
}

/** Reads the start-up settings of a server for somebody who may see them. */
export async function readStartup(
  { db }: Pick<Context, 'db'>,
  { caller, serverId }: { caller: Caller; serverId: string },
): Promise<{ ok: true; startup: ServerStartup } | StartupReadRefusal> {
  const access = await accessOf(db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const permission = PERMISSION_OF_CALL['GET /api/server/{id}/startup']
  if (!access.permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', permission }
  const { server } = access
  const template = await readTemplate(db, server.templateId)
  return { ok: true, startup: await shownStartup(db, { server, locale: caller.locale, template }) }
}
