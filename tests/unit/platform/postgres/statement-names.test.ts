import { expect, it } from 'vitest'
import { createStatementNames } from '#platform/postgres/statement-names.ts'

it('a text gets its name when it comes for the second time, and keeps it', () => {
  const names = createStatementNames()
  expect(names.nameOf('select 1')).toBeUndefined()
  const name = names.nameOf('select 1')
  expect(name).toBeDefined()
  expect(names.nameOf('select 1')).toBe(name)
})

it('two texts never have the same name', () => {
  const names = createStatementNames()
  const texts = ['select 1', 'select 2', 'select 3']
  const namesOf = () => texts.map((text) => names.nameOf(text))
  namesOf()
  expect(new Set(namesOf()).size).toBe(3)
})

it('a name that was given before a renewal is never given again', () => {
  const names = createStatementNames()
  const twice = () => [names.nameOf('select 1'), names.nameOf('select 1')]
  const [, before] = twice()
  names.renew()
  const [first, second] = twice()
  expect(first).toBeUndefined()
  expect(second).toBeDefined()
  expect(second).not.toBe(before)
})

it('texts beyond the bound have no name', () => {
  const names = createStatementNames(1)
  names.nameOf('select 1')
  names.nameOf('select 2')
  expect([names.nameOf('select 1'), names.nameOf('select 2')]).toEqual([expect.any(String), undefined])
})
