'use client'
import { FolderPlus, Rows3, Rows4 } from 'lucide-react'
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
  readonly dense: boolean
  readonly onDense: (dense: boolean) => void
  readonly onNewGroup: () => void
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

const Density = ({ dense, onDense }: Pick<ListHeadProps, 'dense' | 'onDense'>) => {
  const t = useTranslations('servers.list')
  return (
    <span className="seg only-desk" role="group" aria-label={t('density')}>
      <button
        type="button"
        aria-pressed={!dense}
        aria-label={t('roomy')}
        title={t('roomy')}
        onClick={() => onDense(false)}
      >
        <Rows3 className="i i-s" aria-hidden />
      </button>
      <button
        type="button"
        aria-pressed={dense}
        aria-label={t('dense')}
        title={t('dense')}
        onClick={() => onDense(true)}
      >
        <Rows4 className="i i-s" aria-hidden />
      </button>
    </span>
  )
}

/** The controls above the rows: the selection of all, the offer of a newer order, the keys, groups and density. */
export const ListHead = (props: ListHeadProps) => {
  const { sections, selection, onUpdate, dense, onDense, onNewGroup } = props
  const t = useTranslations('servers.list')
  // A selection of all must not stop servers that are folded away.
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
      <Button size="s" onClick={onNewGroup}>
        <FolderPlus className="i" aria-hidden />
        {t('newGroup')}
      </Button>
      <Density dense={dense} onDense={onDense} />
    </div>
  )
}
