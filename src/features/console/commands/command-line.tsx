'use client'
import { useLocale, useTranslations } from 'next-intl'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react'
import { PANEL_LIMITS } from '#contracts/panel/messages.ts'
import { formatCount } from '@/lib/format/money.ts'
import { Button, IconButton } from '@/ui/controls/button.tsx'
import { Icon } from '@/ui/signs/icon.tsx'
import { openHistory, splitCommands, step } from './command-history.ts'
import type { CommandHistory } from './command-history.ts'
import { readCommands } from './command-memory.ts'
import { commandBytes, fitsLimit, idleSender } from './command-sender.ts'
import type { CommandSender, SendFailure, SenderState } from './command-sender.ts'
import { PasteDialog } from './paste-dialog.tsx'

/** `locked`: nothing can be typed at all. Otherwise typed text waits in the box until it can be sent. */
export type CommandBlock = { readonly reason: string; readonly locked: boolean }

type CommandLineProps = {
  serverId: string
  /** Why nothing can be sent now; null if sending is possible. */
  block: CommandBlock | null
  sender: CommandSender | null
}

const noSubscription = () => () => undefined
const tellFromBytes = 3_072

const useSender = (sender: CommandSender | null): SenderState =>
  useSyncExternalStore(sender?.subscribe ?? noSubscription, sender?.get ?? (() => idleSender), () => idleSender)

/** The typed text, and the result of sending it. A failed command returns to the box, with its reason. */
const useWritten = ({ serverId, block, sender }: CommandLineProps, { failure }: SenderState) => {
  const t = useTranslations('console.notSent')
  const tk = useTranslations('collaborators.keys')
  const [written, setWritten] = useState('')
  const [refusal, setRefusal] = useState('')
  const [history, setHistory] = useState<CommandHistory>(() => openHistory([]))
  const isEmpty = written === ''
  const handled = useRef<SendFailure | null>(null)
  // A failed command returns to an empty box, once; a line being written is not overwritten.
  useEffect(() => {
    if (!failure || !isEmpty || handled.current === failure) return
    handled.current = failure
    setWritten(failure.command)
    setRefusal(t(failure.reason, { permission: tk('console.command') }))
    if (failure.rest.length === 0) sender?.forget()
  }, [failure, isEmpty, sender, t, tk])
  const isBlocked = block !== null
  useEffect(() => {
    if (!isBlocked) setRefusal('')
  }, [isBlocked])

  const write = (text: string) => {
    setWritten(text)
    setRefusal('')
    setHistory(readCommands(serverId))
  }
  const submit = () => {
    const command = written.trim()
    if (command === '') return
    if (!fitsLimit(command)) return setRefusal(t('tooLong'))
    if (block || !sender) return setRefusal(block?.reason ?? t('notLive'))
    write('')
    sender.submit([command])
  }
  /** True if there was an entry to go to. */
  const move = (by: -1 | 1): boolean => {
    const known = history.commands.length === 0 ? readCommands(serverId) : history
    const moved = step(known, by, written)
    if (!moved) return false
    setHistory(moved.history)
    setWritten(moved.shown)
    return true
  }
  return { written, refusal, setRefusal, write, submit, move }
}

const SizeNote = ({ written }: { written: string }) => {
  const t = useTranslations('console')
  const locale = useLocale()
  const bytes = commandBytes(written)
  if (bytes < tellFromBytes && fitsLimit(written)) return null
  const values = { bytes: formatCount(bytes, locale), limit: formatCount(PANEL_LIMITS.maxCommandBytes, locale) }
  return <p className="cmd-note cmd-size">{t('size', values)}</p>
}

type ProgressProps = { state: SenderState; onStop: () => void; onShowRest: () => void }

/** The progress of a paste, and its unsent rest. */
const Progress = ({ state, onStop, onShowRest }: ProgressProps) => {
  const t = useTranslations('console')
  const { sending, failure } = state
  if (sending && sending.of > 1) {
    return (
      <p className="cmd-note cmd-progress" role="status">
        {t('sending', { done: sending.done, of: sending.of })}
        <Button size="s" look="quiet" onClick={onStop}>
          {t('sendingStop')}
        </Button>
      </p>
    )
  }
  if (!failure) return null
  return (
    <p className="cmd-note cmd-progress" role="status">
      {t('restNotSent', { count: failure.rest.length + 1 })}
      <Button size="s" look="quiet" onClick={onShowRest}>
        {t('restShow')}
      </Button>
    </p>
  )
}

type CommandInputProps = {
  input: RefObject<HTMLInputElement | null>
  written: string
  /** Why nothing can be typed; null if typing is possible. */
  locked: string | null
  invalid: boolean
  onWrite: (text: string) => void
  /** False if there was no entry to go to. */
  onMove: (by: -1 | 1) => boolean
  onPasteLines: (commands: readonly string[]) => void
}

const CommandInput = ({ input, written, locked, invalid, onWrite, onMove, onPasteLines }: CommandInputProps) => {
  const t = useTranslations('console')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    if (onMove(event.key === 'ArrowUp' ? -1 : 1)) event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent) => {
    const commands = splitCommands(event.clipboardData.getData('text'))
    if (locked !== null || commands.length < 2) return
    event.preventDefault()
    onPasteLines(commands)
  }
  return (
    <span className="cmd-cell">
      <input
        ref={input}
        aria-label={t('command')}
        placeholder={locked === null ? t('commandHint') : ''}
        value={written}
        readOnly={locked !== null}
        aria-disabled={locked !== null}
        autoCapitalize="none"
        autoCorrect="off"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="send"
        aria-describedby="command-why command-note"
        aria-invalid={invalid}
        onChange={(event) => onWrite(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <span className="cmd-locked" id="command-why">
        {written === '' ? locked : null}
      </span>
    </span>
  )
}

/** The command line: Up and Down go through sent commands; an unsent one stays in place. */
export const CommandLine = (props: CommandLineProps) => {
  const { block, sender } = props
  const t = useTranslations('console')
  const state = useSender(sender)
  const line = useWritten(props, state)
  const [pasted, setPasted] = useState<readonly string[]>([])
  const input = useRef<HTMLInputElement>(null)
  const isLocked = block?.locked ?? false

  // A text in a locked box leaves no space there for the reason.
  const whyNote = isLocked && line.written === '' ? '' : block?.reason
  const sendPasted = (commands: readonly string[]) => {
    setPasted([])
    input.current?.focus()
    if (block || !sender) return line.setRefusal(block?.reason ?? t('notSent.notLive'))
    return sender.submit(commands)
  }
  const showRest = () => {
    if (!state.failure) return
    setPasted([state.failure.command, ...state.failure.rest])
    if (line.written === state.failure.command) line.write('')
    sender?.forget()
  }

  return (
    <div className="cmd-area" data-locked={isLocked}>
      <Progress state={state} onStop={() => sender?.stop()} onShowRest={showRest} />
      <form
        className="cmd"
        onSubmit={(event) => {
          event.preventDefault()
          line.submit()
        }}
      >
        <span className="cmd-sign" aria-hidden="true">
          /
        </span>
        <CommandInput
          input={input}
          written={line.written}
          locked={isLocked ? (block?.reason ?? '') : null}
          invalid={line.refusal !== ''}
          onWrite={line.write}
          onMove={line.move}
          onPasteLines={setPasted}
        />
        <span className="cmd-keys">
          <IconButton
            label={t('commandBefore')}
            icon={<Icon name="down" className="turned" />}
            onClick={() => line.move(-1)}
          />
          <IconButton label={t('commandAfter')} icon={<Icon name="down" />} onClick={() => line.move(1)} />
        </span>
        <button type="submit" className="btn btn-quiet cmd-send" aria-disabled={isLocked}>
          {t('send')}
        </button>
      </form>
      <SizeNote written={line.written} />
      <p className={line.refusal === '' ? 'cmd-note cmd-why' : 'cmd-note'} id="command-note" role="status">
        {line.refusal === '' ? whyNote : line.refusal}
      </p>
      <PasteDialog commands={pasted} onClose={() => setPasted([])} onSend={sendPasted} />
    </div>
  )
}
