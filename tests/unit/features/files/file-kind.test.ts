import { expect, it } from 'vitest'
import { endingOf, kindOfFile, pictureType } from '@/features/files/file-kind.ts'
import { languageOf } from '@/features/files/editor/editor-language.ts'

it.each([
  ['server.properties', 'properties', 'settings', 'properties'],
  ['CONFIG.YML', 'yml', 'settings', 'yaml'],
  ['world.tar.gz', 'gz', 'archive', 'text'],
  ['icon.PNG', 'png', 'picture', 'text'],
  ['latest.log', 'log', 'text', 'log'],
  ['init.lua', 'lua', 'code', 'lua'],
  ['.env', '', 'other', 'text'],
  ['eula', '', 'other', 'text'],
])('%s has the ending %j, is %s and is read as %s', (name, ending, kind, language) => {
  expect([endingOf(name), kindOfFile(name), languageOf(name)]).toEqual([ending, kind, language])
})

it('a picture has its media type', () => {
  expect(['a.png', 'a.jpg', 'a.ico', 'a.WEBP'].map(pictureType)).toEqual([
    'image/png',
    'image/jpeg',
    'image/x-icon',
    'image/webp',
  ])
})
