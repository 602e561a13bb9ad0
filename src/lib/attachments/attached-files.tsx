'use client'
import { Paperclip, RotateCw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { bytesText } from '../format/size.ts'
import { canRetry } from './attachment-tray.ts'
import type { TrayItem } from './attachment-tray.ts'
import type { AttachmentWords } from './attachment-words.ts'
import { FileSign } from './file-sign.tsx'
import type { Attachments } from './use-attachments.ts'
import './attachments.css'

type Props = { files: Attachments; words: AttachmentWords; isBusy: boolean }

/** The picture itself, once the site has found that it is one that browsers can bear. */
const Preview = ({ item }: { item: TrayItem }) => {
  const [url, setUrl] = useState<string | null>(null)
  const file = item.state === 'done' && item.kind === 'picture' ? item.file : null
  useEffect(() => {
    if (file === null) return undefined
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return (
    <span className="att-thumb">
      {url === null ? <FileSign kind={item.kind} /> : <img src={url} alt="" onError={() => setUrl(null)} />}
    </span>
  )
}

const faultOf = (item: TrayItem, words: AttachmentWords): string | null => {
  if (item.state === 'refused') return words.faults[item.fault]
  if (item.state === 'failed') return words.failure(item.failure)
  return item.state === 'gone' ? words.gone : null
}

const Progress = ({ item, words }: { item: TrayItem; words: AttachmentWords }) => {
  if (item.state !== 'sending' && item.state !== 'waiting') return null
  const sent = item.state === 'sending' ? item.sent : 0
  return (
    <progress
      className="att-progress"
      aria-label={words.uploading(item.name)}
      max={Math.max(1, item.size)}
      value={sent}
    />
  )
}

type ActProps = { label: string; onClick: (event: MouseEvent<HTMLButtonElement>) => void; children: ReactNode }
const Act = ({ label, onClick, children }: ActProps) => (
  <button type="button" className="att-act" aria-label={label} title={label} onClick={onClick}>
    {children}
  </button>
)

const Row = ({ item, files, words, isBusy }: Props & { item: TrayItem }) => {
  const { name, size } = item.state === 'done' ? item.attachment : item
  const fault = faultOf(item, words)
  const isUnderWay = item.state === 'waiting' || item.state === 'sending'
  // The pressed buttons go, and the focus must not go with them.
  const retry = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const next = currentTarget.nextElementSibling
    if (next instanceof HTMLElement) next.focus()
    files.retry(item.id)
  }
  const remove = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    currentTarget.form?.querySelector<HTMLElement>('[data-attach]')?.focus()
    files.remove(item.id)
  }
  return (
    <li className="att-row" data-state={item.state}>
      <Preview item={item} />
      <span className="att-name">
        <span className="att-cut" title={name}>
          {name}
        </span>
        {fault === null ? (
          <span className="att-size">
            {isUnderWay ? <Progress item={item} words={words} /> : bytesText(size, words.locale)}
          </span>
        ) : (
          <span className="att-fault">{fault}</span>
        )}
      </span>
      {isBusy || !canRetry(item) ? null : (
        <Act label={words.retry(name)} onClick={retry}>
          <RotateCw size={18} aria-hidden />
        </Act>
      )}
      {isBusy ? null : (
        <Act label={isUnderWay ? words.cancel(name) : words.remove(name)} onClick={remove}>
          <X size={18} aria-hidden />
        </Act>
      )}
    </li>
  )
}

/** The last event of one of the files, for readers who do not see the list. */
const useNews = (items: readonly TrayItem[], words: AttachmentWords): string => {
  const known = useRef(new Map<number, string>())
  const [news, setNews] = useState('')
  useEffect(() => {
    const changed = items.findLast(({ id, state }) => known.current.get(id) !== state)
    known.current = new Map(items.map(({ id, state }) => [id, state]))
    if (changed === undefined) return
    const fault = faultOf(changed, words)
    if (fault !== null) setNews(`${changed.name}: ${fault}`)
    else if (changed.state === 'done') setNews(words.uploaded(changed.attachment.name))
  }, [items, words])
  return news
}

/** The files of the message that is being written, each with its progress or with why it is not there. */
export const AttachedFiles = ({ files, words, isBusy }: Props) => {
  const news = useNews(files.items, words)
  return (
    <>
      {files.items.length === 0 ? null : (
        <ul className="att-list" aria-label={words.files}>
          {files.items.map((item) => (
            <Row key={item.id} item={item} files={files} words={words} isBusy={isBusy} />
          ))}
        </ul>
      )}
      {files.isFull || files.obstacle !== null ? (
        <p className="att-note" role="alert">
          {files.obstacle === null ? words.full : words.obstacles[files.obstacle]}
        </p>
      ) : null}
      <span className="att-news" role="status">
        {news}
      </span>
    </>
  )
}

/** The button that chooses files. `className` makes it one of the page's own. */
export const AttachButton = ({ files, words, isBusy, className }: Props & { className: string }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          files.add([...(currentTarget.files ?? [])])
          // Allows choosing the same file again.
          currentTarget.value = ''
        }}
      />
      <button
        type="button"
        data-attach
        className={className}
        title={words.rule}
        aria-disabled={isBusy || undefined}
        onClick={() => (isBusy ? undefined : input.current?.click())}
      >
        <Paperclip size={18} aria-hidden />
        {words.attach}
      </button>
    </>
  )
}
