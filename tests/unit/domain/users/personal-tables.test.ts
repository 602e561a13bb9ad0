import { describe, expect, test } from 'vitest'
import { erasureStatement, exportStatement } from '../../../../src/domain/users/personal-statements.ts'
import { PERSONAL_TABLES } from '../../../../src/domain/users/personal-tables.ts'

const person = { userId: '0192aaaa-0000-7000-8000-000000000001', email: 'anna@example.test' }

describe.each(PERSONAL_TABLES.map((table) => [table.table, table] as const))('%s', (_name, table) => {
  test('says why it holds something back, and why it stays', () => {
    if (table.export === null) expect(table.notExported).toBeTruthy()
    if (table.onDeletion === 'keep') expect(table.keptFor).toBeTruthy()
    expect(table.onDeletion === 'pseudonymise').toBe(table.blanks !== undefined)
  })

  test('each of its statements names the person, by a value', () => {
    const statements = [exportStatement(table, person, { offset: 0, limit: 1 }), erasureStatement(table, person)]
    for (const statement of statements.filter((each) => each !== undefined)) {
      expect(statement.text).toMatch(/ where .*\$1/)
      expect(statement.values[0]).toBe(person.userId)
      expect(statement.text).not.toContain(person.userId)
      const used = [...statement.text.matchAll(/\$(\d)/g)].map(([, number]) => Number(number))
      expect(Math.max(...used)).toBe(statement.values.length)
    }
  })
})

test('no table stands there twice', () => {
  const names = PERSONAL_TABLES.map(({ table }) => table)
  expect(new Set(names).size).toBe(names.length)
})

test('rows that stay because they are about somebody else’s things are pseudonymised by the statement that deletes the rest', () => {
  const statements = {
    'control.ticket_attachments':
      /^with kept as \(update .* set name = .* and message_id is not null\) delete from .* and \(message_id is not null\) is not true$/,
    'control.activities':
      /^with kept as \(update .* and server_id in .*\), quoting as \(update .*\) delete from .* and \(server_id in .*\) is not true$/,
  }
  const keeping = PERSONAL_TABLES.filter(({ keeps }) => keeps !== undefined)
  expect(keeping.map(({ table }) => table)).toEqual(Object.keys(statements))
  for (const table of keeping) {
    const { text = '' } = erasureStatement(table, person) ?? {}
    expect(table.keptFor).toBeTruthy()
    expect(text).toMatch(statements[table.table as keyof typeof statements])
  }
})
