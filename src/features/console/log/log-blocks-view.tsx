'use client'
import { memo } from 'react'
import type { CSSProperties } from 'react'
import { minuteOpeners } from './log-blocks.ts'
import type { LogBlock } from './log-blocks.ts'
import type { LogClock } from './log-clock.ts'
import { EchoRow, GapRow, LogRow } from './log-row.tsx'
import type { Matcher } from './log-search.ts'

type BlockProps = {
  block: LogBlock
  clock: LogClock
  matcher: Matcher | null
  /** The number of the current hit if it is in this block, else 0. */
  current: number
}

/** A hundred numbers of the log. Out of view the browser skips it; find in page and selection still reach it. */
const Block = memo(({ block, clock, matcher, current }: BlockProps) => {
  const openers = minuteOpeners(block)
  return (
    <div className="log-block" style={{ '--lines': block.entries.length } as CSSProperties}>
      {block.entries.map((entry, place) => {
        if (entry.kind === 'gap') return <GapRow key={`gap-${entry.seq}`} gap={entry} />
        if (entry.kind === 'echo') return <EchoRow key={`echo-${entry.seq}-${place}`} echo={entry} clock={clock} />
        return (
          <LogRow
            key={entry.seq}
            line={entry}
            clock={clock}
            opensMinute={openers.has(entry.seq)}
            pattern={matcher?.matches(entry) ? matcher.pattern : null}
            isCurrent={entry.seq === current}
          />
        )
      })}
    </div>
  )
})
Block.displayName = 'Block'

type LogBlocksProps = { blocks: readonly LogBlock[]; clock: LogClock; matcher: Matcher | null; current: number }

export const LogBlocks = ({ blocks, clock, matcher, current }: LogBlocksProps) =>
  blocks.map((block) => {
    const isHere = block.entries.some((entry) => entry.seq === current)
    return <Block key={block.id} block={block} clock={clock} matcher={matcher} current={isHere ? current : 0} />
  })
