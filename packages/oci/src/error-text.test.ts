import { expect, test } from 'vitest'
import { errorText } from './error-text.ts'

test.each([
  ['{"errors":[{"code":"DENIED","message":"access is denied"}]}', 'DENIED: access is denied'],
  ['{"errors":[{"code":"DENIED"}]}', 'DENIED'],
  ['{"errors":[]}', ''],
  ['{"details":"incorrect username or password"}', 'incorrect username or password'],
  ['{"error":"invalid_grant","error_description":"the account is locked"}', 'invalid_grant: the account is locked'],
  ['{"message":"maintenance"}', 'maintenance'],
  ['{"errors":[{"code":1,"message":{}}]}', ''],
  ['no space\r\nleft\u0007 ', 'no space left'],
  ['<html><h1>502</h1>', ''],
  ['x'.repeat(500), 'x'.repeat(200)],
  ['null', 'null'],
  ['', ''],
])('%s', (text, words) => {
  expect(errorText(text)).toBe(words)
})
