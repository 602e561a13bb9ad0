'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { formatDate } from '@/lib/format-date.ts'
import { Button } from './button.tsx'
import { Lamp } from './lamp.tsx'
import { ErrorState } from './states.tsx'

const skeletonAfterMs = 150

/** What a region needs to know of its data; a query's result has this form. */
export type RegionData<Data> = {
  data: Data | undefined
  isError: boolean
  isFetching: boolean
  dataUpdatedAt: number
  error: unknown
  refetch: () => unknown
}

/** A skeleton comes late, so that a fast answer does not flash. */
const Late = ({ children }: { children: ReactNode }) => {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setDue(true), skeletonAfterMs)
    return () => window.clearTimeout(timer)
  }, [])
  return <div style={{ visibility: due ? 'visible' : 'hidden' }}>{children}</div>
}

const reportIdOf = (error: unknown): string | undefined =>
  error !== null && typeof error === 'object' && 'requestId' in error && typeof error.requestId === 'string'
    ? error.requestId
    : undefined

type RegionProps<Data> = {
  query: RegionData<Data>
  /** In the final size of what loads. */
  skeleton: ReactNode
  /** What did not load and what is safe. */
  failed: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * A part of a page with states of its own: loading, failed (what failed, what is safe, try again, an id), and stale (the
 * last known data, grey, with its time). Its neighbours are not touched.
 */
export const Region = <Data,>({ query, skeleton, failed, children }: RegionProps<Data>) => {
  const t = useTranslations('common')
  const locale = useLocale()
  if (query.data === undefined) {
    if (!query.isError) return <Late>{skeleton}</Late>
    return (
      <ErrorState
        reportId={reportIdOf(query.error)}
        reportLabel={t('reportId')}
        action={
          <Button size="s" busy={query.isFetching} onClick={() => void query.refetch()}>
            {t('retry')}
          </Button>
        }
      >
        {failed}
      </ErrorState>
    )
  }
  if (!query.isError) return children(query.data)
  return (
    <>
      <p className="stale-note" role="status">
        <Lamp kind="due">{t('stale')}</Lamp>
        <span className="t2">
          {t('updatedAt', { time: formatDate(query.dataUpdatedAt, locale, { style: 'time' }) })}
        </span>
      </p>
      <div className="stale">{children(query.data)}</div>
    </>
  )
}
