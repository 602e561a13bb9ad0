import { describe, expect, it } from 'vitest'
import { fittingImage, javaNeedOf, javaOfImage, pluginFileOf } from '../../../../src/domain/known-errors/fixes.ts'

describe('the Java that a line asks for', () => {
  it.each([
    ['Minecraft 1.20.6 requires running the server with Java 21 or above.', 'at-least', 21],
    ['[main/ERROR]: Sodium requires Java 17 or newer', 'at-least', 17],
    [
      'UnsupportedClassVersionError: x (class file version 65.0), recognizes class file versions up to 61.0',
      'at-least',
      21,
    ],
    ['Unsupported Java detected (60.0). Only up to Java 16 is supported.', 'at-most', 16],
  ] as const)('%s', (line, kind, version) => {
    expect(javaNeedOf(line)).toEqual({ kind, version })
  })

  it('is unknown where the line names none', () => {
    expect(javaNeedOf('java.lang.UnsupportedClassVersionError: x')).toBeUndefined()
  })
})

describe('the image with that Java', () => {
  const image = (version: number) => ({ label: `Java ${version}`, image: `example/yolks:java_${version}` })
  const choices = [image(8), image(17), image(25), image(21)]
  const labelOf = (kind: 'at-least' | 'at-most', version: number, current: number) =>
    fittingImage({ kind, version }, { current: image(current).image, choices })?.label

  it('is the closest one that is enough', () => {
    expect(labelOf('at-least', 21, 17)).toBe('Java 21')
    expect(labelOf('at-least', 18, 17)).toBe('Java 21')
    expect(labelOf('at-most', 16, 21)).toBe('Java 8')
    expect(labelOf('at-most', 17, 21)).toBe('Java 17')
  })

  it('is none where the list has none, or where the current one already is it', () => {
    expect(labelOf('at-least', 26, 17)).toBeUndefined()
    expect(labelOf('at-most', 7, 17)).toBeUndefined()
    expect(
      fittingImage({ kind: 'at-least', version: 17 }, { current: image(17).image, choices: [image(17)] }),
    ).toBeUndefined()
  })

  it('is none where the current image could not be chosen again', () => {
    expect(fittingImage({ kind: 'at-least', version: 21 }, { current: 'gone', choices })).toBeUndefined()
  })

  it('is told by its label, or else by its name', () => {
    expect(javaOfImage({ label: 'Java 21', image: 'example/game:1' })).toBe(21)
    expect(javaOfImage({ label: 'Newest', image: 'eclipse-temurin:21-jre' })).toBe(21)
    expect(javaOfImage({ label: 'Old', image: 'example/jdk-8' })).toBe(8)
    expect(javaOfImage({ label: 'Node.js 24', image: 'node:24' })).toBeUndefined()
  })
})

describe('the file of a plugin', () => {
  const ABOVE = "[Server thread/ERROR]: Could not load 'plugins/Broken One.jar' in folder 'plugins'"

  it('is in the line of the rule, or in the nearest line above that says what was not loaded', () => {
    expect(pluginFileOf('ZipException in plugins/Shop-2.1.jar', [])).toBe('plugins/Shop-2.1.jar')
    expect(pluginFileOf('java.util.zip.ZipException', ['x', ABOVE])).toBe('plugins/Broken One.jar')
    expect(pluginFileOf('ZipException', ["Could not load 'mods/a.jar'", ABOVE])).toBe('plugins/Broken One.jar')
  })

  it('is unknown where several are named, or only far above', () => {
    expect(pluginFileOf("files `plugins/A-1.jar' and `plugins/A-2.jar'", [ABOVE])).toBeUndefined()
    expect(pluginFileOf('ZipException', [ABOVE, 'a', 'b', 'c'])).toBeUndefined()
  })

  it('is never one that a player names', () => {
    expect(
      pluginFileOf('ZipException', [`[Server thread/INFO]: <Anna> Could not load 'plugins/Shop.jar'`]),
    ).toBeUndefined()
  })

  it('never leads out of its folder', () => {
    for (const line of ['plugins/../server.jar', 'plugins/a/../../server.jar', '/etc/plugins.jar']) {
      expect(pluginFileOf(`Could not load '${line}'`, []), line).toBeUndefined()
    }
  })
})
