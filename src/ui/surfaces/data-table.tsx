import clsx from 'clsx'
import type { ReactNode } from 'react'

export type Column<Row> = {
  id: string
  head: ReactNode
  cell: (row: Row) => ReactNode
  /** Numbers are aligned to the end of their column. */
  numeric?: boolean
}

type DataTableProps<Row> = {
  /** The content of the table, for assistive technology; the title above it shows it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  dense?: boolean
  selected?: (row: Row) => boolean
}

/** A table that scrolls by itself and is reachable by keyboard. It is no landmark: the panel around it is one of the same name. */
export const DataTable = <Row,>({ caption, columns, rows, rowKey, dense = false, selected }: DataTableProps<Row>) => (
  <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={caption}>
    <table className={clsx('t', dense && 't-dense')}>
      <caption className="vh">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={clsx(column.numeric && 'num')}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} {...(selected?.(row) ? { 'data-selected': '' } : {})}>
            {columns.map((column) => (
              <td key={column.id} className={clsx(column.numeric && 'num')}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
