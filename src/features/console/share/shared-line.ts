import { plainText } from '../log/ansi.ts'
import { levelOf, type Level } from '../log/line-level.ts'

/** The time before a line, as `rangeText` writes it. */
const STAMP = /^(\d{4}-\d{2}-\d{2} )(\d{2}:\d{2}:\d{2} {2})/
/** A command of the reader, and the place of missing lines: no words of the server. */
const NOT_SAID = /^(?:> |--- )/

export type SharedLine = { readonly day: string; readonly time: string; readonly text: string; readonly level: Level }

/**
 * A shared line in its parts, which together are the line again. Only the words decide on the level, not their author.
 */
export const sharedLine = (line: string): SharedLine => {
  const [stamp = '', day = '', time = ''] = STAMP.exec(line) ?? []
  const text = line.slice(stamp.length)
  const level = NOT_SAID.test(plainText(text)) ? 'plain' : levelOf({ stream: 'o', text })
  return { day, time, text, level }
}
