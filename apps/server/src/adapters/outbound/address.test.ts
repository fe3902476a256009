import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../kernel/fault.ts'
import { readUrl } from './address.ts'

function protocolOrFault(text: string): string {
  try {
    return readUrl(text).protocol
  } catch (error) {
    return error instanceof Fault ? error.key : String(error)
  }
}

describe('valid URLs', () => {
  test.each([
    'file:///etc/passwd',
    'gopher://example.com/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'http://',
    'example.com',
    'http://user:secret@example.com/',
    'http://user@example.com/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x0a000001/10.0.0.1',
    'http://10.1/',
    'http://１０.0.0.1/',
    'http://10.0.0.1\t/',
    ' http://10.0.0.1/',
    'http://exam\nple.com/',
    'http://example.com/\r\nHost: x',
    `http://example.com/${'x'.repeat(3000)}`,
  ])('%j is refused', (url) => {
    expect(() => readUrl(url)).toThrow(expect.objectContaining({ key: 'outbound-refused' }))
  })

  test.each(['http://10.0.0.1/', 'https://example.com:8443/a?b=c', 'http://[2606:4700::1]/', 'HTTPS://Example.com'])(
    '%s is read',
    (url) => {
      expect(readUrl(url).href.toLowerCase()).toContain(url.toLowerCase())
    },
  )

  test('any text is parsed or refused by a Fault', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((s) => `http://${s}`),
        ),
        (text) => {
          expect(protocolOrFault(text)).toMatch(/^(https?:|outbound-refused)$/)
        },
      ),
    )
  })
})
