import type { FieldProblem } from '@gantry/contract/envelope'
import type { PhraseKey } from '@gantry/phrases/keys.gen'
import { normalDn } from '../../adapters/ldap/dn.ts'
import { parseFilter } from '../../adapters/ldap/filter.ts'
import { isCertificates } from '../../kernel/certificates.ts'
import type { Lang } from '../../kernel/context.ts'
import { Fault, type Vars } from '../../kernel/fault.ts'
import { say } from '../../kernel/phrase.ts'
import type { Settings } from './directory.ts'

/** A problem of the form, at its field, by the specification's name of that field. */
export function checkFailed(lang: Lang, path: string, key: PhraseKey, vars: Vars = {}): Fault {
  const text = say(lang, key, vars)
  return new Fault('invalid', 'ldap-check-failed', { problem: text }, [{ path, key, text }] satisfies FieldProblem[])
}

/** Checks that do not need the directory. */
export function validateSettings(lang: Lang, given: Settings): void {
  const wrong = (path: string, key: PhraseKey): Fault => checkFailed(lang, path, key)
  if (!URL.canParse(given.url)) throw wrong('url', 'ldap-url')
  if (given.startTls && given.url.startsWith('ldaps:')) throw wrong('startTls', 'ldap-start-tls-ldaps')
  if (given.ca !== '' && !isCertificates(given.ca)) throw wrong('ca', 'ldap-ca')
  for (const path of ['bindDn', 'baseDn', 'groupBaseDn'] as const)
    if (normalDn(given[path]) === undefined) throw wrong(path, 'ldap-dn')
  if (given.bindDn !== '' && given.bindPassword === '') throw wrong('bindPassword', 'ldap-password-required')
  for (const [at, { group }] of given.mappings.entries())
    if (normalDn(group) === undefined) throw wrong(`mappings.${at}.group`, 'ldap-dn')
  try {
    parseFilter(given.userFilter)
  } catch (error) {
    if (error instanceof Fault) throw checkFailed(lang, 'userFilter', error.key, error.vars)
    throw error
  }
}

const fields: Partial<Record<PhraseKey, string>> = {
  'ldap-tls-untrusted': 'ca',
  'ldap-start-tls-unsupported': 'startTls',
  'ldap-tls-needed': 'startTls',
  'ldap-bind-refused': 'bindDn',
  'ldap-base-missing': 'baseDn',
  'ldap-referral': 'baseDn',
  'ldap-no-right': 'bindDn',
  'ldap-no-users': 'userFilter',
  'ldap-too-large': 'userFilter',
  'ldap-attribute-missing': 'userNameAttribute',
}

/** Turns a directory's refusal into a problem of the form; `path` names the field if it could be one of two. */
export function asProblem(lang: Lang, error: unknown, path?: string): unknown {
  if (!(error instanceof Fault) || error.key === 'ldap-check-failed') return error
  return checkFailed(lang, path ?? fields[error.key] ?? 'url', error.key, error.vars)
}
