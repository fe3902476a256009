import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edgeKey, layoutOf, nearest, nodeSize } from './layout.ts'

const edge = (from: string, to: string) => ({ from, to })

test('what is led to stands to the right, and what nothing leads to below', () => {
  const layout = layoutOf({
    keys: ['db', 'web', 'door', 'alone'],
    edges: [edge('door', 'web'), edge('web', 'db'), edge('door', 'db')],
  })
  const at = (key: string) => layout.places.get(key) ?? { x: 0, y: 0 }
  expect(at('door').x).toBeLessThan(at('web').x)
  expect(at('web').x).toBeLessThan(at('db').x)
  expect(at('alone').y).toBeGreaterThan(at('db').y)
  // past the one between, and not through it
  expect(layout.bends.get(edgeKey('door', 'db'))).toEqual([{ x: at('web').x, y: expect.any(Number) as number }])
  expect(layout.bends.get(edgeKey('door', 'db'))?.[0]?.y).not.toBe(at('web').y)
  expect(nearest(layout, 'web', 'right')).toBe('db')
  expect(nearest(layout, 'web', 'left')).toBe('door')
  expect(nearest(layout, 'door', 'left')).toBeUndefined()
})

test('whatever leads to whatever, in circles too, all have places of their own within the drawing', () => {
  const name = fc.nat({ max: 40 }).map(String)
  fc.assert(
    fc.property(fc.uniqueArray(name), fc.array(fc.record({ from: name, to: name })), (keys, edges) => {
      const { places, width, height } = layoutOf({
        keys,
        edges: edges.filter(({ from, to }) => keys.includes(from) && keys.includes(to)),
      })
      expect([...places.keys()].sort()).toEqual(keys.toSorted())
      expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(keys.length)
      for (const { x, y } of places.values()) {
        expect(x + nodeSize.width).toBeLessThan(width)
        expect(y + nodeSize.height).toBeLessThan(height)
      }
    }),
  )
})

test('a chain is as long as it is', () => {
  const keys = Array.from({ length: 3000 }, (_, at) => String(at))
  const { places } = layoutOf({ keys, edges: keys.slice(1).map((to, at) => edge(String(at), to)) })
  expect(places.get('2999')?.x).toBeGreaterThan((places.get('2998') ?? { x: 0 }).x)
})
