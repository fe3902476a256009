import { readFileSync, writeFileSync } from 'node:fs'
import { StartError } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'
import { keyIdOf, makeIssuer, signLicense } from './license.ts'

/** Reports a failure with a file on one line. */
function withFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new StartError(say('en', 'license-command-file', { file, reason: (error as Error).message }))
  }
}

function makeKey(file: string): string {
  const { pem, x } = makeIssuer()
  // never overwrites a file, because licenses of a lost key cannot be signed again
  withFile(file, () => writeFileSync(file, pem, { mode: 0o600, flag: 'wx', flush: true }))
  return say('en', 'license-command-key', { file, id: keyIdOf(x), key: x })
}

function sign(file: string, holder: string, until: string, rest: string[]): string {
  const expiredAt = new Date(/^\d{4}-\d\d-\d\d$/.test(until) ? `${until}T23:59:59Z` : until)
  if (Number.isNaN(expiredAt.getTime())) throw new StartError(say('en', 'license-command-date', { until }))
  const pairs = rest.filter((part) => part.includes('='))
  const limits = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  return withFile(file, () =>
    signLicense(readFileSync(file, 'utf8'), {
      holder,
      issuedAt: new Date().toISOString(),
      expiredAt: expiredAt.toISOString(),
      notes: rest.filter((part) => !part.includes('=')).join(' '),
      limits,
    }),
  )
}

/** `npm run admin -- license …`, for issuers of licenses. It needs no database. */
export function licenseCommand([command, file, holder, until, ...rest]: string[]): string {
  if (command === 'key' && file !== undefined && holder === undefined) return makeKey(file)
  if (command === 'sign' && file !== undefined && holder !== undefined && until !== undefined)
    return sign(file, holder, until, rest)
  throw new StartError(say('en', 'license-command-usage'))
}
