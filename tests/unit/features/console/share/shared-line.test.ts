import { expect, it } from 'vitest'
import { sharedLine } from '@/features/console/share/shared-line.ts'

const STAMP = '2026-11-20 19:42:07  '
const ESC = String.fromCharCode(27)
const levelOf = (text: string) => sharedLine(`${STAMP}${text}`).level

it('is the line again, in parts', () => {
  for (const line of [`${STAMP}[19:42:07 WARN]: Can't keep up!`, 'no time at all', `2026-11-20  19:42:07 odd`, '']) {
    const { day, time, text } = sharedLine(line)
    expect(day + time + text).toBe(line)
  }
  expect(sharedLine(`${STAMP}hello`)).toEqual({ day: '2026-11-20 ', time: '19:42:07  ', text: 'hello', level: 'plain' })
})

it('has the level of its words as in the console, also behind colours', () => {
  expect(levelOf("[Server thread/WARN]: Can't keep up!")).toBe('warning')
  expect(levelOf(`${ESC}[31mjava.lang.IllegalStateException: no`)).toBe('error')
  expect(levelOf('<Steve> error 404 is my favourite')).toBe('chat')
  expect(levelOf('Steve joined the game')).toBe('join')
})

it('of a command and of a gap is none of the server', () => {
  expect(levelOf('> say error')).toBe('plain')
  expect(sharedLine('--- 12 lines are missing: error ---').level).toBe('plain')
})
