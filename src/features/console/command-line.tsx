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

type PasteDialogProps = { commands: readonly string[]; onClose: () => void; onSend: () => void }

/** Several lines are several commands: they are shown before they are sent. */
const PasteDialog = ({ commands, onClose, onSend }: PasteDialogProps) => {
  const t = useTranslations('console')
  const tc = useTranslations('common')
  return (
    <Dialog
      open={commands.length > 0}
      onClose={onClose}
      title={t('pasteTitle', { count: commands.length })}
      closeLabel={tc('close')}
      actions={
        <>
          <Button onClick={onClose}>{tc('cancel')}</Button>
          <Button look="primary" onClick={onSend}>
            {t('pasteSend', { count: commands.length })}
          </Button>
        </>
      }
    >
      <pre className="paste">{commands.join('\n')}</pre>
    </Dialog>
  )
}

/** What is written and what became of it. What could not be sent stays where it is. */
const useCommandLine = ({ serverId, blocked, send }: CommandLineProps) => {
  const t = useTranslations('console')
  const [written, setWritten] = useState('')
  const [refusal, setRefusal] = useState('')
  const { history, setHistory, add } = useCommandHistory(serverId)
  // What was refused for want of a link can be sent again: the reason goes, the command stays.
  useEffect(() => {
    if (blocked === null) setRefusal('')
  }, [blocked])

  const write = (text: string) => {
    setWritten(text)
    setRefusal('')
  }
  const submit = () => {
    const command = written.trim()
    if (command === '') return
    if (byteLength(command) > PANEL_LIMITS.maxCommandBytes) return setRefusal(t('tooLong'))
    if (blocked !== null || !send(command)) return setRefusal(blocked ?? t('notSent'))
    add([command])
    write('')
  }
  const sendAll = (commands: readonly string[]) => {
    const failed = commands.findIndex((command) => blocked !== null || !send(command))
    add(failed === -1 ? commands : commands.slice(0, failed))
    write(failed === -1 ? '' : (commands[failed] ?? ''))
    if (failed !== -1) setRefusal(t('notSent'))
  }
  /** True when there was something to go to. */
  const move = (by: -1 | 1): boolean => {
    const moved = step(history, by, written)
    if (!moved) return false
    setHistory(moved.history)
    setWritten(moved.shown)
    return true
  }
  return { written, refusal, write, submit, sendAll, move }
}

/** The command line: Up and Down go through what was sent; what could not be sent stays where it is. */
export const CommandLine = (props: CommandLineProps) => {
  const t = useTranslations('console')
  const line = useCommandLine(props)
  const [pasted, setPasted] = useState<readonly string[]>([])
  const input = useRef<HTMLInputElement>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    if (line.move(event.key === 'ArrowUp' ? -1 : 1)) event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent) => {
    const commands = splitCommands(event.clipboardData.getData('text'))
    if (commands.length < 2) return
    event.preventDefault()
    setPasted(commands)
  }
  const sendPasted = () => {
    line.sendAll(pasted)
    setPasted([])
    input.current?.focus()
  }

  return (
    <>
      <form
        className="cmd"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          line.submit()
        }}
      >
        <span className="cmd-sign" aria-hidden="true">
          /
        </span>
        <input
          ref={input}
          aria-label={t('command')}
          placeholder={props.blocked ?? t('commandHint')}
          value={line.written}
          maxLength={PANEL_LIMITS.maxCommandBytes}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="send"
          {...(line.refusal ? { 'aria-invalid': true, 'aria-describedby': 'command-note' } : {})}
          onChange={(event) => line.write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <button type="submit" className="btn btn-quiet cmd-send">
          {t('send')}
        </button>
      </form>
      <p className="cmd-note" id="command-note" role="alert">
        {line.refusal}
      </p>
      <PasteDialog commands={pasted} onClose={() => setPasted([])} onSend={sendPasted} />
    </>
  )
}
