'use client'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Button } from '@/ui/controls/button.tsx'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'
import { settled, startOfDemo, started, stopped, typed } from '../demo-game.ts'
import type { Demo, DemoState } from '../demo-game.ts'

export type DemoWords = {
  name: string
  state: Readonly<Record<DemoState, string>>
  start: string
  stop: string
  log: string
  command: string
  placeholder: string
  send: string
  unknown: string
  figures: {
    processor: { term: string; running: string; rest: string }
    memory: { term: string; running: string; rest: string }
    players: { term: string; rest: string }
  }
}

const lamps: Readonly<Record<DemoState, LampKind>> = {
  running: 'go',
  stopping: 'stopping',
  stopped: 'off',
  starting: 'busy',
}
const settleAfterMs = 1200

const Head = ({ demo, words, onChange }: { demo: Demo; words: DemoWords; onChange: (demo: Demo) => void }) => (
  <div className="demo__head">
    <span className="plate plate-l">14</span>
    <div>
      <h3>{words.name}</h3>
      <p className="demo__meta">
        <Lamp kind={lamps[demo.state]}>{words.state[demo.state]}</Lamp>
        <span className="mono">tulelo.bakter.gg:25565</span>
      </p>
    </div>
    <div className="demo__act">
      <Button onClick={() => onChange(started(demo))} disabled={demo.state !== 'stopped'}>
        {words.start}
      </Button>
      <Button look="danger" onClick={() => onChange(stopped(demo))} disabled={demo.state !== 'running'}>
        {words.stop}
      </Button>
    </div>
  </div>
)

/** A stopped server uses nothing, and nobody plays on it. */
const Stats = ({ demo, figures }: { demo: Demo; figures: DemoWords['figures'] }) => {
  const { processor, memory, players } = figures
  const isOff = demo.state === 'stopped'
  const rows = [
    { ...processor, figure: isOff ? '0' : processor.running },
    { ...memory, figure: isOff ? '0' : memory.running },
    { ...players, figure: String(demo.players.length) },
  ]
  return (
    <dl className="figs demo__stats">
      {rows.map(({ term, figure, rest }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            <b>{figure}</b> {rest}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Props = { words: DemoWords; firstLines: ReactNode }

/** The demo console: the first log is part of the page; input and responses are added here. */
export const DemoConsole = ({ words, firstLines }: Props) => {
  const [demo, setDemo] = useState(startOfDemo)
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (demo.state !== 'stopping' && demo.state !== 'starting') return
    const timer = setTimeout(() => setDemo(settled), settleAfterMs)
    return () => clearTimeout(timer)
  }, [demo.state])
  useEffect(() => {
    if (demo.lines.length > 0) log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [demo.lines])
  // Read from the form itself, because text typed before the script loaded counts too.
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setDemo(typed(demo, String(new FormData(form).get('line')), words.unknown))
    form.reset()
  }
  return (
    <div className="demo__main">
      <Head demo={demo} words={words} onChange={setDemo} />
      <Stats demo={demo} figures={words.figures} />
      <div className="demo__con">
        <div className="demo__log" role="log" tabIndex={0} aria-label={words.log} ref={log}>
          {firstLines}
          {demo.lines.map(({ id, text, kind }) => (
            <div key={id} className={kind === 'plain' ? 'demo__l' : `demo__l demo__l--${kind === 'mine' ? 'm' : 'j'}`}>
              <time />
              <span>{text}</span>
            </div>
          ))}
        </div>
        <form className="demo__cmd" onSubmit={send}>
          <span aria-hidden="true">/</span>
          <input
            type="text"
            name="line"
            placeholder={words.placeholder}
            aria-label={words.command}
            autoCapitalize="none"
            autoCorrect="off"
            autoComplete="off"
            enterKeyHint="send"
          />
          <button type="submit">{words.send}</button>
        </form>
      </div>
    </div>
  )
}
