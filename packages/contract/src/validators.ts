import { z } from 'zod'

/**
 * The shared validators of the specification's section 5. Messages are phrase keys; lengths count code points, so that an
 * emoji or a rare character counts once.
 */
const length = (text: string): number => [...text].length

/**
 * The condition (`when`) of a refinement that is expensive, or relies on earlier ones: the value has no issue so far.
 */
export const isSound = ({ issues }: z.core.ParsePayload): boolean => issues.length === 0

/** Invisible and direction-changing characters make two names look alike; no name contains them. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u

/** Free text: a description, a nickname. Trimmed. */
export const text = (max: number, tooLong = 'text-too-long') =>
  z
    .string()
    .trim()
    // a code point has two units at most
    .max(2 * max, { error: tooLong, abort: true })
    .refine((s) => length(s) <= max, tooLong)
    .refine((s) => !hidden.test(s.replaceAll(/[\n\t\u200d]/g, '')), 'text-hidden-characters')
    .meta({ maxLength: max })

/** The same on one line, for texts in a list, a heading or a mail's subject. */
export const line = (max: number, tooLong = 'text-too-long') =>
  text(max, tooLong).refine((s) => !/[\n\t\u2028\u2029]/.test(s), 'text-one-line')

/**
 * A name for people: no hidden characters, not blank, not starting with a dash (which command lines read as an option).
 */
export const displayName = (max: number, tooLong = 'name-too-long') =>
  line(max, tooLong)
    .refine((s) => length(s) > 0, 'name-required')
    .refine((s) => !s.startsWith('-'), 'name-leading-dash')

/** Kubernetes' DNS label: lower case, digits and dashes, alphanumeric at both ends. */
export const dnsLabel = (max = 63) =>
  z
    .string()
    .min(1, 'name-required')
    .max(max, 'name-too-long')
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'name-dns-label')

/** Kubernetes' DNS name: labels with dots between them. */
export const dnsName = (max = 253) =>
  z
    .string()
    .min(1, 'name-required')
    .max(max, 'name-too-long')
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/, 'name-dns-label')

/** A DNS label that starts with a letter: the name of a Kubernetes Service. */
export const serviceName = dnsLabel(52).regex(/^[a-z]/, 'name-leading-digit')

/** Letter first, alphanumeric last; between them also - and _. */
export const letterName = (max: number) =>
  z
    .string()
    .min(1, 'name-required')
    .max(max, 'name-too-long')
    .regex(/^[A-Za-z]([A-Za-z0-9_-]*[A-Za-z0-9])?$/, 'name-letters-first')

/** Alphanumeric at both ends; between them also - _ and dot. */
export const dottedName = (max: number) =>
  z
    .string()
    .min(1, 'name-required')
    .max(max, 'name-too-long')
    .regex(/^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/, 'name-dotted')

/** Team name: 2 to 20 characters, lower case, digits, - and dot, alphanumeric at both ends. */
export const teamName = z
  .string()
  .min(2, 'team-name-length')
  .max(20, 'team-name-length')
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'team-name-format')

const emailPattern = /^[^\s\p{C}@<>"',;:()[\]\\]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?\.[A-Za-z]{2,}$/u

/** A user's email address. */
export const email = z.string().min(6, 'email-length').max(30, 'email-length').regex(emailPattern, 'email-format')

/** Any single address that mail is sent to or from. */
export const mailAddress = z.string().max(254, 'mail-address-length').regex(emailPattern, 'email-format')

/** A local user's name, which can never be an email address. */
export const userName = z
  .string()
  .min(2, 'user-name-format')
  .max(30, 'user-name-format')
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'user-name-format')

export const nickname = line(20, 'nickname-length').refine((s) => length(s) >= 2, 'nickname-length')

const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4Pattern = `${octet}(\\.${octet}){3}`
export const ipv4 = z
  .string()
  .max(15, { error: 'ipv4-format', abort: true })
  .regex(new RegExp(`^${ipv4Pattern}$`), 'ipv4-format')

/** http or https with a host and an optional port up to 65535; no user, no spaces. */
export const httpUrl = z
  .string()
  .trim()
  .max(2000, 'url-format')
  .refine((s) => {
    if (!/^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/.test(s)) return false
    const url = URL.parse(s)
    return url !== null && url.username === '' && url.password === ''
  }, 'url-format')

/** The name of a branch or tag by git's rules, in which only ASCII white space counts as a space. */
const ref = (name: z.ZodString, what: 'branch' | 'tag') =>
  name
    .min(1, `${what}-required`)
    .max(255, `${what}-invalid`)
    .regex(/^(?![-/.])(?!.*(\.\.|@\{|\/\/|\.lock$|[/.]$))[^ ~^:?*[\\\p{Cc}]+$/su, `${what}-invalid`)

/** As a person enters it. */
export const refName = (what: 'branch' | 'tag') => ref(z.string().trim(), what)

/** As a forge reports it: white space is part of it. */
export const reportedRef = (what: 'branch' | 'tag') => ref(z.string(), what)

/** Patterns of names: `**` crosses slashes and `*` does not. */
export const globs = z
  .array(z.string().trim().min(1, 'glob-required').max(200, 'glob-too-long'))
  .max(50, 'list-too-long')
  .default([])

export const port = z.coerce.number().int('port-range').min(1, 'port-range').max(65535, 'port-range')

/** Without white space and Chinese characters: for user names and passwords of other systems. */
export const plainToken = z.string().regex(/^[^\s\p{Script=Han}]*$/u, 'no-space-no-chinese')

/** 6 to 20 characters, no Chinese; the strength is checked separately. */
export const password = z
  .string()
  .min(6, 'valid-pwd-count')
  .max(20, 'valid-pwd-count')
  .regex(/^[^\s\p{Script=Han}]+$/u, 'no-space-no-chinese')

/** Keys that no body may contain: they could reach a prototype. */
export const illegalKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** The name of the object to delete, in the query, to confirm the number in the path. */
export const confirmation = z.string('confirm-name-missing').max(300, 'text-too-long')

/** An environment variable's key: letters, digits, - _ and dot, no digit first. */
export const envKey = z
  .string()
  .min(1, 'name-required')
  .max(253, 'name-too-long')
  .regex(/^[A-Za-z_.-][A-Za-z0-9_.-]*$/, 'env-key-format')

/** key=value pairs joined by &. */
export const queryPairs = z.string().regex(/^[^=&\s]+=[^=&\s]*(&[^=&\s]+=[^=&\s]*)*$/, 'query-pairs-format')

/** Begins with /, followed by letters, digits, / - _ and dot. */
export const urlPath = z
  .string()
  .max(1024, 'path-format')
  .regex(/^\/[A-Za-z0-9/._-]*$/, 'path-format')

/** An IPv4 address as a number, for comparing and counting. */
export const addressValue = (address: string): number =>
  address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

/** Whether the IPv4 range `inner` is within `outer`, both in CIDR notation. */
export function cidrContains(outer: string, inner: string): boolean {
  const [outerAddress = '', outerBits = '32'] = outer.split('/')
  const [innerAddress = '', innerBits = '32'] = inner.split('/')
  const size = 2 ** (32 - Number(outerBits))
  return (
    Number(innerBits) >= Number(outerBits) &&
    Math.floor(addressValue(outerAddress) / size) === Math.floor(addressValue(innerAddress) / size)
  )
}

/** The input of a schema that is a single check, described by parts, from which its longest JSON is computed. */
export const takes = new WeakMap<z.core.$ZodType, z.ZodType>()

/** A dictionary with at most this number of keys. */
export const dictionary = <V extends z.ZodType>(key: z.ZodString, value: V, max: number) =>
  z
    .record(key, value)
    .refine((given) => Object.keys(given).length <= max, 'list-too-long')
    .meta({ maxProperties: max })

/** The entries that occur more than once, each named once. */
export const duplicates = (values: string[]): string[] => [
  ...new Set(values.filter((value, at) => values.indexOf(value) !== at)),
]

/** The placeholder for a stored secret on the wire. Sent back unchanged, it keeps the stored value. */
export const mask = '********'
