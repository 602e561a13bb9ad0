'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { propertyValues } from '#domain/config-files/java-properties.ts'
import type { PropertyEdit } from '#domain/config-files/property-edits.ts'
import { SERVER_PROPERTIES_FILE } from '#domain/config-files/server-properties.ts'
import { failedUseOf, portPlan } from '#domain/known-errors/port-fix.ts'
import type { PlanPorts } from '#domain/known-errors/port-fix.ts'
import type { ServerPorts } from '#contracts/http/panel/ports.ts'
import type { Server } from '#contracts/http/server.ts'
import { portsQuery } from '@/lib/queries/ports-query.ts'
import { FixDone, FocusKept, StartAgain } from '@/lib/servers/fix-done.tsx'
import { Button } from '@/ui/controls/button.tsx'
import { filesOf } from '../files-context.tsx'
import { filesKey } from '../files-queries.ts'
import { editProperties, readPropertiesFile, undoEdits } from './properties-file.ts'
import type { PropertiesChange, PropertiesFile } from './properties-file.ts'
import { useFileFix } from './use-file-fix.ts'

const planPortsOf = ({ ports }: ServerPorts): PlanPorts | undefined => {
  const primary = ports.find(({ isPrimary }) => isPrimary)
  if (primary === undefined) return undefined
  const free = ports.filter(({ use }) => use === 'free').map(({ port }) => port)
  return { ip: primary.ip, primary: primary.port, own: ports.map(({ port }) => port), free }
}

/** Each key with its value before and after. */
const Edits = ({ edits }: { edits: readonly PropertyEdit[] }) => {
  const t = useTranslations('console.known.ports')
  const said = (value: string | null) => (value === null || value === '' ? t('unset') : value)
  return (
    <ul className="known-edits">
      {edits.map(({ key, from, to }) => (
        <li key={key}>
          <code>
            {key}: {said(from)} → {said(to)}
          </code>
        </li>
      ))}
    </ul>
  )
}

type FixPortsProps = {
  server: Server
  line: string
  above: readonly string[]
  /** The way to the server's ports. */
  otherwise: ReactNode
}

const usePortPlan = ({ server, line, above }: Omit<FixPortsProps, 'otherwise'>, enabled: boolean) => {
  const { node } = filesOf(server, Date.now())
  const own = useQuery({ ...portsQuery(server.id), enabled }).data
  const file = useQuery({
    queryKey: [...filesKey(server.id), 'ports-in-properties'],
    queryFn: () => readPropertiesFile(node),
    enabled,
    retry: false,
  }).data
  const ports = own && planPortsOf(own)
  if (!file || ports === undefined) return undefined
  return { file, ports, plan: portPlan(propertyValues(file.text), ports, failedUseOf(line, above)) }
}

type Offer = NonNullable<ReturnType<typeof usePortPlan>>
type OfferedProps = { server: Server; offer: Offer; isBusy: boolean } & {
  onApply: (file: PropertiesFile, edits: readonly PropertyEdit[]) => void
}

const Offered = ({ server, offer: { file, ports, plan }, isBusy, onApply }: OfferedProps) => {
  const t = useTranslations('console.known.ports')
  if (plan.is === 'no-port') return <span className="small t2">{t('noPort', { key: plan.key })}</span>
  if (plan.is === 'right') {
    return <StartAgain server={server} text={t('right', { port: String(ports.primary) })} />
  }
  return (
    <>
      <span className="small t2">{t('preview')}</span>
      <Edits edits={plan.edits} />
      <Button size="s" look="primary" busy={isBusy} onClick={() => onApply(file, plan.edits)}>
        {t('correct')}
      </Button>
    </>
  )
}

/** Gives a Minecraft server its own ports in server.properties, after it could not open one. */
export const FixPorts = ({ server, line, above, otherwise }: FixPortsProps) => {
  const t = useTranslations('console.known')
  const tp = useTranslations('collaborators.keys')
  const client = useQueryClient()
  const { node, isReadOnly } = filesOf(server, Date.now())
  const missing = (['file.read', 'file.update', 'allocation.view'] as const).find(
    (key) => !server.permissions.includes(key),
  )
  const offer = usePortPlan({ server, line, above }, !isReadOnly && missing === undefined)
  const { change, isBusy, apply, undo } = useFileFix<PropertiesChange>({
    undone: () => t('ports.undone'),
    changed: () => t('ports.changed'),
  })
  // The next offer depends on the file as it is then; without it the focus would go to what is about to leave.
  const look = () => client.invalidateQueries({ queryKey: filesKey(server.id) })
  const note = isReadOnly
    ? t('ports.readOnly')
    : missing !== undefined && missing !== 'allocation.view'
      ? t('needs', { permission: tp(missing) })
      : undefined
  return (
    <FocusKept state={change === null ? 'offered' : 'done'}>
      {note === undefined ? null : <span className="small t2">{note}</span>}
      {change === null && offer !== undefined ? (
        <Offered
          server={server}
          offer={offer}
          isBusy={isBusy}
          onApply={(file, edits) =>
            void apply(SERVER_PROPERTIES_FILE, () => editProperties(node, file, edits)).then(look)
          }
        />
      ) : null}
      {change === null ? null : (
        <FixDone
          server={server}
          text={t('ports.done')}
          isBusy={isBusy}
          onUndo={() => void undo(SERVER_PROPERTIES_FILE, (done) => undoEdits(node, done).then(look))}
        />
      )}
      {otherwise}
    </FocusKept>
  )
}
