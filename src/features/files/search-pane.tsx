'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { folderOf, nameOf } from '#contracts/panel/file-path.ts'
import { Input } from '@/ui/controls/input.tsx'
import { EmptyState, SkeletonRows } from '@/ui/surfaces/states.tsx'
import { useFiles } from './files-context.tsx'
import { searchQuery } from './files-queries.ts'
import { FileIcon } from './list/file-icon.tsx'
import { useTroubleText } from './trouble-text.ts'

const SETTLE_MS = 300

/** The typed text, once the typing has stopped. */
const useSettledText = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

type Match = {
  path: string
  kind: 'folder' | 'file' | 'link' | 'other'
  line?: number | undefined
  text?: string | undefined
}

const MatchRow = ({ match, onOpen }: { match: Match; onOpen: (match: Match) => void }) => {
  const t = useTranslations('files.search')
  return (
    <li>
      <button type="button" className="fmatch" onClick={() => onOpen(match)}>
        <FileIcon entry={{ name: nameOf(match.path), kind: match.kind }} />
        <span className="min-w-0">
          <span className="cut">{nameOf(match.path)}</span>
          {folderOf(match.path) === '' ? null : <small className="cut">{folderOf(match.path)}</small>}
          {match.text === undefined ? null : (
            <small className="cut mono">
              {t('line', { line: match.line ?? 1 })} {match.text}
            </small>
          )}
        </span>
      </button>
    </li>
  )
}

/** Searches below the open folder by name and by content. */
export const SearchPane = ({ folder, onOpen }: { folder: string; onOpen: (match: Match) => void }) => {
  const t = useTranslations('files.search')
  const files = useFiles()
  const troubleText = useTroubleText()
  const [name, setName] = useState('')
  const [content, setContent] = useState('')
  const first = useRef<HTMLInputElement>(null)
  // The reader has just asked for the search.
  useEffect(() => first.current?.focus(), [])
  const asked = { path: folder, name: useSettledText(name.trim()), content: useSettledText(content.trim()) }
  const query = useQuery(searchQuery(files, asked))
  const isAsked = asked.name !== '' || asked.content !== ''
  const matches = query.data?.matches ?? []
  return (
    <section className="fsearch" aria-label={t('title')}>
      <div className="fsearch-in">
        <Input
          ref={first}
          label={t('name')}
          placeholder={t('name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Input
          label={t('content')}
          placeholder={t('content')}
          value={content}
          onChange={(event) => setContent(event.target.value)}
        />
      </div>
      <div role="status" className="small t2">
        {query.isFetching ? t('running') : null}
        {query.data === undefined || query.isFetching
          ? null
          : t(query.data.isPartial ? 'partial' : 'found', { count: matches.length })}
      </div>
      {query.isError ? <p role="alert">{troubleText(query.error)}</p> : null}
      {query.isLoading && isAsked ? <SkeletonRows rows={4} /> : null}
      {isAsked && query.data?.isPartial === false && matches.length === 0 ? <EmptyState>{t('none')}</EmptyState> : null}
      <ul className="fmatches">
        {matches.map((match) => (
          <MatchRow key={match.path} match={match} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  )
}
