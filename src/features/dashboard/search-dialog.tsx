'use client'
import { ArrowDown, ArrowUp, CornerDownLeft } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { Drawing } from '@/lib/pictures/picture.tsx'
import { askToLeave } from '@/ui/screen/leave-guard.ts'
import { EmptyState } from '@/ui/surfaces/states.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { useModalEnd } from '@/ui/surfaces/use-modal-end.ts'
import { isOutside } from './entries.ts'
import { SearchOption } from './search-option.tsx'
import { wrapped } from './search.ts'
import { useHits } from './search-hits.ts'
import type { Hit } from './search-hits.ts'

const kinds = ['servers', 'tickets', 'menu'] as const

const KeysNote = () => {
  const t = useTranslations('dashboard.search')
  return (
    <div className="pal-f" aria-hidden>
      <span>
        <kbd className="kbd">
          <ArrowUp className="i" />
          <ArrowDown className="i" />
        </kbd>
        {t('choose')}
      </span>
      <span>
        <kbd className="kbd">
          <CornerDownLeft className="i" />
        </kbd>
        {t('enter')}
      </span>
      <span>
        <kbd className="kbd">Esc</kbd>
        {t('escape')}
      </span>
      <span className="end">
        <kbd className="kbd">ALT + Q</kbd>
        {t('anywhere')}
      </span>
    </div>
  )
}

/** The browser's own modal traps and restores the focus; it is at the top of the page's layers. */
const useModal = (): RefObject<HTMLDialogElement | null> => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    if (shown && !shown.open) shown.showModal()
  }, [])
  return dialog
}

type ResultsProps = {
  hits: readonly Hit[]
  input: string
  selected: number
  optionId: (at: number) => string
  listId: string
  onSelect: (at: number) => void
  onOpen: (hit: Hit) => void
}

const Results = ({ hits, input, selected, optionId, listId, onSelect, onOpen }: ResultsProps) => {
  const t = useTranslations('dashboard.search')
  return (
    <div id={listId} role="listbox" aria-label={t('results')} className="pal-l">
      {kinds.map((kind) => {
        const rows = hits.flatMap((hit, at) => (hit.kind === kind ? [{ hit, at }] : []))
        if (rows.length === 0) return null
        return (
          <div key={kind} role="group" aria-label={t(`groups.${kind}`)}>
            <p className="pal-g" aria-hidden>
              {t(`groups.${kind}`)}
            </p>
            <div className="pal-r" role="presentation">
              {rows.map(({ hit, at }) => (
                <SearchOption
                  key={hit.id}
                  id={optionId(at)}
                  hit={hit}
                  input={input}
                  isSelected={at === selected}
                  onSelect={() => onSelect(at)}
                  onOpen={() => onOpen(hit)}
                />
              ))}
            </div>
          </div>
        )
      })}
    </div>
  )
}

type SearchFieldProps = Pick<ResultsProps, 'hits' | 'input' | 'selected' | 'optionId'> & {
  id: string
  onInput: (text: string) => void
  onKey: (event: KeyboardEvent) => void
  onClose: () => void
}

const SearchField = ({ hits, input, selected, optionId, id, onInput, onKey, onClose }: SearchFieldProps) => {
  const t = useTranslations('dashboard.search')
  const tc = useTranslations('common')
  return (
    <div className="pal-in">
      <Icon name="search" size={20} className="i" />
      <input
        role="combobox"
        aria-label={t('open')}
        aria-autocomplete="list"
        aria-expanded={hits.length > 0}
        aria-controls={`${id}-list`}
        {...(hits.length > 0 ? { 'aria-activedescendant': optionId(selected) } : {})}
        value={input}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        onChange={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <span className="pal-count small t3" role="status">
        {input.trim() === '' ? '' : t('count', { count: hits.length })}
      </span>
      <button type="button" className="icon-btn icon-btn-s" aria-label={tc('close')} onClick={onClose}>
        <Icon name="close" size={20} />
      </button>
    </div>
  )
}

type SearchDialogProps = { panelId?: string | undefined; onClose: () => void }

/** Global search (specification section 2): arrows wrap, Enter opens, Escape and the backdrop close. */
export const SearchDialog = ({ panelId, onClose }: SearchDialogProps) => {
  const t = useTranslations('dashboard.search')
  const router = useRouter()
  const dialog = useModal()
  const { end, handlers } = useModalEnd(dialog, onClose)
  const id = useId()
  const [input, setInput] = useState('')
  const [chosen, setChosen] = useState(0)
  const hits = useHits(input, panelId)
  const selected = Math.min(chosen, Math.max(hits.length - 1, 0))
  const optionId = (at: number) => `${id}-${at}`
  const list = { input, hits, selected, optionId }
  const open = (hit: Hit) => {
    end()
    if (isOutside(hit.link)) window.open(hit.link, '_blank', 'noopener')
    else askToLeave(() => router.push(hit.link))
  }
  const select = (at: number) => {
    setChosen(at)
    document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const hit = hits[selected]
    if (event.key === 'ArrowDown') select(wrapped(selected, 1, hits.length))
    else if (event.key === 'ArrowUp') select(wrapped(selected, -1, hits.length))
    else if (event.key === 'Enter' && hit) open(hit)
    else return
    event.preventDefault()
  }
  const isEmpty = input.trim() === ''
  return (
    <dialog ref={dialog} className="dialog pal" aria-label={t('title')} {...handlers}>
      <SearchField
        {...list}
        id={id}
        onInput={(text) => {
          setInput(text)
          setChosen(0)
        }}
        onKey={onKey}
        onClose={end}
      />
      {hits.length > 0 ? (
        <Results {...list} listId={`${id}-list`} onSelect={setChosen} onOpen={open} />
      ) : (
        <div id={`${id}-list`} className="pal-none">
          <EmptyState {...(isEmpty ? {} : { picture: <Drawing group="empty" name="nothing-found" width={240} /> })}>
            {isEmpty ? t('hint') : t('none', { input: input.trim() })}
          </EmptyState>
        </div>
      )}
      <KeysNote />
    </dialog>
  )
}
