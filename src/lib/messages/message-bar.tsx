'use client'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/signs/icon.tsx'
import { dismiss, remaining } from './message-dismissals.ts'
import type { Keep, MessageAnswer, ShownMessage } from './message-dismissals.ts'
import { roomKey } from './message-room.ts'
import { Notice } from '../../ui/surfaces/notice.tsx'
import type { NoticeTone } from '../../ui/surfaces/notice.tsx'
import { screenTimes } from '../../ui/screen/screen-times.ts'
import './message-bar.css'

const tones: Readonly<Record<ShownMessage['severity'], NoticeTone>> = { info: 'plain', warning: 'wait', error: 'stop' }
/** Outages are announced at once; the rest politely. */
const roles = { info: 'status', warning: 'status', error: 'alert' } as const

/** The largest share of the window's height for messages, as in message-bar.css. */
const MOST_OF_VIEW = 0.4

const inMemory = new Map<string, string>()
const keep: Keep = {
  get: (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return inMemory.get(key) ?? null
    }
  },
  set: (key, value) => {
    try {
      localStorage.setItem(key, value)
    } catch {
      inMemory.set(key, value)
    }
  },
}

/** Loads the messages for this reader in a language; null without a response. */
type Load = (locale: string) => Promise<MessageAnswer | null>

/** Stores a dismissal for a person, in all their browsers. */
type Tell = (message: ShownMessage) => Promise<void>

/** The current messages: loaded at once, every few seconds while the page is visible, and when it becomes visible again. */
const useAnswer = (load: Load, locale: string): MessageAnswer | null => {
  const [answer, setAnswer] = useState<MessageAnswer | null>(null)
  useEffect(() => {
    let isOpen = true
    const look = () => {
      if (document.hidden) return
      void load(locale).then((next) => {
        // Without a response the last messages stay.
        if (isOpen && next) setAnswer(next)
      })
    }
    look()
    const timer = window.setInterval(look, screenTimes.messagesEveryMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      isOpen = false
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [load, locale])
  return answer
}

/** Global messages, above the page. Their height is reserved from the first paint if it is known. */
type MessageBarProps = { load: Load; tell: Tell; locale: string; words: { label: string; close: string } }

export const MessageBar = ({ load, tell, locale, words }: MessageBarProps) => {
  const answer = useAnswer(load, locale)
  const [dismissals, setDismissals] = useState(0)
  const region = useRef<HTMLElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const shown = answer ? remaining(keep, answer) : []
  const isKnown = answer !== null
  useLayoutEffect(() => {
    const element = list.current
    if (!isKnown || element === null) return undefined
    const measure = () => {
      const height = Math.min(element.offsetHeight, Math.round(window.innerHeight * MOST_OF_VIEW))
      keep.set(roomKey, String(height))
      document.documentElement.style.setProperty('--message-room', `${height}px`)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [isKnown])
  return (
    <section
      ref={region}
      className="messages"
      tabIndex={-1}
      {...(shown.length > 0 ? { 'aria-label': words.label } : {})}
    >
      <div ref={list}>
        {shown.map((message) => (
          <Notice
            key={message.id + message.revision}
            tone={tones[message.severity]}
            role={roles[message.severity]}
            action={
              <button
                type="button"
                className="icon-btn icon-btn-s"
                aria-label={words.close}
                onClick={() => {
                  const reader = answer?.reader ?? null
                  dismiss(keep, reader, message)
                  if (reader !== null) void tell(message)
                  setDismissals(dismissals + 1)
                  region.current?.focus()
                }}
              >
                <Icon name="close" />
              </button>
            }
          >
            {message.text}
          </Notice>
        ))}
      </div>
    </section>
  )
}
