'use client'
import { History, Redo2, RotateCw, Search, Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button, IconButton } from '@/ui/controls/button.tsx'
import type { PropertiesView } from '../properties/use-properties-view.ts'
import { PiecePager } from './piece-pager.tsx'
import type { Editing, Pieces } from './use-editing.ts'
import type { OpenFile } from './use-open-file.ts'

type BarProps = {
  readonly file: OpenFile
  readonly editing: Editing
  readonly view: PropertiesView
  readonly isReadAtStart: boolean
  readonly pieces: Pieces | null
  readonly onSave: () => void
}

/** Form or text, where a file has both. */
const ViewSegment = ({ view }: { view: PropertiesView }) => {
  const t = useTranslations('files.form')
  return (
    <span className="seg" role="group" aria-label={t('view')}>
      {(['form', 'text'] as const).map((name) => (
        <button
          key={name}
          type="button"
          disabled={name === 'form' && !view.isReadable}
          aria-pressed={view.isForm === (name === 'form')}
          onClick={() => view.choose(name)}
        >
          {t(`views.${name}`)}
        </button>
      ))}
    </span>
  )
}

/** The buttons above the open text. */
export const EditorBar = ({ file, editing, view, isReadAtStart, pieces, onSave }: BarProps) => {
  const t = useTranslations('files.editor')
  const tf = useTranslations('files.form')
  const { code, mayChange, saving, shown } = editing
  const act = (label: 'undo' | 'redo' | 'search', Sign: typeof Undo2) => (
    <IconButton
      small
      label={t(label)}
      icon={<Sign className="i" aria-hidden />}
      onClick={() => code.current?.[label]()}
    />
  )
  return (
    <div className="ed-bar">
      {view.hasForm && shown.other === undefined ? <ViewSegment view={view} /> : null}
      {isReadAtStart && mayChange ? (
        <span className="mark only-desk">
          <RotateCw className="i" aria-hidden />
          {tf('atStart')}
        </span>
      ) : null}
      {pieces === null ? null : <PiecePager file={file} pieces={pieces} />}
      {mayChange ? null : <span className={file.isWhole ? 'small t2' : 'small t2 only-desk'}>{t('readOnly')}</span>}
      <span className="end" />
      {file.isWhole ? act('undo', Undo2) : null}
      {file.isWhole ? act('redo', Redo2) : null}
      {view.isForm ? null : act('search', Search)}
      {mayChange ? (
        <IconButton
          small
          label={t('history')}
          icon={<History className="i" aria-hidden />}
          onClick={() => editing.setInHistory(true)}
        />
      ) : null}
      {mayChange ? (
        <Button look="primary" size="s" busy={saving.isSaving} aria-keyshortcuts="Control+S" onClick={onSave}>
          {t('save')}
        </Button>
      ) : null}
    </div>
  )
}
