import { expect, test } from 'vitest'

test('passes beside it', () => expect(1 + 1).toBe(2))
test('fails each time', () => expect(1 + 1).toBe(3))
