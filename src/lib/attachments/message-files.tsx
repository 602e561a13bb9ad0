'use client'
import { useEffect, useRef, useState } from 'react'
import type { MouseEvent, RefObject } from 'react'
import type { TicketAttachment } from '#contracts/http/desk/ticket-entity.ts'
import { api } from '../browser-client/browser-client.ts'
import { ApiFailure } from '../browser-client/failure.ts'
import { saveFile } from '../browser-client/save-file.ts'
import { bytesText } from '../format/size.ts'
import type { AttachmentWords } from './attachment-words.ts'
import { FileSign } from './file-sign.tsx'
import './attachments.css'

type FileProps = { ticketId: string; file: TicketAttachment; words: AttachmentWords }
type LinkProps = FileProps & {
  /** Without one the picture itself stands beside the link. */
  hasSign: boolean
}

const pathOf = (ticketId: string, attachmentId: string) =>
  `/api/ticket/${encodeURIComponent(ticketId)}/attachments/${encodeURIComponent(attachmentId)}`

/** A file that is not there any more says so; everything else says its own reason. */
const reasonOf = (failure: unknown, words: AttachmentWords): string =>
  failure instanceof ApiFailure && failure.status === 404 ? words.removed : words.failure(failure)

/** Whether an element has been near the view. */
const useIsNear = (ref: RefObject<HTMLElement | null>): boolean => {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (ref.current === null || isNear) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: '400px' },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref, isNear])
  return isNear
}

/** The types that browsers show as pictures and that the site has encoded itself: nothing else ever opens in a page. */
const SHOWN = ['image/png', 'image/jpeg', 'image/webp']

type Loaded = { readonly url: string } | { readonly failure: unknown } | 'unshown' | null

/** A picture, read by the client that renews the session; again for each `attempt`. */
const useLoaded = (path: string, isWanted: boolean, attempt: number) => {
  const [loaded, setLoaded] = useState<Loaded>(null)
  useEffect(() => {
    if (!isWanted) return undefined
    let url: string | null = null
    let isHere = true
    setLoaded(null)
    const read = async () => {
      try {
        const picture = await api.download(path)
        if (!isHere) return
        if (!SHOWN.includes(picture.type)) return setLoaded('unshown')
        url = URL.createObjectURL(picture)
        setLoaded({ url })
      } catch (failure) {
        if (isHere) setLoaded({ failure })
      }
    }
    void read()
    return () => {
      isHere = false
      if (url !== null) URL.revokeObjectURL(url)
    }
  }, [path, isWanted, attempt])
  return { loaded, giveUp: () => setLoaded('unshown') }
}

const Picture = ({ ticketId, file, words }: FileProps) => {
  const place = useRef<HTMLSpanElement>(null)
  const [attempt, setAttempt] = useState(0)
  const { loaded, giveUp } = useLoaded(pathOf(ticketId, file.id), useIsNear(place), attempt)
  return (
    <span ref={place} className="att-picture">
      {loaded === null ? <FileSign kind="picture" /> : null}
      {loaded !== null && loaded !== 'unshown' && 'url' in loaded ? (
        <a href={loaded.url} target="_blank" rel="noopener noreferrer" aria-label={words.open(file.name)}>
          <img src={loaded.url} alt={file.name} onError={giveUp} />
        </a>
      ) : null}
      {loaded === 'unshown' ? <span className="att-unshown">{words.unshown}</span> : null}
      {loaded !== null && loaded !== 'unshown' && 'failure' in loaded ? (
        <span className="att-unshown">
          {reasonOf(loaded.failure, words)}{' '}
          <button type="button" className="att-again" onClick={() => setAttempt(attempt + 1)}>
            {words.again}
          </button>
        </span>
      ) : null}
    </span>
  )
}

/** Another button or key of the mouse means the browser's own way: a new tab, or its menu. */
const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

/** The link that saves a file. The client reads it, because a plain link would save the refusal of an ended session. */
const SaveLink = ({ ticketId, file, words, hasSign }: LinkProps) => {
  const [failure, setFailure] = useState<unknown>(null)
  const isRunning = useRef(false)
  const path = pathOf(ticketId, file.id)
  const save = async () => {
    if (isRunning.current) return
    isRunning.current = true
    setFailure(null)
    try {
      saveFile(await api.download(path), file.name)
    } catch (reason) {
      setFailure(reason)
    } finally {
      isRunning.current = false
    }
  }
  return (
    <>
      <a
        className="att-save"
        href={path}
        download={file.name}
        title={words.save(file.name)}
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          void save()
        }}
      >
        {hasSign ? <FileSign kind={file.kind} /> : null}
        <span className="att-cut">{file.name}</span>
        <span className="att-size">{bytesText(file.size, words.locale)}</span>
      </a>
      {failure === null ? null : (
        <span className="att-fault" role="alert">
          {reasonOf(failure, words)}
        </span>
      )}
    </>
  )
}

type Props = { ticketId: string; files: readonly TicketAttachment[]; words: AttachmentWords }

/** The files of a message: pictures as they are, everything else by its name. Each can be saved. */
export const MessageFiles = ({ ticketId, files, words }: Props) =>
  files.length === 0 ? null : (
    <ul className="att-files" aria-label={words.files}>
      {files.map((file) => (
        <li key={file.id} data-kind={file.kind}>
          {file.kind === 'picture' ? <Picture ticketId={ticketId} file={file} words={words} /> : null}
          <SaveLink ticketId={ticketId} file={file} words={words} hasSign={file.kind !== 'picture'} />
        </li>
      ))}
    </ul>
  )

/** The files of a whole ticket by their names and sizes, under a title that the page gives. Each can be saved. */
export const NamedFiles = ({ ticketId, files, words }: Props) => (
  <ul className="att-named">
    {files.map((file) => (
      <li key={file.id}>
        <SaveLink ticketId={ticketId} file={file} words={words} hasSign />
      </li>
    ))}
  </ul>
)
