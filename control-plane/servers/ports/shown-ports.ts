import type { ServerPort, ServerPorts } from '#contracts/http/panel/ports.ts'
import type { Locale } from '#contracts/locale.ts'
import { needsRestart, refuseRemoval, typedAddress, portUse, type PortFacts } from '#domain/servers/ports.ts'
import { readOnlyReason } from '#domain/servers/read-only.ts'
import { isAlive } from '#domain/servers/server-lifecycle.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readTemplate } from '../../cms/catalog-reader.ts'
import { readStartupState } from '../startup/startup-store.ts'
import type { ServerRecord } from '../store/server-store.ts'
import { portFactsOf, readPortRows, type PortRow } from './port-rows.ts'

type Limits = { port_limit: number; primary_set_in: number; running_generation: number | null }

/** The limit of a server's ports, and what its running program was started with. */
export async function readPortLimits(sql: Sql, serverId: string): Promise<Limits> {
  const [row] = await sql.query<Limits>(
    `select s.port_limit, s.primary_set_in, o.running_generation
     from control.servers s left join control.server_state o on o.server_id = s.id where s.id = $1`,
    [serverId],
  )
  return row ?? { port_limit: 0, primary_set_in: 1, running_generation: null }
}

/** The names of a server's variables in a language; a variable that its template does not name keeps its own name. */
export async function variableNames(
  sql: Sql,
  { templateId }: Pick<ServerRecord, 'templateId'>,
  locale: Locale,
): Promise<(environmentVariable: string) => string> {
  const template = await readTemplate(sql, templateId)
  const names = new Map((template?.variables ?? []).map((each) => [each.environmentVariable, each.name[locale]]))
  return (environmentVariable) => names.get(environmentVariable) ?? environmentVariable
}

const KEPT_BY = { PORT_IS_PRIMARY: 'primary', PORT_IN_USE: 'variable', PORT_IN_PROGRAM: 'program' } as const

const useOf = (facts: PortFacts, port: number): ServerPort['use'] => {
  const { isPrimary, byProgram, variables } = portUse(facts, port)
  if (isPrimary) return 'primary'
  if (variables.length > 0) return 'variable'
  return byProgram ? 'program' : 'free'
}

type Shown = { facts: PortFacts; nameOf: (name: string) => string; running: number | null }

const shown = ({ id, ip, port, note, isPrimary, addedIn }: PortRow, { facts, nameOf, running }: Shown): ServerPort => {
  const refusal = refuseRemoval(facts, port)
  return {
    id,
    ip,
    port,
    address: typedAddress(ip, port),
    note,
    isPrimary,
    use: useOf(facts, port),
    variables: portUse(facts, port).variables.map((name) => ({ name: nameOf(name), environmentVariable: name })),
    keptBy: refusal === null ? null : KEPT_BY[refusal.code],
    waitsForRestart: running !== null && addedIn > running,
  }
}

/** The ports of a server as its readers see them. */
export async function shownPorts(
  sql: Sql,
  server: ServerRecord,
  { locale, nowMs }: { locale: Locale; nowMs: number },
): Promise<ServerPorts> {
  const rows = await readPortRows(sql, server.id)
  const limits = await readPortLimits(sql, server.id)
  const running = isAlive(server.state) ? limits.running_generation : null
  const { portLinks } = await readStartupState(sql, server.id)
  const facts = portFactsOf(server, portLinks)
  const nameOf = await variableNames(sql, server, locale)
  const own = rows.filter(({ removedIn }) => removedIn === null)
  const leaving = rows.filter(({ removedIn }) => removedIn !== null)
  return {
    ports: own.map((row) => shown(row, { facts, nameOf, running })),
    leaving: leaving.map(({ id, ip, port }) => ({ id, port, address: typedAddress(ip, port) })),
    limit: limits.port_limit,
    needsRestart: needsRestart(rows, { primarySetIn: limits.primary_set_in, runningGeneration: running }),
    readOnly: readOnlyReason(server, nowMs),
  }
}
