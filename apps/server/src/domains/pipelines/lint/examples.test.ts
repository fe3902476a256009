import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { protocolVersion } from '@gantry/agent-protocol/protocol'
import { describe, expect, test } from 'vitest'
import { readDefinitionText } from '../definition-files/definition-text.ts'
import { lintDefinition, type Surroundings } from './rules.ts'

/** What the manual's examples refer to; readers have objects of their own in these places. */
const stack = { name: 'shop', services: new Set(['web']) }
const around: Surroundings = {
  agents: [
    { labels: [], osType: 'linux', executors: ['process', 'container'], protocol: protocolVersion, environment: null },
  ],
  agentLabels: [],
  parameters: ['REGION'],
  registries: new Set([1]),
  chartRepositories: new Set(),
  blueprints: new Set(),
  members: new Set(['robin']),
  dockerfiles: new Set(),
  buildImages: new Map([
    [3, { name: 'node', clusters: [] }],
    [7, { name: 'postgres', clusters: [] }],
  ]),
  codeQuality: false,
  stacks: new Map([
    ['11111111-1111-4111-8111-111111111111', stack],
    ['22222222-2222-4222-8222-222222222222', stack],
  ]),
  pipelines: new Map(),
}

const signs: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** The examples of a page, by the anchors of their headings. */
function examplesOf(lang: 'en' | 'zh'): [name: string, text: string][] {
  const page = readFileSync(join(import.meta.dirname, `../../../../../../docs/manual/${lang}/examples.html`), 'utf8')
  return page
    .split('<h2 id="')
    .slice(1)
    .flatMap((part): [string, string][] => {
      const [name = ''] = part.split('"')
      return [...part.matchAll(/<pre[^>]*><code>([^]*?)<\/code><\/pre>/g)].map(([, text = '']) => [
        name,
        text.replaceAll(/&\w+;/g, (sign) => signs[sign] ?? sign),
      ])
    })
}

const found = (text: string) => {
  const { definition, problems } = readDefinitionText(text)
  return { problems, findings: definition ? lintDefinition(definition, around) : [] }
}

describe.for(['en', 'zh'] as const)('the examples of the manual in %s', (lang) => {
  test.for(examplesOf(lang))('%s runs as written', ([, text]) => {
    expect(found(text)).toEqual({ problems: [], findings: [] })
  })
})

test('there are ten examples, the same in both languages', () => {
  const english = examplesOf('en')
  expect(new Set(english.map(([name]) => name)).size).toBe(10)
  expect(english).toHaveLength(10)
  expect(examplesOf('zh')).toEqual(english)
})

test('an example with an unknown key or a missing object would be found', () => {
  const [, text = ''] = examplesOf('en').find(([name]) => name === 'deploy') ?? []
  expect(found(text.replace('confirm:', 'confrim:')).problems).toMatchObject([{ reason: { key: 'field-unknown' } }])
  expect(found(text.replace('service: web', 'service: gone')).findings).toMatchObject([
    { key: 'pipelines-lint-service' },
  ])
})
