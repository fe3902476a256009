import { test } from 'vitest'

test('leaves a rejection that nobody handles', () => {
  void Promise.reject(new Error('nobody handles this'))
})
