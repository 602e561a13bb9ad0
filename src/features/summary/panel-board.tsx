'use client'
import { ArrowDown, ArrowUp, EyeOff, GripVertical } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useCallback, useRef, useState, useSyncExternalStore } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import {
  columnEnd,
  COLUMN_OF_PANEL,
  steppedPanel,
  SUMMARY_PANELS,
  type SummaryPanel,
} from '#domain/users/summary-layout.ts'
import { IconButton } from '@/ui/controls/button.tsx'
import { useKeptGrip } from '@/ui/screen/use-kept-grip.ts'
import { useRowDrag } from '@/ui/screen/use-row-drag.ts'
import { Icon } from '@/ui/signs/icon.tsx'
import { ActionMenu, type MenuAction } from '@/ui/surfaces/action-menu.tsx'
import type { PanelTools } from '@/ui/surfaces/panel.tsx'
import { PANEL_ROWS } from './panel-drag.ts'
import type { SummaryArranging } from './use-summary-layout.ts'

/** As in frame.css: narrower screens show one column. */
const WIDE = '(min-width: 1280px)'
const subscribeWide = (changed: () => void) => {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribeWide,
    () => window.matchMedia(WIDE).matches,
    () => true,
  )

type Column = { readonly id: string; readonly panels: readonly SummaryPanel[] }

/** The panels of each column. A narrow screen has one, in which they stand in the order of the whole. */
const columnsOf = (shown: readonly SummaryPanel[], isWide: boolean): readonly Column[] => {
  const inColumn = (id: 'main' | 'side') => shown.filter((panel) => COLUMN_OF_PANEL[panel] === id)
  const columns = isWide
    ? [
        { id: 'main', panels: inColumn('main') },
        { id: 'side', panels: inColumn('side') },
      ]
    : [{ id: 'main', panels: shown }]
  return columns.filter(({ panels }) => panels.length > 0)
}

const isPanel = (name: string): name is SummaryPanel => SUMMARY_PANELS.some((panel) => panel === name)

const Grip = ({ name, onStep }: { name: string; onStep: (by: -1 | 1) => void }) => {
  const t = useTranslations('summary.panels')
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined) return
    event.preventDefault()
    onStep(by)
  }
  return (
    <button
      type="button"
      className="grip"
      data-grip
      aria-label={t('grip', { name })}
      title={t('gripHint')}
      aria-keyshortcuts="ArrowUp ArrowDown"
      onKeyDown={onKeyDown}
    >
      <GripVertical className="i i-s" aria-hidden />
    </button>
  )
}

type Opened = { readonly panel: SummaryPanel; readonly opener: HTMLElement }

type BoardProps = {
  /** In the reader's order, with hidden ones. */
  readonly order: readonly SummaryPanel[]
  /** Those of them that are not hidden. */
  readonly shown: readonly SummaryPanel[]
  readonly draw: (panel: SummaryPanel, tools: PanelTools) => ReactNode
  /** Without the stored layout nothing can be arranged: it would be arranged anew. */
  readonly canArrange: boolean
  readonly change: SummaryArranging
  /** A panel was hidden: its own controls are gone. */
  readonly onHidden: () => void
}

/** Moves and hides panels, and says where they then are. */
const useArranging = ({
  columns,
  order,
  change,
  onHidden,
}: Omit<BoardProps, 'shown' | 'draw'> & { columns: readonly Column[] }) => {
  const t = useTranslations('summary.panels')
  const [said, setSaid] = useState<{ readonly panel: SummaryPanel; readonly isHidden: boolean } | null>(null)
  const columnOf = (panel: SummaryPanel) => columns.find(({ panels }) => panels.includes(panel))?.panels ?? []
  /** In front of a panel of its column, or to the end of the column. */
  const move = (panel: SummaryPanel, to: SummaryPanel | null) => {
    setSaid({ panel, isHidden: false })
    change.tell({ kind: 'move', panel, before: to ?? columnEnd(order, columnOf(panel), panel) })
  }
  const step = (panel: SummaryPanel, by: -1 | 1) => {
    const before = steppedPanel(columnOf(panel), panel, by)
    if (before !== undefined) move(panel, before)
  }
  const hide = (panel: SummaryPanel) => {
    setSaid({ panel, isHidden: true })
    change.tell({ kind: 'show', panel, shown: false })
    onHidden()
  }
  const textOf = (): string => {
    if (said === null) return ''
    const name = t(`names.${said.panel}`)
    const column = columnOf(said.panel)
    if (said.isHidden) return t('hidden', { name })
    return t('moved', { name, at: column.indexOf(said.panel) + 1, count: column.length })
  }
  return { columnOf, move, step, hide, text: textOf() }
}

type Arranging = ReturnType<typeof useArranging>

const useMenuActions = ({ columnOf, step, hide }: Arranging) => {
  const t = useTranslations('summary.panels')
  return (panel: SummaryPanel): MenuAction[] => {
    const column = columnOf(panel)
    const at = column.indexOf(panel)
    const up = {
      id: 'up',
      label: t('up'),
      icon: <ArrowUp className="i" aria-hidden />,
      run: () => step(panel, -1),
    }
    const down = {
      id: 'down',
      label: t('down'),
      icon: <ArrowDown className="i" aria-hidden />,
      run: () => step(panel, 1),
    }
    return [
      ...(at > 0 ? [up] : []),
      ...(at < column.length - 1 ? [down] : []),
      { id: 'hide', label: t('hide'), icon: <EyeOff className="i" aria-hidden />, run: () => hide(panel) },
    ]
  }
}

type ToolsProps = {
  readonly panel: SummaryPanel
  readonly isOpen: boolean
  readonly arranging: Arranging
  readonly onMenu: (opened: Opened) => void
}

/** The grip of a panel and the button of its menu. */
const useTools = (canArrange: boolean) => {
  const t = useTranslations('summary.panels')
  return ({ panel, isOpen, arranging, onMenu }: ToolsProps): PanelTools => {
    if (!canArrange) return {}
    const name = t(`names.${panel}`)
    return {
      grip: <Grip name={name} onStep={(by) => arranging.step(panel, by)} />,
      menu: (
        <IconButton
          small
          label={t('menu', { name })}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          icon={<Icon name="more" />}
          onClick={({ currentTarget: opener }) => onMenu({ panel, opener })}
        />
      ),
    }
  }
}

/** The panels of the summary in the reader's order, and their arranging by drag, by a held finger and by keys. */
export const PanelBoard = (props: BoardProps) => {
  const { shown, draw, canArrange } = props
  const t = useTranslations('summary.panels')
  const board = useRef<HTMLDivElement>(null)
  const columns = columnsOf(shown, useIsWide())
  const arranging = useArranging({ ...props, columns })
  const actionsOf = useMenuActions(arranging)
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = useCallback(() => setOpened(null), [])
  const { line, ghost, lifted } = useRowDrag({
    rules: PANEL_ROWS,
    list: board,
    isOn: canArrange,
    onDrop: (id, { before }) => {
      if (isPanel(id)) arranging.move(id, before !== null && isPanel(before) ? before : null)
    },
  })
  useKeptGrip(board, 'data-panel')
  const toolsOf = useTools(canArrange)
  const toggle = (next: Opened) => setOpened(opened?.opener === next.opener ? null : next)
  return (
    <>
      <div ref={board} className={columns.length === 2 ? 'cols sum-board' : 'cols cols-one sum-board'}>
        {columns.map(({ id, panels }) => (
          <div key={id} className="col">
            {panels.map((panel) => (
              <div
                key={panel}
                data-panel={panel}
                data-column={id}
                data-name={t(`names.${panel}`)}
                data-lifted={lifted?.id === panel || undefined}
              >
                {draw(panel, toolsOf({ panel, isOpen: opened?.panel === panel, arranging, onMenu: toggle }))}
              </div>
            ))}
          </div>
        ))}
        {lifted === null ? null : <div ref={line} className="drag-line" />}
      </div>
      {lifted === null ? null : (
        <div ref={ghost} className="drag-ghost">
          {lifted.name}
        </div>
      )}
      <p className="vh" aria-live="polite">
        {arranging.text}
      </p>
      {opened === null ? null : (
        <ActionMenu
          label={t('menu', { name: t(`names.${opened.panel}`) })}
          opener={opened.opener}
          actions={actionsOf(opened.panel)}
          onClose={close}
        />
      )}
    </>
  )
}
