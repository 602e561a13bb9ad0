import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { classHighlighter, highlightTree } from '@lezer/highlight'
import { expect, it } from 'vitest'
import { languageOf, loadLanguage } from '@/features/files/editor/editor-language.ts'

/** The words of a text that get a colour. */
const coloured = async (name: string, text: string): Promise<string[]> => {
  const state = EditorState.create({ doc: text, extensions: [await loadLanguage(languageOf(name))] })
  const tree = ensureSyntaxTree(state, text.length, 5_000)
  const words: string[] = []
  if (tree !== null) highlightTree(tree, classHighlighter, (from, to) => void words.push(text.slice(from, to).trim()))
  return words.filter((word) => word !== '')
}

it.each([
  ['server.properties', '# note\nmotd=Watch\n', ['# note', 'motd']],
  ['settings.ini', '[main]\nkey=1\n', ['[main]', 'key']],
  ['bukkit.yml', 'allow-end: true # dragon\n', ['allow-end', '# dragon']],
  ['ops.json', '{"name": "Alex", "level": 4}', ['"name"', '"Alex"', '4']],
  ['velocity.toml', '# note\nbind = "0.0.0.0"\n', ['# note', 'bind', '"0.0.0.0"']],
  ['meta.xml', '<meta><!-- note --><info name="race"/></meta>', ['meta', '<!-- note -->', 'name']],
  ['client.lua', 'local x = "a" -- note\n', ['local', '"a"', '-- note']],
  ['index.js', 'const x = "a" // note\n', ['const', '"a"', '// note']],
  ['start.sh', 'echo "hi" # note\n', ['echo', '"hi"', '# note']],
  ['latest.log', '[12:00:00] [Server/WARN]: slow\n', ['[12:00:00]']],
])('the mode of %s colours its words', async (name, text, words) => {
  expect(await coloured(name, text)).toEqual(expect.arrayContaining(words))
})

it('a text without a mode stays plain', async () => {
  expect(await coloured('eula.txt', 'eula=true\n')).toEqual([])
})
