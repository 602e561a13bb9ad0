'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import type { ClipboardEvent, FormEvent, KeyboardEvent } from 'react'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import { Button } from '@/ui/button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { openHistory, remember, splitCommands, step } from './command-history.ts'
import type { CommandHistory } from './command-history.ts'

const storageKey = (serverId: string) => `bakter.commands.${serverId}`

const readHistory = (serverId: string): CommandHistory => {
  try {
    const held: unknown = JSON.parse(window.localStorage.getItem(storageKey(serverId)) ?? '[]')
    return openHistory(Array.isArray(held) ? held.filter((line) => typeof line === 'string') : [])
  } catch {
    return openHistory([])
  }
}

const writeHistory = (serverId: string, history: CommandHistory) => {
  try {
    window.localStorage.setItem(storageKey(serverId), JSON.stringify(history.commands))
  } catch {
    // A browser without storage keeps the history for as long as the page is open.
  }
}

const byteLength = (text: string) => new TextEncoder().encode(text).length

type CommandLineProps = {
  serverId: string
  /** Why nothing can be sent now; null when something can. */
  blocked: string | null
  /** False when the command did not go out. */
  send: (command: string) => boolean
}

const useCommandHistory = (serverId: string) => {
  const [history, setHistory] = useState<CommandHistory>(() => openHistory([]))
  useEffect(() => setHistory(readHistory(serverId)), [serverId])
  const add = (commands: readonly string[]) => {
    const next = commands.reduce(remember, history)
    setHistory(next)
    writeHistory(serverId, next)
  }
  return { history, setHistory, add }
}

/** The command line: Up and Down go through what was sent; what could not be sent stays where it is. */
export const CommandLine = ({ serverId, blocked, send }: CommandLineProps) => {
  const t = useTranslations('console')
  const tc = useTranslations('common')
  const [written, setWritten] = useState('')
  const [refusal, setRefusal] = useState('')
  const [pasted, setPasted] = useState<readonly string[]>([])
  const { history, setHistory, add } = useCommandHistory(serverId)
  const input = useRef<HTMLInputElement>(null)
  // What was refused for want of a link can be sent again: the reason goes, the command stays.
  useEffect(() => {
    if (blocked === null) setRefusal('')
  }, [blocked])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const command = written.trim()
    if (command === '') return
    if (byteLength(command) > PANEL_LIMITS.maxCommandBytes) return setRefusal(t('tooLong'))
    if (blocked !== null || !send(command)) return setRefusal(blocked ?? t('notSent'))
    add([command])
    setWritten('')
    setRefusal('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    const moved = step(history, event.key === 'ArrowUp' ? -1 : 1, written)
    if (!moved) return
    event.preventDefault()
    setHistory(moved.history)
    setWritten(moved.shown)
  }
  const onPaste = (event: ClipboardEvent) => {
    const commands = splitCommands(event.clipboardData.getData('text'))
    if (commands.length < 2) return
    event.preventDefault()
    setPasted(commands)
  }
  const sendPasted = () => {
    const failed = pasted.findIndex((command) => blocked !== null || !send(command))
    const sent = failed === -1 ? pasted : pasted.slice(0, failed)
    add(sent)
    setWritten(failed === -1 ? '' : (pasted[failed] ?? ''))
    setRefusal(failed === -1 ? '' : t('notSent'))
    setPasted([])
    input.current?.focus()
  }

  return (
    <>
      <form className="cmd" onSubmit={submit}>
        <span className="cmd-sign" aria-hidden="true">
          /
        </span>
        <input
          ref={input}
          aria-label={t('command')}
          placeholder={blocked ?? t('commandHint')}
          value={written}
          maxLength={PANEL_LIMITS.maxCommandBytes}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="send"
          {...(refusal ? { 'aria-invalid': true, 'aria-describedby': 'command-note' } : {})}
          onChange={(event) => {
            setWritten(event.currentTarget.value)
            setRefusal('')
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <button type="submit" className="btn btn-quiet cmd-send">
          {t('send')}
        </button>
      </form>
      <p className="cmd-note" id="command-note" role="alert">
        {refusal}
      </p>
      <Dialog
        open={pasted.length > 0}
        onClose={() => setPasted([])}
        title={t('pasteTitle', { count: pasted.length })}
        closeLabel={tc('close')}
        actions={
          <>
            <Button onClick={() => setPasted([])}>{tc('cancel')}</Button>
            <Button look="primary" onClick={sendPasted}>
              {t('pasteSend', { count: pasted.length })}
            </Button>
          </>
        }
      >
        <pre className="paste">{pasted.join('\n')}</pre>
      </Dialog>
    </>
  )
}
