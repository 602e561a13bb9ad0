import { expect, it } from 'vitest'

import { wantedOf } from '../../../../agents/npm/packument.ts'

it.each([
  ['/left', { is: 'packument', name: 'left' }],
  ['/@scope%2fname', { is: 'packument', name: '@scope/name' }],
  ['/@scope/name', { is: 'packument', name: '@scope/name' }],
  ['/left?write=true', { is: 'packument', name: 'left' }],
  ['/left/-/left-1.0.0-rc.1+x.tgz', { is: 'tarball', name: 'left', file: 'left-1.0.0-rc.1+x.tgz' }],
  ['/-/tree/flying-squid', { is: 'tree', name: 'flying-squid' }],
  ['/@scope/name/-/name-1.0.0.tgz', { is: 'tarball', name: '@scope/name', file: 'name-1.0.0.tgz' }],
])('reads %s', (path, wanted) => expect(wantedOf(path)).toEqual(wanted))

it.each([
  '/',
  '//left',
  '/../x',
  '/.x',
  '/a/b',
  '/left/-/',
  '/left/-/x',
  '/left/-/a/b.tgz',
  '/left/-/x.tgz/-/y.tgz',
  '/-/tree/',
  '/-/tree/../left',
  '/-/tree/a/b',
  '/%ZZ',
  '/a%00',
  `/${'a'.repeat(215)}`,
])('knows no %s', (path) => expect(wantedOf(path)).toBeUndefined())
