'use client'
import { useTranslations } from 'next-intl'
import { useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '@/ui/controls/button.tsx'

/** Lines that one press of Page Up or Page Down passes. */
const PAGE = 10

type LogLinesProps = {
  readonly lines: readonly string[]
  /** Which lines stay out. */
  readonly without: ReadonlySet<number>
  readonly onToggle: (at: number) => void
  readonly onRestore: () => void
  readonly isBusy: boolean
}

/** The log as it goes along. Each line can be left out: with the mouse, or with arrow keys and Space from one place in the order of Tab. */
export const LogLines = ({ lines, without, onToggle, onRestore, isBusy }: LogLinesProps) => {
  const t = useTranslations('tickets.about')
  const [active, setActive] = useState(lines.length - 1)
  const list = useRef<HTMLDivElement>(null)
  const goTo = (at: number) => {
    const next = Math.max(0, Math.min(lines.length - 1, at))
    setActive(next)
    list.current?.querySelectorAll<HTMLElement>('[role=option]')[next]?.focus()
  }
  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -PAGE, PageDown: PAGE }
    const ends: Readonly<Record<string, number>> = { Home: 0, End: lines.length - 1 }
    const step = steps[event.key]
    const end = ends[event.key]
    if (step !== undefined) goTo(active + step)
    else if (end !== undefined) goTo(end)
    else if ((event.key === ' ' || event.key === 'Delete') && !isBusy) onToggle(active)
    else return
    event.preventDefault()
  }
  return (
    <>
      <p className="small t2" id="tk-log-choose">
        {t('choose')}
      </p>
      <div
        ref={list}
        className="tk-log mono"
        role="listbox"
        aria-multiselectable
        aria-label={t('logLabel')}
        aria-describedby="tk-log-choose"
        aria-disabled={isBusy}
      >
        {lines.map((line, at) => (
          <div
            // A line has no other name than its place.
            key={at}
            role="option"
            aria-selected={!without.has(at)}
            tabIndex={at === active ? 0 : -1}
            onKeyDown={press}
            onClick={() => {
              setActive(at)
              if (!isBusy) onToggle(at)
            }}
          >
            {line}
          </div>
        ))}
      </div>
      <div className="tk-log__count">
        <span className="small t2" role="status">
          {t('chosen', { kept: lines.length - without.size, count: lines.length })}
        </span>
        {/* Always there, so that nothing moves when the first line is left out. */}
        <Button size="s" disabled={without.size === 0 || isBusy} onClick={onRestore}>
          {t('restore')}
        </Button>
      </div>
    </>
  )
}
