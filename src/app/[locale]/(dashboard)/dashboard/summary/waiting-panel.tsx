'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import { formatDate } from '@/lib/format/date.ts'
import { PageLink } from '@/ui/controls/page-link.tsx'
import { Lamp, LampGlyph } from '@/ui/signs/lamp.tsx'
import type { BoardCell } from '@/ui/surfaces/board.tsx'
import { Panel, type PanelTools } from '@/ui/surfaces/panel.tsx'
import type { WaitingLine } from './use-waiting.ts'

/** More of them are a list of their own: that of the servers, or that of the tickets. */
const SHOWN = 6

type WaitingProps = { readonly lines: readonly WaitingLine[]; readonly isMissing: boolean }

/** The things that wait for the reader, line by line, and a sentence where a part could not be read. */
export const WaitingPanel = ({ lines, isMissing, ...tools }: WaitingProps & PanelTools) => {
  const t = useTranslations('summary.waiting')
  const locale = useLocale()
  const timeZone = useTimeZone()
  return (
    <Panel {...tools} title={t('term')}>
      {lines.length > 0 ? (
        <ul className="rowlist sum-waiting">
          {lines.slice(0, SHOWN).map(({ id, lamp, text, href, at }) => (
            <li key={id}>
              <LampGlyph kind={lamp} />
              <PageLink href={href} prefetch={false}>
                {text}
              </PageLink>
              {at === undefined ? null : <small>{formatDate(at, locale, { style: 'stamp', timeZone })}</small>}
            </li>
          ))}
        </ul>
      ) : null}
      {lines.length > SHOWN ? <p className="small t2 py-3">{t('more', { count: lines.length - SHOWN })}</p> : null}
      {isMissing ? (
        <p className="small t2 py-3" role="status">
          {t('missing')}
        </p>
      ) : null}
      {lines.length === 0 && !isMissing ? (
        <p className="py-3">
          <Lamp kind="done">{t('none')}</Lamp>
        </p>
      ) : null}
    </Panel>
  )
}

/** How many things wait, and the first of them, as a cell of a board. */
export const waitingCell = (
  t: ReturnType<typeof useTranslations<'summary.waiting'>>,
  { lines, isMissing }: WaitingProps,
): BoardCell => {
  const [first] = lines
  const isUnknown = isMissing && first === undefined
  const value = first ? t('count', { count: lines.length }) : isUnknown ? '–' : t('nothing')
  // The first thing changes while the page is open: its line is one line, whatever stands in it, so that nothing moves.
  const note = <span className="sum-first">{first?.text ?? '\u00A0'}</span>
  return { id: 'waiting', term: t('term'), value, note }
}
