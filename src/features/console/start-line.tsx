'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { ServerWord } from '#domain/servers/status.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { ConsoleState } from './console-store.ts'
import { keepStart, median, readStarts } from './start-times.ts'
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

const Starting = ({ serverId, state }: { serverId: string; state: ConsoleState }) => {
  const t = useTranslations('console.start')
  const seconds = Math.max(0, Math.floor((useNow() - state.wordSinceMs) / 1_000))
  const [usual] = useState(() => median(readStarts(serverId)))
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
      <p className="t2 small tnum">
        {state.wordSinceMs > 0 ? t('seconds', { count: seconds }) : null}
        {usual !== null ? ` · ${t('usual', { count: usual })}` : null}
      </p>
    </div>
  )
}

/** Stores how long a start took that this page saw from its beginning. */
const useStartTimes = (serverId: string, word: ServerWord, sinceMs: number) => {
  const [begun, setBegun] = useState(0)
  useEffect(() => {
    if (word === 'starting') return setBegun(sinceMs)
    if (word === 'running' && begun > 0 && sinceMs > begun) keepStart(serverId, Math.round((sinceMs - begun) / 1_000))
    return setBegun(0)
  }, [serverId, word, sinceMs, begun])
}

/** The phases of a start, with its seconds beside those of earlier starts. */
export const StartLine = ({ serverId, state, word }: { serverId: string; state: ConsoleState; word: ServerWord }) => {
  useStartTimes(serverId, word, state.wordSinceMs)
  return word === 'starting' ? <Starting serverId={serverId} state={state} /> : null
}
