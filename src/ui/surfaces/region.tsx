'use client'
import { useLocale, useTimeZone, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { formatDate } from '@/lib/format/date.ts'
import { Button } from '../controls/button.tsx'
import { Lamp } from '../signs/lamp.tsx'
import { ErrorState } from './states.tsx'
import { useLoadingHold } from '../screen/use-loading-hold.ts'

/** The state of a region's data, shaped like a query's result. */
export type RegionData<Data> = {
  data: Data | undefined
  isError: boolean
  isFetching: boolean
  dataUpdatedAt: number
  error: unknown
  refetch: () => unknown
}

const reportIdOf = (error: unknown): string | undefined =>
  error !== null && typeof error === 'object' && 'requestId' in error && typeof error.requestId === 'string'
    ? error.requestId
    : undefined

type RegionProps<Data> = {
  query: RegionData<Data>
  /** In the final size of the loaded content. */
  skeleton: ReactNode
  /** The sentence above the reason: which part did not load, and which data is safe. */
  failed: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * A part of a page with its own states: loading, failed (what failed, what is safe, try again, an id), and stale (the
 * last known data, grey, with its time). Its neighbours are not affected.
 */
export const Region = <Data,>({ query, skeleton, failed, children }: RegionProps<Data>) => {
  const t = useTranslations('common')
  const locale = useLocale()
  const timeZone = useTimeZone()
  const isLoading = query.data === undefined && !query.isError
  const phase = useLoadingHold(isLoading)
  if (isLoading || phase === 'seen') {
    return <div style={{ visibility: phase === 'seen' ? 'visible' : 'hidden' }}>{skeleton}</div>
  }
  if (query.data === undefined) {
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
  const isStale = query.isError
  // The same element around the same children, stale or not, so that a form inside keeps its input.
  return (
    <>
      {isStale ? (
        <p className="stale-note" role="status">
          <Lamp kind="due">{t('stale')}</Lamp>
          <span className="t2">
            {t('updatedAt', { time: formatDate(query.dataUpdatedAt, locale, { style: 'time', timeZone }) })}
          </span>
        </p>
      ) : null}
      <div className={isStale ? 'stale' : 'contents'}>{children(query.data)}</div>
    </>
  )
}
