import { describe, expect, test } from 'vitest'
import { en } from '../packages/phrases/src/en.gen.ts'
import { zh } from '../packages/phrases/src/zh.gen.ts'
import { definitionSchema, referenceOf, type Schema, sectionsOf } from './gen-definition.ts'

const languages = { en, zh } as const
const schema = definitionSchema()

/** The schema with one more key in each script step. */
function withKey(name: string, value: Schema): Schema {
  const copy = structuredClone(schema)
  const steps = copy.properties?.['stages']?.items?.properties?.['steps']?.items?.oneOf ?? []
  const script = steps.find((step) => step.properties?.['type']?.const === 'script')
  if (!script?.properties) throw new Error('the schema has no script steps')
  script.properties[name] = value
  return copy
}

test('has a section for each part of a definition and each type of step', () => {
  const names = sectionsOf(schema).map(({ name }) => name)
  expect(names.slice(0, 8)).toEqual([
    'definition',
    'stage',
    'approval',
    'condition',
    'job',
    'matrix',
    'service',
    'step',
  ])
  expect(names.slice(8)).toEqual(
    schema.properties?.['stages']?.items?.properties?.['steps']?.items?.oneOf?.map(
      (step) => step.properties?.['type']?.const,
    ),
  )
  const keys = Object.fromEntries(sectionsOf(schema).map(({ name, rows }) => [name, rows.map(({ key }) => key)]))
  expect(keys['job']).toEqual(expect.arrayContaining(['retries', 'retries.count', 'retries.exitCodes', 'matrix']))
  expect(keys['http']).toEqual(expect.arrayContaining(['headers', 'headers[].name', 'headers[].value']))
  expect(keys['image']).toEqual(expect.arrayContaining(['dockerfile', 'dockerfile.id', 'dockerfile.path']))
})

describe.for(['en', 'zh'] as const)('in %s', (lang) => {
  test('has a sentence for every key', () => {
    expect(referenceOf(schema, languages[lang], lang)).toContain('<h3 id="step-script">')
  })

  test('refuses a key without a sentence, by name', () => {
    const more = withKey('planted', { type: 'boolean' })
    expect(() => referenceOf(more, languages[lang], lang)).toThrow('no phrase says what script.planted is')
  })

  test('finds a sentence without a key', () => {
    const rows = sectionsOf(schema).flatMap(({ name, rows }) =>
      rows.map(({ key }) => [name, key.replaceAll('[]', '')] as const),
    )
    const known = new Set(rows.flatMap(([name, key]) => [`definition-key.${name}.${key}`, `definition-key.${key}`]))
    const idle = Object.keys(languages[lang]).filter((key) => key.startsWith('definition-key.') && !known.has(key))
    expect(idle).toEqual([])
  })
})

test('marks required keys, unless another key may take their place', () => {
  const required = sectionsOf(schema).flatMap(({ name, rows }) =>
    rows.flatMap((row) => (row.required ? [`${name}.${row.key}`] : [])),
  )
  expect(required).toEqual(expect.arrayContaining(['stage.name', 'script.run', 'job.retries.count']))
  expect(required.filter((key) => key.startsWith('image.dockerfile'))).toEqual([])
})

test.for<[what: string, schema: Schema, said: string]>([
  ['a text', { type: 'string', minLength: 1, maxLength: 1000 }, 'text, not empty, at most 1,000 characters'],
  ['a number with both limits', { type: 'integer', minimum: 1, maximum: 5 }, 'whole number, 1 to 5'],
  ['a number with one limit', { type: 'number', minimum: 0 }, 'number, at least 0'],
  ['a number as large as there are', { type: 'integer', minimum: 1, maximum: 2 ** 53 - 1 }, 'whole number, at least 1'],
  ['a default', { type: 'boolean', default: true }, 'true or false, default: <code>true</code>'],
  ['an empty default', { type: 'string', default: '' }, 'text'],
  ['choices', { type: 'string', enum: ['sh', 'bash'] }, 'one of <code>sh</code>, <code>bash</code>'],
  [
    'a list',
    { type: 'array', maxItems: 2, items: { type: 'string', maxLength: 9 } },
    'list, at most 2 entries; each: text, at most 9 characters',
  ],
  [
    'names',
    { type: 'object', maxProperties: 3, additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    'names of your own, at most 3 entries; each: text or number',
  ],
])('the reference describes the values of %s', ([, value, said]) => {
  const text = referenceOf(withKey('run', value), en, 'en')
  expect(/<td><code>run<\/code>(?:<br \/>required)?<\/td><td>(.*?)<\/td>/.exec(text)?.[1]).toBe(said)
})
