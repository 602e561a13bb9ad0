'use client'
import { useEffect, useState } from 'react'
import { formatDate } from '@/lib/format/date.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'

type Words = { up: string; down: string; unknown: string; at: string }
type Seen = { kind: keyof Omit<Words, 'at'>; atMs: number }

const askEveryMs = 60_000
const lamps = { up: 'go', down: 'due', unknown: 'away' } as const

const ask = async (): Promise<Seen['kind']> => {
  try {
    const answer = await fetch('/api/status')
    const status: unknown = answer.ok ? await answer.json() : null
    if (status === null || typeof status !== 'object' || !('controlPlane' in status)) return 'unknown'
    return status.controlPlane === 'up' ? 'up' : 'down'
  } catch {
    return 'unknown'
  }
}

/**
 * The live status as the first line of the page, with its time. Loaded by the browser, because the page itself is
 * cached.
 */
export const StatusLine = ({ words, locale }: { words: Words; locale: string }) => {
  const [seen, setSeen] = useState<Seen | null>(null)
  useEffect(() => {
    let isOpen = true
    const look = () => {
      if (document.hidden) return
      void ask().then((kind) => {
        if (isOpen) setSeen({ kind, atMs: Date.now() })
      })
    }
    look()
    const timer = window.setInterval(look, askEveryMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      isOpen = false
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return (
    <p className="hero__st">
      {seen ? (
        <>
          <Lamp kind={lamps[seen.kind]}>{words[seen.kind]}</Lamp>
          <span className="t3">{words.at.replace('{time}', formatDate(seen.atMs, locale, { style: 'time' }))}</span>
        </>
      ) : null}
    </p>
  )
}
