import { expect, test } from 'vitest'

test('passes', () => expect(1 + 1).toBe(2))
test.skip('is skipped', () => undefined)
