'use client'
import { useTranslations } from 'next-intl'
import { SHOWN_STATUS } from '#domain/servers/status.ts'
import type { ShownWord, Status } from '#domain/servers/status.ts'
import { Lamp } from '@/ui/signs/lamp.tsx'
import type { LampKind } from '@/ui/signs/lamp.tsx'

/** The lamp for the shape and colour in the status table. */
export const lampKindOf = ({ shape, colour }: Pick<Status, 'shape' | 'colour'>): LampKind => {
  if (shape === 'triangle') return 'due'
  if (shape === 'disc-arrow') return 'go'
  if (shape === 'square') return 'crash'
  if (shape === 'bar') return 'held'
  if (shape === 'dashed-ring') return 'away'
  if (shape === 'half-turning') return colour === 'red' ? 'stopping' : 'busy'
  return colour === 'green' ? 'healthy' : 'off'
}

const isNormal = (word: ShownWord) => word === 'running' || word === 'offline' || word === 'healthy'

/** A server's state as lamp and word. In lists the word of a normal state is quiet. */
export const ServerLamp = ({
  word,
  inList = false,
  large = false,
}: {
  word: ShownWord
  inList?: boolean
  large?: boolean
}) => {
  const t = useTranslations('status')
  const status = SHOWN_STATUS[word]
  return (
    <Lamp kind={lampKindOf(status)} quiet={inList && isNormal(word)} large={large}>
      {t(status.label)}
    </Lamp>
  )
}
