import { describe, expect, it } from 'vitest'
import { beginDraft, isDirty, rebaseDraft, settleDraft } from '../../../../src/features/server-settings/draft.ts'

const saved = { name: 'Old', description: 'As it was' }

describe('a draft', () => {
  it('keeps what is typed while a save is under way, field by field', () => {
    const sent = { name: 'New', description: 'As it was' }
    const typing = { ...beginDraft(saved), typed: { ...sent, description: 'Typed meanwhile' } }
    const after = settleDraft(typing, { saved: sent, sent })
    expect(after).toEqual({ seen: sent, typed: { name: 'New', description: 'Typed meanwhile' }, others: null })
    expect(isDirty(after)).toBe(true)
    // The list that is read again afterwards changes nothing about it.
    expect(rebaseDraft(after, sent, false)).toBe(after)
  })

  it('shows the saved form of what was sent', () => {
    const sent = { name: ' New ', description: 'As it was' }
    const after = settleDraft({ ...beginDraft(saved), typed: sent }, { saved: { ...sent, name: 'New' }, sent })
    expect(after.typed.name).toBe('New')
    expect(isDirty(after)).toBe(false)
  })
})
