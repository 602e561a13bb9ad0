import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { EmptyState } from './states.tsx'

type PagedListProps<Row> = {
  /** What can be asked for the next page; an endless query's result has this form. */
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  /** All that was read so far. */
  rows: readonly Row[]
  empty: ReactNode
  /** The words of the button that reads on. */
  older: ReactNode
  children: (rows: readonly Row[]) => ReactNode
}

/** A list that is read page by page: a sentence where there is nothing, a button below it while there is more. */
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
