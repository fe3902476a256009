import { expect, test } from 'vitest'
import { smtpFault } from './faults.ts'

test('a password that the server echoes is masked', () => {
  const response = `535 5.7.8 cannot use hunter22 (${Buffer.from('ann\0ann\0hunter22').toString('base64')})`
  const refused = Object.assign(new Error(response), { code: 'EAUTH', responseCode: 535, response })
  const { key, vars } = smtpFault(refused, { host: 'mail.test', to: 'ann@example.test', password: 'hunter22' })
  expect(key).toBe('mail-wrong-password')
  expect(vars['answer']).toMatch(/^535 5\.7\.8 cannot use \*{8} \(.*\*{8}/)
  expect(vars['answer']).not.toMatch(/hunter22|aHVudGVyMj/)
})
