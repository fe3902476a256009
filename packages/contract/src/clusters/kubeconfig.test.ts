import { expect, test } from 'vitest'
import { normalizeKubeconfig } from './kubeconfig.ts'

const lines = ['apiVersion: v1', 'contexts:', '  - name: x', '', 'kind: Config']
const meant = lines.join('\n')

test.each<[what: string, given: string, expected: string]>([
  ['as it is', meant, meant],
  ['a fence', `\`\`\`yaml\n${meant}\n\`\`\``, `\n${meant}\n`],
  ['a fence of another length, and blank lines around it', `\n~~~~\n${meant}\n~~~~ \n\n`, `\n\n${meant}\n\n\n`],
  ['a fence that was copied without its end', `\`\`\`\n${meant}`, `\n${meant}`],
  ['a fence that was copied without its beginning', `${meant}\n\`\`\``, `${meant}\n`],
  ['a byte order mark', `\uFEFF${meant}`, meant],
  ['line ends of Windows', lines.join('\r\n'), meant],
  ['spaces that begin every line', lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n'), meant],
  ['tabs that begin every line', lines.map((line) => `\t${line}`).join('\n'), meant],
  [
    'all of it',
    `\uFEFF  \`\`\`yaml\r\n${lines.map((line) => `  ${line}`).join('\r\n')}\r\n  \`\`\`\r\n`,
    `\n${meant}\n\n`,
  ],
  ['spaces that begin only some lines', '  a: b\nc: d', '  a: b\nc: d'],
  ['nothing', ' \n ', '\n'],
])('%s', (_, given, expected) => {
  expect(normalizeKubeconfig(given).replaceAll(/ +$/gm, '')).toBe(expected)
})
