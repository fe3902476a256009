import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ServiceSpec } from '@gantry/contract/stacks/spec'
import { loadLanguage } from '../../../api/language.ts'
import { problemsOf } from '../../../ui/editor/yaml-editor.tsx'
import { specOf, specProblems, specText } from './spec-text.ts'

beforeAll(() => loadLanguage('en'))

const value = fc.string({ unit: 'binary', maxLength: 30 })
const spec = fc
  .record({
    image: fc.constantFrom('nginx:1.29', '127.0.0.1:5000/team/app@sha256:abc'),
    replicas: fc.nat(5),
    command: fc.array(value, { maxLength: 3 }),
    environment: fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B_1', 'c.d'), value, secret: fc.boolean() }), {
      selector: ({ name }) => name,
    }),
    readiness: fc.constantFrom({ type: 'none' }, { type: 'tcp', port: 80 }, { type: 'http', port: 80, path: '/ok' }),
  })
  .map((given) => ServiceSpec.parse(given))

describe('a specification as text', () => {
  test('means the same when it is parsed again', () => {
    fc.assert(
      fc.property(spec, (one) => {
        const text = specText(one)
        expect(problemsOf(text)).toEqual([])
        expect(specProblems(text)).toEqual([])
        expect(specOf(text)).toEqual(one)
      }),
    )
  })

  test('does not depend on the order of keys in the input', () => {
    const one = ServiceSpec.parse({ image: 'x' })
    const turned = Object.fromEntries(Object.entries(one).toReversed()) as ServiceSpec
    expect(specText(turned)).toBe(specText(one))
  })

  test.each([
    ['image: nginx\nreplicas: many\n', 2, 11],
    ['image: nginx\nports:\n  - port: 80\n  - port: 99999\n', 4, 11],
    ['replicas: 1\n', 1, 1],
    ['image: nginx\ncolour: red\n', 2, 1],
    ['image: nginx\nreadiness:\n  type: tcp\n', 3, 3],
  ])('reports a problem at its place: %j', (text, line, column) => {
    expect(specProblems(text)).toMatchObject([{ line, column }])
  })

  test('leaves syntax errors to the editor', () => {
    expect(specProblems('image: [\n')).toEqual([])
    expect(problemsOf('image: [\n')).not.toEqual([])
  })
})
