import { readUrl } from '../outbound/address.ts'
import { Fault } from '../../kernel/fault.ts'

/**
 * Parses a repository URL that a user entered: http or https, without credentials or query. Refuses anything that git
 * would read as a helper, an option, a path or another scheme.
 */
export function readRepositoryUrl(text: string): URL {
  if (/^https?:\/\/[^/?#\\]*@/i.test(text)) throw new Fault('invalid', 'git-url-credentials')
  if (!/^https?:\/\/[^\\]+$/i.test(text)) throw new Fault('invalid', 'git-url-invalid')
  const url = readUrl(text)
  if (url.search !== '' || url.hash !== '' || url.pathname === '/') throw new Fault('invalid', 'git-url-invalid')
  return url
}

// oxlint-disable-next-line no-control-regex -- git's own rule names these characters
const refusedInRefs = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[./]$|^[./-]/u

/**
 * The rules of git-check-ref-format for a branch or tag, plus no leading dash: a name that passes is harmless as an
 * argument.
 */
export const isRefName = (name: string): boolean =>
  name.length > 0 && name.length <= 250 && name !== '@' && !refusedInRefs.test(name)
