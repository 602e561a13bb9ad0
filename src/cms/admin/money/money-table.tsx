'use client'

import { Button } from '@payloadcms/ui'
import type { ReactNode } from 'react'
import type { Words } from '../../fields/languages.ts'
import { common } from './money-words.ts'
import { useAdminLanguage } from './use-admin-language.ts'
import type { ListState } from './use-list.ts'

export type Column<Item> = {
  readonly head: Words
  readonly cell: (item: Item) => ReactNode
  /** Amounts are aligned by their last digit. */
  readonly isAmount?: boolean
}

type Props<Item> = {
  readonly caption: string
  readonly columns: readonly Column<Item>[]
  readonly items: readonly Item[]
  readonly idOf: (item: Item) => string
  readonly state: ListState
  readonly empty: string
  readonly next?: string | null
  readonly more?: () => void
  readonly reload: () => void
  /** Retries the failed read. */
  readonly again?: () => void
}

/** A failed read, with a button to retry. */
export const ReadFailure = ({ again }: { readonly again: () => void }) => {
  const { say } = useAdminLanguage()
  return (
    <div className="bakter-note" role="alert">
      <p>{say(common.failed)}</p>
      <Button buttonStyle="secondary" size="medium" onClick={again}>
        {say(common.again)}
      </Button>
    </div>
  )
}

/** A list of rows with its empty, loading and failed states. On a phone each row is a card of named lines. */
export const MoneyTable = <Item,>(props: Props<Item>) => {
  const { say } = useAdminLanguage()
  const { items, state, next, reload, again = reload } = props
  if (items.length === 0) {
    if (state === 'failed') return <ReadFailure again={again} />
    return (
      <p className="bakter-note" role="status">
        {state === 'loading' ? say(common.loading) : props.empty}
      </p>
    )
  }
  return (
    <div aria-busy={state === 'loading'}>
      <Rows {...props} />
      {state === 'failed' ? <ReadFailure again={again} /> : null}
      {state === 'failed' || next === null || next === undefined ? null : (
        <Button buttonStyle="secondary" size="medium" disabled={state === 'loading'} onClick={() => props.more?.()}>
          {say(common.more)}
        </Button>
      )}
    </div>
  )
}

const Rows = <Item,>({ caption, columns, items, idOf }: Props<Item>) => {
  const { say, locale } = useAdminLanguage()
  return (
    <table className="bakter-table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, isAmount }) => (
            <th key={head[locale]} scope="col" className={isAmount ? 'bakter-amount' : undefined}>
              {say(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={idOf(item)}>
            {columns.map(({ head, cell, isAmount }) => (
              <td key={head[locale]} data-head={say(head)} className={isAmount ? 'bakter-amount' : undefined}>
                <div>{cell(item)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Who = { readonly id: string; readonly names: ReadonlyMap<string, string> }

/** The customer in a dialog: by name, or by id if the name is unknown. */
export const CustomerLine = ({ id, names }: Who) => {
  const { say } = useAdminLanguage()
  return (
    <p>
      {say(common.customer)}: <b>{names.get(id) || id}</b>
    </p>
  )
}

/** A customer, with a link to their page in the admin. */
export const PersonLink = ({ id, names }: { id: string | null; names: ReadonlyMap<string, string> }) => {
  const { say } = useAdminLanguage()
  if (id === null) return <>{say(common.house)}</>
  const name = names.get(id)
  if (name === undefined) return <span className="bakter-quiet">…</span>
  if (name === '') return <span className="bakter-quiet">{say(common.gone)}</span>
  return <a href={`/admin/collections/users/${id}`}>{name}</a>
}
