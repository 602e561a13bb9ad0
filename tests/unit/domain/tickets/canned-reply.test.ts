import { expect, it } from 'vitest'
import {
  filledReply,
  openPlaceholders,
  REPLY_PLACEHOLDERS,
  unknownPlaceholders,
  type ReplyValues,
} from '#domain/tickets/canned-reply.ts'

const VALUES: ReplyValues = {
  customer: 'anna',
  ticket: '#acdefghj',
  title: 'About {{customer}} and $&',
  category: 'Billing',
  server: null,
  staff: 'dora',
}

it.each([
  ['Hello {{customer}}, about {{ ticket }}', []],
  ['{{custmer}} and {{Customer}} and {{custmer}}', ['{{custmer}}', '{{Customer}}']],
  ['{{}} {{ }} {{customer.name}} {{constructor}}', ['{{}}', '{{ }}', '{{customer.name}}', '{{constructor}}']],
  ['{{customer}', ['{{']],
  ['customer}} {{{ticket}}}', ['}}']],
  ['{"a": {"b": 1}} is not JSON of ours', ['}}']],
  ['{ customer } {0} ${x} {player}', []],
  [REPLY_PLACEHOLDERS.map((name) => `{{${name}}}`).join(' '), []],
])('of %j these are unknown: %j', (text, expected) => {
  expect(unknownPlaceholders(text)).toEqual(expected)
})

it('is filled in once, whatever the values hold; what has no value stays, and is named', () => {
  const text = filledReply(
    'Hi {{customer}}, {{ticket}}: {{title}}. On {{ server }} and {{server}}. {{nothing}}',
    VALUES,
  )
  expect(text).toBe('Hi anna, #acdefghj: About {{customer}} and $&. On {{ server }} and {{server}}. {{nothing}}')
  expect(openPlaceholders('{{ server }} {{server}} {{server}} {{nothing}}')).toEqual(['{{ server }}', '{{server}}'])
  expect(openPlaceholders(filledReply('{{customer}}', VALUES))).toEqual([])
})
