import { readUrl } from '../outbound/address.ts'
import { Fault } from '../../kernel/fault.ts'

/**
 * The URL of a repository as a user may name it: http or https, no credentials inside, no query. Everything that git would
 * take for a helper, an option, a path or another scheme is refused before git sees it.
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

/** git-check-ref-format's rules for a branch or tag, and no leading dash. Anything that passes is inert as an argument. */
export const isRefName = (name: string): boolean =>
  name.length > 0 && name.length <= 250 && name !== '@' && !refusedInRefs.test(name)
