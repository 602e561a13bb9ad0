'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { startProgress } from '#domain/servers/start-times.ts'
import type { StartProgress } from '#domain/servers/start-times.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { ConsoleState } from './console-store.ts'
import { startTimesQuery } from './start-times-query.ts'
import { saidLeft, saidUsual } from './start-words.ts'
import { useNow } from './use-now.ts'

const phases = ['prepare', 'load', 'open'] as const
export type StartPhase = (typeof phases)[number]

/** A running program prints or uses the processor; before that the node prepares it. */
export const startPhase = (state: Pick<ConsoleState, 'stats' | 'wordSinceMs' | 'log'>): StartPhase => {
  const isPrinting = state.log.entries.some(
    (entry) => entry.kind === 'line' && entry.stream !== 'x' && entry.atMs >= state.wordSinceMs,
  )
  return isPrinting || (state.stats?.uptime ?? 0) > 0 ? 'load' : 'prepare'
}

const useProgressText = () => {
  const t = useTranslations('console.start')
  return (progress: StartProgress): string | null => {
    if (progress.kind === 'unknown') return null
    if (progress.kind === 'left') {
      const { unit, count } = saidLeft(progress.leftMs)
      return t(`left.${unit}`, { count })
    }
    const { unit, count } = saidUsual(progress.usualMs)
    return t(unit === 'minutes' ? 'longer.minutes' : 'longer.seconds', { count })
  }
}

/** Its track keeps its place without an earlier start too, so that nothing moves when the times arrive. */
const StartBar = ({ progress, text }: { progress: StartProgress; text: string | null }) => {
  const t = useTranslations('console.start')
  if (progress.kind === 'unknown') return <div className="start-bar" />
  const percent = Math.round(progress.ratio * 100)
  return (
    <div
      className="start-bar"
      role="progressbar"
      aria-label={t('progress')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text ?? undefined}
    >
      <span style={{ transform: `scaleX(${progress.ratio})` }} />
    </div>
  )
}

const Starting = ({ serverId, state }: { serverId: string; state: ConsoleState }) => {
  const t = useTranslations('console.start')
  const progressText = useProgressText()
  const { data, dataUpdatedAt } = useQuery(startTimesQuery(serverId))
  // A page that was opened during the start learns from the control plane when it began.
  const startingForMs = data?.startingForMs ?? null
  const begunMs = state.wordSinceMs > 0 ? state.wordSinceMs : startingForMs === null ? 0 : dataUpdatedAt - startingForMs
  const elapsedMs = Math.max(0, useNow() - begunMs)
  const progress = startProgress(elapsedMs, begunMs > 0 ? (data?.usual ?? null) : null)
  const text = progressText(progress)
  const at = phases.indexOf(startPhase(state))
  return (
    <div className="start">
      <ol className="start-phases">
        {phases.map((phase, index) => (
          <li key={phase} data-state={index < at ? 'done' : index === at ? 'current' : 'ahead'}>
            {index === at ? <Lamp kind="busy">{t(phase)}</Lamp> : t(phase)}
          </li>
        ))}
      </ol>
      <p className="start-time t2 small tnum">
        {begunMs > 0 ? t('seconds', { count: Math.floor(elapsedMs / 1_000) }) : null}
        {text === null ? null : ` · ${text}`}
      </p>
      <StartBar progress={progress} text={text} />
    </div>
  )
}

/** The phases of a start, with its progress by the earlier starts of the server on its node. */
export const StartLine = ({ serverId, state, word }: { serverId: string; state: ConsoleState; word: ServerWord }) =>
  word === 'starting' ? <Starting serverId={serverId} state={state} /> : null
