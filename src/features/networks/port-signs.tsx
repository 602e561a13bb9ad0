'use client'
import { CircleDashed, Flag, SlidersHorizontal, Terminal } from 'lucide-react'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { PortUseWord, ServerPort } from '#contracts/http/panel/ports.ts'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import { useCheckPort } from './port-queries.ts'
import { usePortFailure } from './port-rights.ts'
import { LISTENING_LAMPS, OUTSIDE_LAMPS } from './port-state.ts'
import type { Listening, Outside } from './port-state.ts'

const DRAWINGS: Readonly<Record<PortUseWord, typeof Flag>> = {
  primary: Flag,
  program: Terminal,
  variable: SlidersHorizontal,
  free: CircleDashed,
}

/** The use of a port, as a drawing and in words. */
export const PortUse = ({ port }: { port: ServerPort }) => {
  const t = useTranslations('networks.use')
  const locale = useLocale()
  const Drawing = DRAWINGS[port.use]
  const names = port.variables.map(({ name, environmentVariable }) =>
    name === environmentVariable ? name : `${name} (${environmentVariable})`,
  )
  const list = new Intl.ListFormat(locale).format(names)
  return (
    <span className="port-use">
      <Drawing className="i" aria-hidden />
      <span>
        {port.use === 'variable' ? t('variable', { names: list }) : t(port.use)}
        {port.use !== 'variable' && names.length > 0 ? `, ${t('also', { names: list })}` : null}
      </span>
    </span>
  )
}

/** Whether a program listens on the port. A port that nothing has to use is no reason to worry. */
export const ListeningLamp = ({ listening, isFree }: { listening: Listening; isFree: boolean }) => {
  const t = useTranslations('networks.listening')
  return <Lamp kind={isFree && listening === 'none' ? 'off' : LISTENING_LAMPS[listening]}>{t(listening)}</Lamp>
}

export type OutsideCheck = {
  readonly outside: Outside
  readonly checkedAt: string | undefined
  readonly failure: unknown
  readonly check: () => void
}

/** The last check of a port from outside; a running one counts more than an earlier answer. */
export const useOutside = (serverId: string, portId: string): OutsideCheck => {
  const checking = useCheckPort(serverId, portId)
  const { data, isPending, isError } = checking
  const outside = isPending ? 'checking' : isError ? 'failed' : (data?.tcp ?? 'unchecked')
  return { outside, checkedAt: data?.checkedAt, failure: checking.error, check: () => checking.mutate() }
}

/** Whether the port can be reached from outside, with the button that checks it. */
export const OutsideLamp = ({ port, state }: { port: ServerPort; state: OutsideCheck }) => {
  const t = useTranslations('networks.outside')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const failureText = usePortFailure()
  const { outside, checkedAt, failure, check } = state
  return (
    <div className="port-outside">
      <span role="status">
        <Lamp kind={OUTSIDE_LAMPS[outside]}>{outside === 'failed' ? failureText(failure) : t(outside)}</Lamp>
        {checkedAt === undefined || outside === 'checking' || outside === 'failed' ? null : (
          <small className="t2">
            {' '}
            {t('at', { time: formatDate(checkedAt, locale, { style: 'clock', timeZone }) })}
          </small>
        )}
      </span>
      <Button
        size="s"
        busy={outside === 'checking'}
        aria-label={t('checkOf', { port: String(port.port) })}
        onClick={check}
      >
        {t('check')}
      </Button>
    </div>
  )
}
