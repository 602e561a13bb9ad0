'use client'
import {
  Archive,
  ArrowRightLeft,
  Copy,
  Download,
  FolderInput,
  LockKeyhole,
  PackageOpen,
  Pencil,
  Scissors,
  Trash2,
} from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import type { Action } from './list/row-menu.tsx'

const ICONS = {
  download: Download,
  rename: Pencil,
  copy: Copy,
  cut: Scissors,
  move: FolderInput,
  send: ArrowRightLeft,
  compress: Archive,
  extract: PackageOpen,
  mode: LockKeyhole,
  delete: Trash2,
} as const
/** On a phone these are in the menu of a row alone. */
const MENU_ONLY: readonly Action[] = ['send', 'compress', 'extract', 'mode']
type BarAction = keyof typeof ICONS
const isInBar = (action: Action): action is BarAction => Object.hasOwn(ICONS, action)

/** How many are chosen, and what can be done with them. Its place is the way's, so that no row moves. */
export const SelectionBar = ({
  count,
  reading,
  actions,
  onAction,
  onClear,
}: {
  count: number
  /** How much of the folder is read while the rest of it is being chosen. */
  reading: { readonly read: number; readonly total: number } | null
  actions: readonly Action[]
  onAction: (action: Action) => void
  onClear: () => void
}) => {
  const t = useTranslations('files')
  const number = new Intl.NumberFormat(useLocale())
  return (
    <div className="crumbs fbar" role="toolbar" aria-label={t('actions.title')}>
      <IconButton small label={t('clear')} icon={<Icon name="close" />} onClick={onClear} />
      <span className="grow nw" role="status">
        {reading === null ? (
          <>
            <b>{number.format(count)}</b> <span className="word">{t('chosen', { count })}</span>
          </>
        ) : (
          t('readingOn', { read: number.format(reading.read), total: number.format(reading.total) })
        )}
      </span>
      {actions.filter(isInBar).map((action) => {
        const Drawing = ICONS[action]
        return (
          <IconButton
            key={action}
            small
            className={MENU_ONLY.includes(action) ? 'only-desk' : undefined}
            label={t(`actions.${action}`)}
            icon={<Drawing className="i" aria-hidden />}
            onClick={() => onAction(action)}
          />
        )
      })}
    </div>
  )
}
