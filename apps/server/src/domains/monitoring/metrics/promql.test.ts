import fc from 'fast-check'
import { expressions } from '@gantry/contract/monitoring/metrics'
import { describe, expect, test } from 'vitest'
import { namedExpressions, rateWindow } from './expressions.ts'
import { literally, ofPods, podPattern, quoted, type MetricScope } from './promql.ts'

const everything: MetricScope = {
  cluster: '',
  host: undefined,
  namespaces: undefined,
  pods: undefined,
  container: undefined,
}

/** String literals of a query, as Prometheus parses them; throws if one does not end. */
function textsIn(query: string): string[] {
  const texts: string[] = []
  for (let at = query.indexOf('"'); at !== -1; at = query.indexOf('"', at + 1)) {
    let text = ''
    for (at++; query[at] !== '"'; at++) {
      if (at >= query.length || query[at] === '\n') throw new Error('a text does not end')
      if (query[at] === '\\') text += { n: '\n', '\\': '\\', '"': '"' }[query[++at] ?? ''] ?? '?'
      else text += query[at]
    }
    texts.push(text)
  }
  return texts
}

/** Texts with characters that could end a string. */
const hostile = { unit: fc.constantFrom('"', '\\', '\n', '{', '}', '|', '.', ',', 'a', 'é', '\u2028'), maxLength: 20 }

/** A query without the contents of its strings, parsed like Prometheus does. */
const shapeOf = (query: string): string => query.replaceAll(/"(?:\\.|[^"\\])*"/g, '""')

describe("a value never becomes part of the query's syntax", () => {
  test('a label value is matched literally', () => {
    fc.assert(
      fc.property(fc.string(hostile), (text) => {
        expect(textsIn(quoted(text))).toEqual([text])
      }),
    )
  })

  test('a text within a pattern matches only itself', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const pattern = new RegExp(`^(?:${literally(text)})$`)
        expect(pattern.test(text)).toBe(true)
        expect(pattern.test(`${text}x`)).toBe(false)
      }),
    )
  })

  test('no input changes the structure of a query', () => {
    const anyText = fc.oneof(
      fc.string({ ...hostile, minLength: 1 }),
      fc.constantFrom('x"} or vector(1)', '.*', 'a|b', '"}', '\\'),
    )
    const where = fc.record({
      cluster: anyText,
      host: anyText,
      namespaces: fc.array(anyText, { minLength: 1, maxLength: 3 }),
      pods: fc.oneof(
        anyText.map((of) => ({ of })),
        anyText.map((is) => ({ is })),
      ),
      container: anyText,
    })
    fc.assert(
      fc.property(where, fc.constantFrom(...expressions), (given, expression) => {
        const plain: MetricScope = {
          cluster: 'c',
          host: 'h',
          namespaces: given.namespaces.map(() => 'n'),
          pods: 'of' in given.pods ? { of: 'p' } : { is: 'p' },
          container: 'k',
        }
        const { promql } = namedExpressions[expression]
        expect(shapeOf(promql(given, '3m'))).toBe(shapeOf(promql(plain, '3m')))
        if (given.cluster !== '') expect(textsIn(promql(given, '3m'))).toContain(given.cluster)
      }),
    )
  })
})

test('a team’s figures are queried by a list of its namespaces', () => {
  expect(ofPods({ ...everything, namespaces: ['a-b'] })).toBe('{namespace="a-b"}')
  expect(ofPods({ ...everything, namespaces: ['a.b', 'c'] })).toBe(String.raw`{namespace=~"a\\.b|c"}`)
  expect(ofPods({ ...everything, cluster: 'east' })).toBe('{cluster="east",namespace!=""}')
})

describe('pods of a service by their names', () => {
  test.each([
    ['web-7d9f8c6b5-x2x4q', true],
    ['web-x2x4q', true],
    ['web-0', true],
    ['web-12', true],
    ['web-api-7d9f8c6b5-x2x4q', false],
    ['myweb-7d9f8c6b5-x2x4q', false],
    ['web', false],
    ['web-7d9f8c6b5-x2x4q-more', false],
    // a stateful and a daemon set with names that start alike
    ['web-api-0', false],
    ['web-api-x2x4q', false],
    ['web-28912345-x2x4q', true],
    ['web-next-7d9f8c6b5-x2x4q', true],
    ['web-next-api-7d9f8c6b5-x2x4q', false],
    ['web-db-x2x4q', false],
    ['web-db-0', false],
  ])('%s', (pod, its) => {
    expect(new RegExp(`^(?:${podPattern('web')})$`).test(pod)).toBe(its)
  })

  test('even if Kubernetes has cut a long name', () => {
    const hash = '7d9f8c6b5f'
    for (let length = 1; length <= 52; length++) {
      const service = 's'.repeat(length)
      for (const template of [hash, hash.slice(1), hash.slice(2)]) {
        const pod = `${`${service}-${template}-`.slice(0, 58)}x2x4q`
        expect(pod).toMatch(new RegExp(`^(?:${podPattern(service)})$`))
        if (length <= 47)
          expect(`${`${service}-next-${template}-`.slice(0, 58)}x2x4q`).toMatch(
            new RegExp(`^(?:${podPattern(service)})$`),
          )
        expect(pod).not.toMatch(new RegExp(`^(?:${podPattern(service.slice(1))})$`))
      }
    }
  })
})

test.each(expressions)('%s selects the cluster if one Prometheus measures several', (expression) => {
  const query = namedExpressions[expression].promql({ ...everything, cluster: 'east' }, '3m')
  const matchers = query.match(/\{[^}]*\}/g) ?? []
  expect(matchers.length).toBeGreaterThan(0)
  for (const one of matchers) expect(one).toContain('cluster="east"')
})

test('a rate spans at least two samples of a slow scraper', () => {
  expect(rateWindow(15)).toBe('180s')
  expect(rateWindow(3600)).toBe('3600s')
})
