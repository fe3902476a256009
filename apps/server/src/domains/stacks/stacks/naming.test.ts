import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isReservedLabel } from '@gantry/contract/stacks/spec-placement'
import { namespaceOf } from './naming.ts'

const team = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,18}[a-z0-9])$/)
const stack = fc.stringMatching(/^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$/)
const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

test('every team and stack yield a valid Kubernetes name', () => {
  fc.assert(fc.property(team, stack, (t, s) => dnsLabel.test(namespaceOf(t, s))))
})

test('a short plain name stays readable', () => {
  expect(namespaceOf('payments', 'shop')).toBe('payments-shop')
})

test('a dot and a dash do not yield the same name', () => {
  expect(namespaceOf('a.b', 'c')).not.toBe(namespaceOf('a-b', 'c'))
})

test('two teams whose names would yield the same namespace are distinguished by a hash', () => {
  expect(namespaceOf('a', 'b-c')).toBe(namespaceOf('a-b', 'c'))
  expect(namespaceOf('a', 'b-c', 1)).not.toBe(namespaceOf('a-b', 'c', 1))
})

test('a taken name is replaced by another', () => {
  fc.assert(
    fc.property(team, stack, fc.integer({ min: 1, max: 50 }), (t, s, attempt) => {
      const name = namespaceOf(t, s, attempt)
      return dnsLabel.test(name) && name !== namespaceOf(t, s, attempt + 1)
    }),
  )
})

test('no team can get a name of the cluster itself', () => {
  expect(namespaceOf('kube', 'system')).not.toBe('kube-system')
})

test('labels of the product and of the specification are reserved', () => {
  expect(['gantry.dev/team', 'app', 'io.wise2c.stack', 'io.wise2c.service'].every(isReservedLabel)).toBe(true)
  expect(isReservedLabel('tier')).toBe(false)
})
