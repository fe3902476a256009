import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edgeKey, layoutOf, nearest, nodeSize } from './layout.ts'

const edge = (from: string, to: string) => ({ from, to })

test('targets are to the right of their sources, and unconnected nodes below', () => {
  const layout = layoutOf({
    keys: ['db', 'web', 'door', 'alone'],
    edges: [edge('door', 'web'), edge('web', 'db'), edge('door', 'db')],
  })
  const at = (key: string) => layout.places.get(key) ?? { x: 0, y: 0 }
  expect(at('door').x).toBeLessThan(at('web').x)
  expect(at('web').x).toBeLessThan(at('db').x)
  expect(at('alone').y).toBeGreaterThan(at('db').y)
  // past the node between, and not through it
  expect(layout.bends.get(edgeKey('door', 'db'))).toEqual([{ x: at('web').x, y: expect.any(Number) as number }])
  expect(layout.bends.get(edgeKey('door', 'db'))?.[0]?.y).not.toBe(at('web').y)
  expect(nearest(layout, 'web', 'right')).toBe('db')
  expect(nearest(layout, 'web', 'left')).toBe('door')
  expect(nearest(layout, 'door', 'left')).toBeUndefined()
})

test('any graph, even with cycles, has a separate position for each node within the drawing', () => {
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

test('a long chain is laid out in full', () => {
  const keys = Array.from({ length: 3000 }, (_, at) => String(at))
  const { places } = layoutOf({ keys, edges: keys.slice(1).map((to, at) => edge(String(at), to)) })
  expect(places.get('2999')?.x).toBeGreaterThan((places.get('2998') ?? { x: 0 }).x)
})
