import type { Tracker } from '../../adapters/tracker.ts'
import type { Ctx } from '../../kernel/context.ts'
import { accessOf } from './connections.service.ts'
import type { StoredJira } from './connections.store.ts'
import { tapdAccessOf } from './tapd.service.ts'

/** Escapes a text for a comment, which Jira reads as markup. */
const plain = (text: string): string => text.replaceAll(/[\\{}[\]|!*_~^+?]/g, String.raw`\$&`)

/** The tracker of a connection, with its credentials. */
export function trackerOf(ctx: Ctx, stored: StoredJira): Tracker {
  if (stored.kind === 'tapd') return ctx.ports.tapd.tracker(tapdAccessOf(ctx, stored))
  const { jira } = ctx.ports
  const access = accessOf(ctx, { ...stored, kind: stored.kind })
  return {
    issue: (key, signal) => jira.issue(access, key, signal),
    transitions: (key, signal) => jira.transitions(access, key, signal),
    hasComment: (key, text, signal) => jira.hasComment(access, key, text, signal),
    comment: (key, text, signal) => jira.comment(access, key, text, signal),
    move: (key, id, signal) => jira.move(access, key, id, signal),
    plain,
  }
}

/** TAPD's web pages have another address than its open API. */
const pagesOf = ({ url }: StoredJira): string => url.replace(/^(https?:\/\/)api\./, '$1www.')

/** The URL at which users see an issue; `path` comes from the tracker. */
export const pageOf = (stored: StoredJira, key: string, path: string): string =>
  stored.kind === 'tapd' ? `${pagesOf(stored)}/${path}` : `${stored.url}/browse/${key}`
