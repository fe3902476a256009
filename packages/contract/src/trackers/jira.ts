import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { id } from '../ids.ts'
import { listOf, listQuery } from '../paging.ts'
import { secret } from '../secret.ts'
import { displayName, httpUrl, line } from '../validators.ts'
import { settingsTopic } from '../settings/topics.ts'

/** The key of a project, which begins the keys of its issues. */
export const projectKey = z
  .string()
  .trim()
  .max(50, 'trackers-project-format')
  .regex(/^[A-Z][A-Z0-9_]*$/, 'trackers-project-format')

const issueKey = z
  .string()
  .max(60, 'trackers-issue-format')
  .regex(/^[A-Z][A-Z0-9_]*-[1-9]\d{0,8}$/, 'trackers-issue-format')

/** How programs log in to a Jira: with an account's email address and API token, or with a personal access token. */
export const JiraKind = z.enum(['cloud', 'data-center'])
export type JiraKind = z.infer<typeof JiraKind>

const access = {
  /** Without a trailing slash. */
  url: httpUrl.refine((url) => !/[?#]/.test(url), 'url-format').transform((url) => url.replace(/\/+$/, '')),
  kind: JiraKind,
  /** The account's address at Jira Cloud. */
  email: z
    .string()
    .trim()
    .max(254, 'mail-address-length')
    .regex(/^([^\s:@]+@[^\s:@]+)?$/, 'email-format')
    .default(''),
  /** Reads return a mask; saving the mask keeps it while the address is unchanged. */
  token: secret(
    z
      .string()
      .trim()
      .min(1, 'trackers-token-required')
      .max(1000, 'text-too-long')
      .regex(/^[\x21-\x7e]*$/, 'trackers-token-format'),
  ),
}

/** A Jira whose issues are linked to builds. */
export const JiraInput = z.strictObject({
  name: displayName(60),
  ...access,
  allTeams: z.boolean().default(true),
  /** The teams that use it, if not all do. */
  teams: z.array(id).max(1000, 'list-too-long').default([]),
  /** The projects of Jira that are used: only their keys are recognized. */
  projects: z.array(projectKey).min(1, 'trackers-project-required').max(100, 'list-too-long'),
  /** Whether a successful build is reported to its issues in a comment. */
  comment: z.boolean().default(false),
  /** The transition for the issues of such a build, by its name or its target status; empty: none. */
  transition: line(120).default(''),
})
export type JiraInput = z.infer<typeof JiraInput>

export const JiraConfig = JiraInput.extend({
  id: z.number().int(),
  teams: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** As Jira reported at the last check: its version, and the owner of the token. */
  version: z.string(),
  login: z.string(),
  checkedAt: z.string(),
  /** Why the last check failed, in the caller's language; otherwise empty. */
  problem: z.string(),
  revision: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type JiraConfig = z.infer<typeof JiraConfig>

/** The result of a check. */
export const JiraInfo = z.object({ version: z.string(), login: z.string() })

export const JiraProject = z.object({ id: z.string(), key: z.string(), name: z.string() })
export type JiraProject = z.infer<typeof JiraProject>

/** A transition with its target status; a status alone has no id. */
export const JiraTransition = z.object({ id: z.string(), name: z.string(), status: z.string() })
export type JiraTransition = z.infer<typeof JiraTransition>

const one = z.strictObject({ id })
const path = '/api/jira/configs'

export const jiraConfigs = {
  list: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    summary: 'Connections to Jira, with what their last check found',
    query: listQuery({ pageSize: 10 }),
    data: listOf(JiraConfig),
    topics: [settingsTopic],
  }),
  create: endpoint({
    method: 'POST',
    path,
    access: 'admin',
    audit: 'jira.create',
    summary: 'Add a connection to Jira; it is reached and logged in to before it is saved',
    body: JiraInput,
    data: JiraConfig,
    topics: [settingsTopic],
  }),
  update: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    access: 'admin',
    audit: 'jira.update',
    summary: 'Change a connection to Jira; a masked token is kept only while the address is the same',
    params: one,
    body: JiraInput.extend({ revision: z.number().int().optional() }),
    data: JiraConfig,
    topics: [settingsTopic],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    access: 'admin',
    audit: 'jira.delete',
    summary: 'Delete a connection to Jira with what was remembered of its issues',
    params: one,
    data: z.null(),
    topics: [settingsTopic],
  }),
  projects: endpoint({
    method: 'GET',
    path: '/api/jira/projects',
    access: 'admin',
    summary: 'The projects that Jira shows to the token, by key; at most 1,000',
    query: listQuery({ pageSize: 50 }).extend({ jiraConfigId: id }),
    data: listOf(JiraProject),
  }),
  transitions: endpoint({
    method: 'GET',
    path: '/api/jira/issues/transitions',
    access: 'admin',
    summary: 'The transitions that an issue can make now; without an issue, the statuses of the projects that count',
    query: z.strictObject({ jiraConfigId: id, issueKey: issueKey.optional() }),
    data: z.array(JiraTransition),
  }),
  /** Not in the specification, like the next call. */
  verify: endpoint({
    method: 'POST',
    path: '/api/jira/verification',
    access: 'admin',
    audit: 'jira.verify',
    summary: 'Reach a Jira and log in; a stored token is used only for the stored address',
    body: z.strictObject({ ...access, id: id.optional() }),
    data: JiraInfo,
    topics: [],
  }),
  check: endpoint({
    method: 'POST',
    path: `${path}/:id/check`,
    access: 'admin',
    audit: 'jira.check',
    summary: 'Check a connection to Jira, and keep what was found',
    params: one,
    data: JiraConfig,
    topics: [settingsTopic],
  }),
}
