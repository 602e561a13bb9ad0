import { describe, expect, it } from 'vitest'
import { everything, nothing, only, present, stepped, toggled, typed, upTo } from '@/features/files/list/selection.ts'

const names = ['config', 'world', 'a.txt', 'b.txt', 'bukkit.yml']
const chosen = ({ chosen: set }: { chosen: ReadonlySet<string> }) => [...set]

describe('a selection', () => {
  it('moves by rows, stops at both ends, and begins at the end it comes from', () => {
    const down = { by: 1, extends: false }
    expect(stepped(names, nothing, down).at).toBe('config')
    expect(stepped(names, nothing, { by: -1, extends: false }).at).toBe('bukkit.yml')
    expect(stepped(names, only('bukkit.yml'), down).at).toBe('bukkit.yml')
    expect(stepped(names, only('a.txt'), { by: Number.NEGATIVE_INFINITY, extends: false }).at).toBe('config')
    expect(stepped(names, only('a.txt'), { by: Number.POSITIVE_INFINITY, extends: false }).at).toBe('bukkit.yml')
    expect(stepped(names, nothing, { by: Number.NEGATIVE_INFINITY, extends: false }).at).toBe('config')
    expect(stepped(names, nothing, { by: Number.POSITIVE_INFINITY, extends: false }).at).toBe('bukkit.yml')
    expect(stepped([], only('a.txt'), down)).toEqual(nothing)
  })

  it('grows and shrinks from where it began', () => {
    const one = stepped(names, only('world'), { by: 2, extends: true })
    expect(chosen(one)).toEqual(['world', 'a.txt', 'b.txt'])
    const two = stepped(names, one, { by: -1, extends: true })
    expect(chosen(two)).toEqual(['world', 'a.txt'])
    expect(chosen(upTo(names, two, 'config'))).toEqual(['config', 'world'])
  })

  it('takes single ones in and out, and everything at once', () => {
    const one = toggled(toggled(only('world'), 'b.txt'), 'world')
    expect(chosen(one)).toEqual(['b.txt'])
    expect(chosen(everything(names, one))).toEqual(names)
  })

  it('finds a name that is typed, goes on with a repeated letter, and around the end', () => {
    expect(typed(names, only('config'), 'b')).toBe('b.txt')
    expect(typed(names, only('b.txt'), 'b')).toBe('bukkit.yml')
    expect(typed(names, only('bukkit.yml'), 'b')).toBe('b.txt')
    expect(typed(names, only('b.txt'), 'bu')).toBe('bukkit.yml')
    expect(typed(names, nothing, 'WO')).toBe('world')
    expect(typed(names, nothing, 'x')).toBeUndefined()
  })

  it('forgets names that are gone', () => {
    const all = everything(names, only('world'))
    expect(present(['a.txt'], all)).toEqual({ chosen: new Set(['a.txt']), at: null, anchor: null })
  })
})
