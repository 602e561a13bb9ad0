'use client'
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { bytesText } from '@/lib/format/size.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import { piecesAround } from './use-open-file.ts'
import type { OpenFile } from './use-open-file.ts'
import type { Pieces } from './use-editing.ts'

const SIGNS = { first: ChevronFirst, previous: ChevronLeft, next: ChevronRight, last: ChevronLast } as const

/** Which piece of a large file is shown, and the ways to the others. */
export const PiecePager = ({ file, pieces }: { file: OpenFile; pieces: Pieces }) => {
  const t = useTranslations('files.editor.pieces')
  const locale = useLocale()
  const around = piecesAround(file)
  const size = (bytes: number) => bytesText(bytes, locale)
  const step = (name: keyof typeof SIGNS) => {
    const Sign = SIGNS[name]
    return (
      <IconButton
        small
        label={t(name)}
        icon={<Sign className="i" aria-hidden />}
        disabled={pieces.isReading || around[name] === file.from}
        onClick={() => pieces.show(around[name])}
      />
    )
  }
  return (
    <span className="ed-pieces" role="group" aria-label={t('title')}>
      {step('first')}
      {step('previous')}
      <span className="small t2" role="status">
        {t('shown', { from: size(file.from), to: size(file.to), total: size(file.total) })}
      </span>
      {step('next')}
      {step('last')}
    </span>
  )
}
