import { mask } from '@gantry/contract/validators'
import type { ReadAccess } from '../../../adapters/outbound/read-api.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { Fault } from '../../../kernel/fault.ts'
import { keepSecret, open, maskSealed } from '../../../kernel/secrets/secrets.ts'
import type { Sealed } from './sources.store.ts'

export const masked = <S extends Sealed>(
  stored: S,
): Omit<S, 'password' | 'token'> & Pick<ReadAccess, 'password' | 'token'> => ({
  ...stored,
  password: maskSealed(stored.password),
  token: maskSealed(stored.token),
})

/** With decrypted credentials, only for the adapter. */
export const accessOf = (
  ctx: Pick<Ctx, 'keys' | 'secrets'>,
  { url, username, password, token }: Sealed,
): ReadAccess => ({
  url,
  username,
  password: password === null ? '' : open(ctx, password),
  token: token === null ? '' : open(ctx, token),
})

const originOf = (url: string): string => (url === '' ? '' : new URL(url).origin)

/** Resolves masked credentials: a stored one is never used for another server, nor for another user there. */
export function keptCredentials(ctx: Ctx, given: ReadAccess, before: Sealed): Pick<Sealed, 'password' | 'token'> {
  const same = originOf(given.url) === originOf(before.url) && given.username === before.username
  if (!same && [given.password, given.token].includes(mask)) throw new Fault('invalid', 'monitoring-secret-again')
  return {
    password: given.username === '' ? null : keepSecret(ctx, given.password, before.password, same),
    token: keepSecret(ctx, given.token, before.token, same),
  }
}
