import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { displayName } from '../validators.ts'
import { secret } from '../secret.ts'
import { GroupMapping } from '../teams/group-mapping.ts'
import { ldapsTopic } from './topics.ts'
import { usersTopic } from '../users/topics.ts'
import { teamsTopic, teamTopic } from '../teams/topics.ts'
import { madeOn, Revision } from '../revision.ts'

const attribute = z
  .string()
  .trim()
  .max(63, { error: 'ldap-attribute', abort: true })
  .regex(/^[A-Za-z][A-Za-z0-9-]*$/, 'ldap-attribute')
/** The attribute may be followed by the object identifier of a matching rule, for directories that support it. */
const memberAttribute = z
  .string()
  .trim()
  .max(126, { error: 'ldap-member-attribute', abort: true })
  .regex(/^[A-Za-z][A-Za-z0-9-]*(:\d+(\.\d+)+:)?$/, 'ldap-member-attribute')
const dn = z.string().trim().max(1000, 'text-too-long')

const shape = {
  name: displayName(30, 'alias-too-long'),
  /** ldap://host:389 or ldaps://host:636. */
  url: z
    .string()
    .trim()
    .max(500, 'url-format')
    .regex(/^ldaps?:\/\/[^\s/?#@\\]+$/, 'ldap-url'),
  /** Connects unencrypted and switches to TLS before anything else is sent; for ldap:// only. */
  startTls: z.boolean().default(false),
  /** PEM of the CAs for this server's certificate, which is always verified; empty: the system's CAs. */
  ca: z.string().max(100_000, 'text-too-long').default(''),
  /** The DN for searches; empty: anonymous. */
  bindDn: dn.default(''),
  /** Reads return a mask; saving the mask keeps it while url and bindDn are unchanged. */
  bindPassword: secret(z.string().max(500, 'text-too-long')).default(''),
  baseDn: dn.min(1, 'ldap-base-required'),
  /** An LDAP filter of the entries that are users. A user that no longer matches loses access. */
  userFilter: z.string().trim().max(1000, 'text-too-long').default('(objectClass=person)'),
  userNameAttribute: attribute.default('uid'),
  nicknameAttribute: attribute.default('cn'),
  emailAttribute: attribute.default('mail'),
  /** The base DN of groups; empty: baseDn. */
  groupBaseDn: dn.default(''),
  /**
   * The attribute with a group's members: their DNs, or for memberUid their uids. `member:1.2.840.113556.1.4.1941:`
   * includes members of nested groups, in Active Directory.
   */
  groupMemberAttribute: memberAttribute.default('member'),
  /** A first login creates an account; otherwise only imported users can log in. */
  createAtLogin: z.boolean().default(true),
  enabled: z.boolean().default(true),
  mappings: z.array(GroupMapping).max(200, 'list-too-long').default([]),
}
const serverInput = z.strictObject(shape)

export const LdapServer = z.object({
  ...shape,
  id: z.number().int(),
  /** The number of its accounts. */
  users: z.number().int(),
  /** When its accounts were last looked up; null: never yet, or the directory is disabled. */
  lastCheckedAt: z.string().nullable(),
  /** Why that failed, in the caller's language; otherwise empty. A failure takes nobody's access away. */
  problem: z.string(),
  revision: Revision,
})
export type LdapServer = z.infer<typeof LdapServer>

export const LdapEntry = z.object({
  dn: z.string(),
  userName: z.string(),
  nickname: z.string(),
  email: z.string(),
  disabled: z.boolean(),
  /** Whether it has an account here already. */
  imported: z.boolean(),
})
export type LdapEntry = z.infer<typeof LdapEntry>

const one = z.strictObject({ id })

export const ldap = {
  list: endpoint({
    method: 'GET',
    path: '/api/v2/ldaps',
    access: { system: 'system_ldap_view' },
    summary: 'LDAP servers',
    data: z.array(LdapServer),
    topics: [ldapsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v2/ldaps',
    access: 'admin',
    audit: 'ldap.create',
    summary: 'Add an LDAP server; it is validated first',
    body: serverInput,
    data: LdapServer,
    topics: [ldapsTopic],
  }),
  validate: endpoint({
    method: 'POST',
    path: '/api/v2/ldaps/validate',
    access: 'admin',
    audit: 'ldap.validate',
    summary: 'Connect, bind and search as given, without saving; with an id its saved password may stand as the mask',
    body: serverInput.extend({ id: id.optional(), ...madeOn }),
    /** The number of users and groups found (at most 1,000), and some of them. */
    data: z.object({
      users: z.number().int(),
      groups: z.number().int(),
      sample: z.array(LdapEntry),
      groupSample: z.array(z.string()),
      /** Attributes for nickname and email that no user has: not an error, but often a mistake. */
      missing: z.array(z.string()),
      /** Groups in the mapping that do not exist in the directory. */
      unknownGroups: z.array(z.string()),
      /** Email addresses shared by several users, or by a user and an account here; the first 20. */
      sharedEmails: z.array(z.object({ email: z.string(), names: z.array(z.string()) })),
    }),
    topics: [],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/v2/ldaps/:id',
    access: 'admin',
    audit: 'ldap.update',
    summary: 'Change an LDAP server; it is validated first, unless it is switched off',
    params: one,
    body: serverInput.extend(madeOn),
    data: LdapServer,
    topics: [ldapsTopic, usersTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v2/ldaps/:id',
    access: 'admin',
    audit: 'ldap.delete',
    summary: 'Delete an LDAP server that no user comes from; with force, its users go as well',
    params: one,
    query: z.strictObject({ force: z.enum(['true', 'false']).default('false') }),
    data: z.null(),
    topics: [ldapsTopic, usersTopic, teamTopic, teamsTopic],
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/v2/ldaps/:id/search',
    access: 'admin',
    summary: "A directory's users whose name or address contains the keyword",
    params: one,
    query: z.strictObject({
      keyword: z.string().max(200).optional(),
      pageSize: z.coerce.number().int().min(1, 'page-size-invalid').max(200, 'page-size-invalid').default(20),
      /** `next` of the previous page. */
      cursor: z.string().max(2000).optional(),
    }),
    data: z.object({
      items: z.array(LdapEntry),
      /** Null on the last page. */
      next: z.string().nullable(),
      /** More users match than were searched: a longer keyword finds them. */
      truncated: z.boolean(),
    }),
  }),
  importEntries: endpoint({
    method: 'POST',
    path: '/api/v2/ldaps/:id/import',
    access: 'admin',
    audit: 'ldap.import',
    summary: 'Make accounts of entries, read again from the directory by their DN, with a report for each',
    params: one,
    body: z
      .array(z.strictObject({ dn: z.string().min(1).max(1000) }))
      .min(1, 'list-empty')
      .max(1000, 'list-too-long'),
    data: z.object({
      created: z.number().int(),
      rows: z.array(
        z.object({
          dn: z.string(),
          userName: z.string(),
          result: z.enum(['created', 'duplicate', 'missing', 'failed']),
          problem: z.string(),
        }),
      ),
    }),
    topics: [ldapsTopic, usersTopic],
  }),
}
