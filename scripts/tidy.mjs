// Checks the tree itself: `node scripts/tidy.mjs [folder]`.
import { tidy } from './rules/tidy-rules.mjs'

const { files, problems } = await tidy(process.argv[2] ?? process.cwd())
for (const { rule, path, message } of problems) console.log(`${rule}: ${path}: ${message}`)
console.log(problems.length === 0 ? `tidy: ${files} files in order` : `tidy: ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
