'use client'
import clsx from 'clsx'
import { Box, Server as Machine, Users } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { ServerPort } from '#contracts/http/panel/ports.ts'
import type { NodePorts } from '#contracts/panel/node-ports.ts'
import { CopyText } from '@/ui/surfaces/copy-text.tsx'
import { Panel } from '@/ui/surfaces/panel.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'
import { ListeningLamp, OutsideLamp, useOutside } from './port-signs.tsx'
import { adviceOf, LISTENING_LAMPS, listeningOf, OUTSIDE_LAMPS } from './port-state.ts'
import type { ShownServer } from './port-rights.ts'

const Stop = ({ drawing, children }: { drawing: ReactNode; children: ReactNode }) => (
  <li className="netway__stop">
    {drawing}
    <span>{children}</span>
  </li>
)

/** The part of the way between two stops, in the colour of its state. */
const Leg = ({ kind, label, children }: { kind: LampKind; label: string; children: ReactNode }) => (
  <li className={clsx('netway__leg', `netway__leg-${kind}`)}>
    <span className="netway__word">{label}</span>
    {children}
  </li>
)

type AddressSignProps = {
  readonly server: ShownServer
  readonly port: ServerPort
  readonly look: { readonly data: NodePorts | undefined; readonly isError: boolean }
}

/** The address that players type, and the way from them to the server's program. */
export const AddressSign = ({ server, port, look }: AddressSignProps) => {
  const t = useTranslations('networks.address')
  const state = useOutside(server.id, port.id)
  const listening = listeningOf(port, look, server.status)
  return (
    <Panel title={t('title')} className="netsign">
      <div className="netsign__plate">
        <CopyText text={port.address} label={t('copy')} />
        <p className="t2">{t('text')}</p>
      </div>
      <ol className="netway">
        <Stop drawing={<Users className="i" aria-hidden />}>{t('players')}</Stop>
        <Leg kind={OUTSIDE_LAMPS[state.outside]} label={t('reachable')}>
          <OutsideLamp port={port} state={state} />
        </Leg>
        <Stop drawing={<Machine className="i" aria-hidden />}>{server.computer.name}</Stop>
        <Leg kind={LISTENING_LAMPS[listening]} label={t('listens')}>
          <ListeningLamp listening={listening} isFree={false} />
        </Leg>
        <Stop drawing={<Box className="i" aria-hidden />}>{t('program')}</Stop>
      </ol>
      <p className="netsign__advice" role="status">
        {t(`advice.${adviceOf(listening, state.outside)}`)}
      </p>
    </Panel>
  )
}
