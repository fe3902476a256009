import { test } from 'vitest'

test('takes the whole run with it', () => {
  process.kill(process.ppid, 'SIGKILL')
})
