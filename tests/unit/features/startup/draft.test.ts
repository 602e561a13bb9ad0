import { describe, expect, it } from 'vitest'
import {
  beginDraft,
  draftFaults,
  forgetValue,
  hiddenSecrets,
  keepValue,
  rebaseDraft,
  resetAll,
  savedDraft,
  shownText,
  startedValues,
  typeValue,
} from '@/features/startup/draft.ts'
import type { ServerStartup, StartupVariable } from '../../../../src/contracts/http/panel/startup.ts'

const variable = (
  environmentVariable: string,
  value: string,
  more: Partial<StartupVariable> = {},
): StartupVariable => ({
  environmentVariable,
  name: environmentVariable,
  description: '',
  rules: '',
  editable: true,
  secret: false,
  isSet: value !== '',
  value,
  default: 'preset',
  isDefault: value === 'preset',
  port: null,
  given: null,
  ...more,
})
const MAX = variable('MAX', '30', { rules: 'required|integer|between:1,200', default: '20', isDefault: false })
const TOKEN = variable('TOKEN', '', { secret: true, value: null, default: null, isSet: true, isDefault: false })
const PORT = variable('PORT', '1', { port: { link: 'primary', default: 'primary' }, isDefault: true })
const HOST = variable('HOST', 'x', { editable: false, isDefault: false })
const startup = (variables: StartupVariable[], version = 1): ServerStartup => ({
  version,
  changedAt: `2030-01-01T00:00:0${version}.000Z`,
  command: [],
  memoryMiB: 512,
  variables,
  ports: [
    { port: 1, primary: true },
    { port: 2, primary: false },
  ],
  image: null,
  running: null,
})
const BASE = startup([MAX, TOKEN, PORT, HOST])
const begun = beginDraft(BASE)

describe('what is typed', () => {
  it('is kept until it equals what is saved', () => {
    const typed = typeValue(begun, MAX, '40')
    expect([typed.typed, shownText(typed, MAX)]).toEqual([{ MAX: '40' }, '40'])
    expect(typeValue(typed, MAX, '30').typed).toEqual({})
    expect(forgetValue(typed, 'MAX').typed).toEqual({})
  })

  it('is never known to be the saved secret', () => {
    expect(typeValue(begun, TOKEN, '').typed).toEqual({ TOKEN: '' })
  })

  it('is checked by the rules of its variable', () => {
    expect(draftFaults(typeValue(begun, MAX, '0'))).toEqual({ MAX: { code: 'atLeast', limit: '1' } })
    expect(draftFaults(typeValue(begun, PORT, '9'))).toEqual({ PORT: { code: 'ownPort' } })
    expect(draftFaults(typeValue(typeValue(begun, PORT, '2'), TOKEN, null))).toEqual({})
  })

  it('becomes the default of all variables that can be changed and differ from it', () => {
    expect(resetAll(typeValue(begun, PORT, '2')).typed).toEqual({ MAX: '20', TOKEN: null })
  })

  it('is what the preview shows, ports as numbers and no secret', () => {
    expect(startedValues(typeValue(typeValue(begun, MAX, '40'), PORT, '2'))).toEqual({
      MAX: '40',
      TOKEN: '',
      PORT: '2',
      HOST: 'x',
    })
  })
})

it('a secret is hidden as far as it has a value', () => {
  expect(hiddenSecrets(begun)).toEqual(['TOKEN'])
  expect(hiddenSecrets(typeValue(begun, TOKEN, ''))).toEqual([])
  expect(hiddenSecrets(beginDraft(startup([{ ...TOKEN, isSet: false }])))).toEqual([])
  expect(JSON.stringify(startedValues(typeValue(begun, TOKEN, 'new')))).not.toContain('new')
})

describe('when somebody else saves meanwhile', () => {
  const typed = typeValue(typeValue(begun, MAX, '40'), PORT, '2')
  const theirs = startup([{ ...MAX, value: '50' }, TOKEN, PORT, HOST], 2)

  it('everything typed stays, and what both changed is marked', () => {
    const rebased = rebaseDraft(typed, theirs)
    expect(rebased.typed).toEqual({ MAX: '40', PORT: '2' })
    expect([...rebased.clashes]).toEqual(['MAX'])
    expect(rebased.otherAt).toBe(theirs.changedAt)
    expect([...keepValue(rebased, 'MAX').clashes]).toEqual([])
    expect(shownText(forgetValue(rebased, 'MAX'), theirs.variables[0] ?? MAX)).toBe('50')
  })

  it('another image is no change of what is typed, and nobody is blamed for it', () => {
    const images = [
      { label: 'One', image: 'a' },
      { label: 'Two', image: 'b' },
    ]
    const before = { ...BASE, image: { current: 'a', choices: images } }
    const after = { ...startup([MAX, TOKEN, PORT, HOST], 2), image: { current: 'b', choices: images } }
    const rebased = rebaseDraft(typeValue(beginDraft(before), TOKEN, 'new'), after)
    expect([rebased.typed, [...rebased.clashes], rebased.otherAt, rebased.base]).toEqual([
      { TOKEN: 'new' },
      [],
      null,
      after,
    ])
  })

  it('the mark stays when the page reads the same settings again', () => {
    const again = rebaseDraft(rebaseDraft(typed, theirs), { ...theirs, running: null })
    expect([...again.clashes]).toEqual(['MAX'])
  })

  it('a typed secret may have been changed too', () => {
    expect([...rebaseDraft(typeValue(begun, TOKEN, 'new'), theirs).clashes]).toEqual(['TOKEN'])
  })

  it('nothing is said when nothing was typed, or both typed the same', () => {
    expect(rebaseDraft(begun, theirs)).toMatchObject({ typed: {}, otherAt: null })
    expect(rebaseDraft(typeValue(begun, MAX, '50'), theirs)).toMatchObject({ typed: {}, otherAt: null })
  })
})

it('a save leaves what was typed while it was on its way', () => {
  const sent = { MAX: '40' }
  const later = typeValue(typeValue(begun, MAX, '40'), PORT, '2')
  const fresh = startup([{ ...MAX, value: '40' }, TOKEN, PORT, HOST], 2)
  expect(savedDraft(later, sent, fresh).typed).toEqual({ PORT: '2' })
  expect(savedDraft(typeValue(later, MAX, '41'), sent, fresh).typed).toEqual({ MAX: '41', PORT: '2' })
})
