import { expect, test } from 'vitest'
import { linesOf, parametersIn } from './parameters.ts'

test.each([
  ['', {}],
  ['type=ssd', { type: 'ssd' }],
  ['  type = ssd  \n\n options=a=b,c=d\r\nflag', { type: 'ssd', options: 'a=b,c=d', flag: '' }],
  ['type=hdd\ntype=ssd', { type: 'ssd' }],
])('%j is %j', (text, parameters) => {
  expect(parametersIn(text)).toEqual(parameters)
  expect(parametersIn(linesOf(parameters as Record<string, string>))).toEqual(parameters)
})
