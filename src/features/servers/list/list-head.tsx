'use client'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { Button } from '@/ui/controls/button.tsx'
import type { ListSection } from '../list-view.ts'

type Selected = { readonly ids: ReadonlySet<string>; readonly set: (ids: readonly string[]) => void }

type ListHeadProps = {
  readonly sections: readonly ListSection<Server>[]
  readonly selection: Selected
  /** Takes the order that newer states give; null while the list has it. */
  readonly onUpdate: (() => void) | null
}

/** Selects every shown server, or none. */
const SelectAll = ({ shown, ids, set }: Selected & { shown: readonly Server[] }) => {
  const t = useTranslations('servers.list')
  const count = shown.filter(({ id }) => ids.has(id)).length
  const isAll = count > 0 && count === shown.length
  return (
    <label className="check sv-all">
      <input
        type="checkbox"
        checked={isAll}
        disabled={shown.length === 0}
        ref={(input) => {
          if (input) input.indeterminate = count > 0 && !isAll
        }}
        onChange={() => set(isAll ? [] : shown.map(({ id }) => id))}
      />
      <span className="small">{t('selectAll')}</span>
    </label>
  )
}

/** What is above the rows: the selection of all, the offer of a newer order, and the keys. */
export const ListHead = ({ sections, selection, onUpdate }: ListHeadProps) => {
  const t = useTranslations('servers.list')
  // What is folded away must not be stopped by a selection of all.
  const shown = sections.filter(({ group }) => !group?.folded).flatMap(({ servers }) => servers)
  return (
    <div className="sv-head">
      <SelectAll shown={shown} ids={selection.ids} set={selection.set} />
      <span className="sv-newer small" role="status">
        {onUpdate === null ? null : (
          <>
            <span className="only-desk">{t('newOrder')}</span>
            <Button size="s" onClick={onUpdate}>
              {t('update')}
            </Button>
          </>
        )}
      </span>
      <details className="sv-keys small only-desk">
        <summary>{t('keys')}</summary>
        <p className="menu">{t('keysText')}</p>
      </details>
    </div>
  )
}
