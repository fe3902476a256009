import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { masker } from './mask.ts'

function through(secrets: string[], text: Buffer, cuts: number[] = []): string {
  const mask = masker(secrets)
  const parts: Buffer[] = []
  let from = 0
  for (const cut of [...cuts.map((c) => c % (text.length + 1)).sort((a, b) => a - b), text.length]) {
    parts.push(mask.push(text.subarray(from, cut)))
    from = cut
  }
  parts.push(mask.end())
  return Buffer.concat(parts).toString('latin1')
}

/** Few different letters, so that secrets overlap themselves, each other and the text around them. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), minLength: 1, maxLength: 12 })
const text = fc.array(fc.oneof(word, fc.string()), { maxLength: 30 })

describe('masking', () => {
  test('depends only on the bytes, not on how they were divided', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), text, fc.array(fc.nat(1000)), (secrets, pieces, cuts) => {
        const log = Buffer.from([...pieces, ...secrets, ...pieces].join(''))
        expect(through(secrets, log, cuts)).toBe(through(secrets, log))
      }),
    )
  })

  test('masks every secret, and leaves everything else unchanged', () => {
    const secret = fc.string({ unit: fc.constantFrom('k', 'e', 'y', '1'), minLength: 4, maxLength: 20 })
    const other = fc.string({ unit: fc.constantFrom('.', ' ', '\n', 'é') })
    fc.assert(
      fc.property(secret, fc.array(other, { minLength: 1 }), fc.array(fc.nat(1000)), (secret, others, cuts) => {
        const log = Buffer.from(others.join(secret))
        const expected = others.map((part) => Buffer.from(part).toString('latin1')).join('******')
        // adjacent secrets are merged into one mask, which is not tested here
        fc.pre(others.slice(1, -1).every((part) => part !== ''))
        expect(through([secret], log, cuts)).toBe(expected)
      }),
    )
  })

  test('finds a secret inside any Base64, whatever surrounds it', () => {
    const bytes = fc.string({ minLength: 8, maxLength: 40 })
    fc.assert(
      fc.property(bytes, fc.string(), fc.string(), fc.nat(1000), (secret, before, after, cut) => {
        fc.pre(secret.trim() === secret && !/[\r\n]/.test(secret))
        for (const encoding of ['base64', 'base64url'] as const) {
          const log = Buffer.from(before + secret + after).toString(encoding)
          const masked = through([secret], Buffer.from(log), [cut])
          const from = Math.ceil((Buffer.byteLength(before) * 8) / 6)
          const to = Math.floor((Buffer.byteLength(before + secret) * 8) / 6)
          expect(masked).not.toContain(log.slice(from, to))
        }
      }),
    )
  })

  test.each([
    ['URL-encoded', 'p@ss word/100%', 'x=p%40ss%20word%2F100%25&y'],
    ['URL-encoded in lower case', 'p@ss/word', 'p%40ss%2fword'],
    ['in a form', 'p@ss word', 'p%40ss+word'],
    ['in JSON', 'say "hi"\\now', JSON.stringify({ a: 'say "hi"\\now' })],
  ])('%s', (_, secret, log) => {
    expect(through([secret], Buffer.from(log))).toContain('******')
    expect(through([secret], Buffer.from(log))).not.toMatch(/ss|hi/)
  })

  test.each([
    ['bash', 'set -x; : u:$Q; set | grep ^Q=; export -p | grep " Q="; printf "%q\\n" "$Q"'],
    ['sh', 'set -x; : u:$Q; set | grep ^Q=; export -p | grep " Q="'],
    ['bash', 'LC_ALL=C; : "$Q"; printf "%q\\n" "$Q" "$Q$(printf \'\\001\')"; echo "${Q@Q}"'],
  ])('%s quotes a secret in its own way: %s', (shell, command) => {
    for (const secret of ["pa'ss-word1", 'pa"ss$(w)ord\\1', "'pass' \twörd;1'"]) {
      const said = execFileSync(shell, ['-c', `exec 2>&1; ${command}`], { env: { ...process.env, Q: secret } })
      // without its line end, because a trace also repeats the command
      expect(through([secret], said)).not.toMatch(/pa.{0,5}ss(?!'|word)|w.{0,8}(o|ö)rd/)
    }
  })

  const token = 'a-token-of-sixty-five-characters-0123456789abcdefghijklmnopqrstuvwx'

  test('Base64 is masked wherever an encoder breaks its lines, and however it is divided', () => {
    const around = fc.string({ maxLength: 8 })
    const width = fc.integer({ min: 4, max: 80 })
    const cuts = fc.array(fc.nat(300), { maxLength: 4 })
    fc.assert(
      fc.property(around, around, width, fc.constantFrom('\n', '\r\n'), cuts, (before, after, width, end, cuts) => {
        const whole = Buffer.from(before + token + after).toString('base64')
        const lines = whole.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
        const output = through([token], Buffer.from(`x\n${lines.join(end)}\nnext\n`), cuts)
        expect(output).toBe(through([token], Buffer.from(`x\n${lines.join(end)}\nnext\n`)))
        const left = output
          .slice(2)
          .replace(/\n?next\n$/, '')
          .split('******')
        const bytes = Math.ceil((Buffer.byteLength(before) * 4) / 3) + Math.ceil((Buffer.byteLength(after) * 4) / 3)
        // three characters before an early break, and those that the secret shares with its neighbours
        expect(left.join('').replaceAll(/[\r\n]/g, '').length).toBeLessThanOrEqual(bytes + 8)
        expect(output).toMatch(/next\n$/)
      }),
    )
  })

  test('lines that only begin like Base64 are unchanged', () => {
    const core = Buffer.from(token).toString('base64')
    const log = Array.from({ length: 80 }, (_, at) => `${core.slice(0, at % 40)}\n${'\n'.repeat(at % 3)}!`).join('\n')
    for (const cut of [1, 50, 51, 52, 53, 500]) expect(through([token], Buffer.from(log), [cut])).toBe(log)
    const mask = masker([token])
    expect(mask.push(Buffer.from(`ends with ${core.slice(0, 2)}\n`)).toString()).toBe(`ends with ${core.slice(0, 2)}\n`)
  })

  test('another secret that is broken into lines is not masked as one', () => {
    expect(through(['abcd', token], Buffer.from('ab\ncd abcd'))).toBe('ab\ncd ******')
  })

  test('a key of several lines is masked line by line, indented, with Windows line ends, in JSON and in Base64', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nEFAASCBKcwggSjAgEAAoIBAQC7\n-----END KEY-----\n'
    const lines = key.trim().split('\n')
    const logs = [
      key,
      key.replaceAll('\n', '\r\n'),
      lines.map((line) => `    ${line}`).join('\n'),
      lines[1] ?? '',
      JSON.stringify({ key }),
      Buffer.from(key).toString('base64'),
      Buffer.from(key.trim()).toString('base64'),
      Buffer.from(`x${key}`).toString('base64'),
    ]
    for (const log of logs)
      for (let cut = 0; cut < log.length; cut += 7) {
        const masked = through([key], Buffer.from(log), [cut])
        expect(masked).not.toMatch(/MIIEv|ASCBK|TUlJRX|VlRVkp/)
        expect(masked).toContain('******')
      }
  })

  test('holds back only bytes that may still become a secret', () => {
    const mask = masker(['hunter2'])
    expect(mask.push(Buffer.from('a line\n')).toString()).toBe('a line\n')
    expect(mask.push(Buffer.from('the hun')).toString()).toBe('the ')
    expect(mask.push(Buffer.from('g.')).toString()).toBe('hung.')
    expect(mask.push(Buffer.from(' hunter')).toString()).toBe(' ')
    expect(mask.push(Buffer.from('2 ')).toString()).toBe('****** ')
  })

  test('masks as many secrets as a pipeline can have, of any length and all alike', () => {
    const long = Array.from({ length: 100 }, (_, at) =>
      Array.from({ length: 1_360 }, (_, line) => `alike-${at}-${line}`.padEnd(23, '.')).join('\n'),
    )
    const log = ['alike-0-0'.padEnd(23, '.'), 'alike-99-1359'.padEnd(23, '.'), btoa('hunter2-and-more'), 'alike-100-0']
    expect(through([...long, 'hunter2-and-more'], Buffer.from(log.join('\n')), [30])).toBe(
      '******\n******\n******Q==\nalike-100-0',
    )
  })

  test('passes everything on if there are no secrets', () => {
    expect(through(['', '  '], Buffer.from('a b\n'))).toBe('a b\n')
  })

  test('masks secrets of any bytes', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('latin1')
    const secret = [...all].filter((c) => c !== '\n' && c !== '\r').join('')
    expect(through([secret], Buffer.from(`<${secret}>`))).toBe('<******>')
  })
})
