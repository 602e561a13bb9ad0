import { expect, it } from 'vitest'
import { faultOfPull, typedPull } from '@/features/files/dialogs/pull-faults.ts'

const open = { folder: 'plugins', taken: ['here.jar'] }
const fields = { address: 'https://example.com/a.jar', folder: 'plugins', name: '' }

it('counts no blanks and no slashes around the folder', () => {
  expect(typedPull({ address: ' https://a.example/ ', folder: ' /a/b// ', name: ' x.jar ' })).toEqual({
    address: 'https://a.example/',
    folder: 'a/b',
    name: 'x.jar',
  })
})

it.each([
  [{}, undefined],
  [{ folder: '' }, undefined],
  [{ name: 'new.jar' }, undefined],
  [{ name: 'here.jar' }, 'taken'],
  [{ name: 'here.jar', folder: 'other' }, undefined],
  [{ address: '' }, 'address'],
  [{ address: 'example.com/a.jar' }, 'address'],
  [{ address: 'ftp://example.com/a.jar' }, 'address'],
  [{ address: 'https://me:secret@example.com/' }, 'address'],
  [{ folder: 'a//b' }, 'folder'],
  [{ folder: '../b' }, 'folder'],
  [{ name: 'a/b' }, 'name'],
  [{ name: '..' }, 'name'],
])('%j: %s', (change, fault) => {
  expect(faultOfPull({ ...fields, ...change }, open)).toBe(fault)
})
