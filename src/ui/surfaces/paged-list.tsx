import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { EmptyState } from './states.tsx'

type PagedListProps<Row> = {
  /** The query of the next page, shaped like the result of an infinite query. */
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  /** All rows loaded so far. */
  rows: readonly Row[]
  empty: ReactNode
  /** The label of the button that loads more. */
  older: ReactNode
  children: (rows: readonly Row[]) => ReactNode
}

/** A paginated list: a sentence when it is empty, a button below it while there is more. */
export const PagedList = <Row,>({ query, rows, empty, older, children }: PagedListProps<Row>) => {
  if (rows.length === 0) return <EmptyState>{empty}</EmptyState>
  return (
    <>
      {children(rows)}
      {query.hasNextPage ? (
        <p className="py-3">
          <Button size="s" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {older}
          </Button>
        </p>
      ) : null}
    </>
  )
}
