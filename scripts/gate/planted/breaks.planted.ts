import { describe } from 'vitest'

describe('a file that cannot be collected', () => {
  throw new Error('nothing of this file can run')
})
