'use client'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import { nameOf } from '#contracts/panel/file-path.ts'
import { Button } from '@/ui/controls/button.tsx'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { useFiles } from './files-context.tsx'
import type { Order } from './files-queries.ts'
import { FileList } from './list/file-list.tsx'
import { ListHead } from './list/list-head.tsx'
import { RowMenu } from './list/row-menu.tsx'
import { useTroubleText } from './trouble-text.ts'
import type { ChosenFiles } from './use-chosen.ts'
import type { FileActions } from './use-file-actions.ts'
import type { useFolder } from './use-folder.ts'

type BodyProps = {
  readonly read: ReturnType<typeof useFolder>
  readonly chosen: ChosenFiles
  readonly actions: FileActions
  readonly openFile: string | null
  readonly order: Order
  readonly onOrder: (by: Order['by']) => void
}

const Failed = ({ error, onRetry, isBusy }: { error: unknown; onRetry: () => void; isBusy: boolean }) => {
  const tc = useTranslations('common')
  const troubleText = useTroubleText()
  return (
    <div className="flist-wait">
      <ErrorState
        action={
          <Button size="s" busy={isBusy} onClick={onRetry}>
            {tc('retry')}
          </Button>
        }
      >
        {troubleText(error)}
      </ErrorState>
    </div>
  )
}

const Empty = () => {
  const t = useTranslations('files')
  return (
    <EmptyState picture={<Drawing group="empty" name="files" width={160} />} title={t('emptyTitle')}>
      {t(useFiles().may('file.create') ? 'empty' : 'emptyReadOnly')}
    </EmptyState>
  )
}

const Listed = ({ read, chosen, actions, openFile }: BodyProps) => {
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null)
  const { clipboard } = actions
  const cut = useMemo(() => new Set(clipboard?.kind === 'cut' ? clipboard.paths.map(nameOf) : []), [clipboard])
  return (
    <>
      <FileList
        entries={read.entries}
        total={read.total}
        isWhole={read.isWhole}
        openName={openFile === null ? null : nameOf(openFile)}
        cut={cut}
        selection={chosen.selection}
        onSelect={chosen.select}
        onBeyond={chosen.chooseBeyond}
        onOpen={chosen.open}
        onAction={chosen.act}
        onMenu={setMenuAt}
        onUp={chosen.goUp}
        onMore={read.more}
        onDrag={chosen.drag}
        onDropInto={chosen.dropInto}
      />
      {menuAt === null ? null : (
        <RowMenu
          at={menuAt}
          actions={chosen.possible}
          onChoose={(action) => {
            setMenuAt(null)
            chosen.act(action)
          }}
          onClose={() => setMenuAt(null)}
        />
      )}
    </>
  )
}

/** The entries of the open folder, or why they are not here. */
export const FolderBody = (props: BodyProps) => {
  const t = useTranslations('files')
  const { query, entries } = props.read
  if (query.data === undefined && query.isError) {
    return <Failed error={query.error} isBusy={query.isFetching} onRetry={() => void query.refetch()} />
  }
  if (query.data === undefined) {
    return (
      <div className="flist-wait">
        <SkeletonRows rows={10} label={t('reading')} />
      </div>
    )
  }
  return (
    <div className="flist-box">
      <ListHead order={props.order} onOrder={props.onOrder} />
      {entries.length === 0 ? <Empty /> : <Listed {...props} />}
    </div>
  )
}
