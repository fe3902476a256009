import type { Topic, TopicRule } from '@gantry/contract/topic'
import { z } from 'zod'
import { StartError } from '../../kernel/fault.ts'
import { placeholders } from '../validate-endpoints.ts'
import type { ServedTopic } from './sources.ts'

/** The reason why this rule would admit nobody or the wrong callers; undefined where it is sound. */
function faultOf(rule: TopicRule, names: readonly string[], owners: ReadonlySet<string>): string | undefined {
  if (typeof rule === 'string' || 'system' in rule) return undefined
  const by = 'self' in rule ? rule.self : 'team' in rule ? rule.team : rule.by
  if (!names.includes(by)) return `asks for access by ${by}, which its path does not have`
  return 'owner' in rule && !owners.has(rule.owner)
    ? `asks for access by the owner of a ${rule.owner}, for which no room declares the owner`
    : undefined
}

/** The reason why a topic must not be served; undefined where it may be. */
export function topicFault(topic: Topic, owners: ReadonlySet<string>): string | undefined {
  const { path, access, content } = topic as Partial<Topic>
  if (!(content instanceof z.ZodType) || content instanceof z.ZodUnknown || content instanceof z.ZodAny)
    return 'lacks the shape of its content'
  if (access === undefined || access === null) return 'lacks access'
  const names = placeholders(path ?? '')
  const scoped = typeof access === 'object' && 'scope' in access
  if (scoped && !names.includes(access.scope)) return `asks for access by ${access.scope}, which its path does not have`
  const rules = scoped ? [access.all, ...access.team] : [access].flat()
  if (rules.length === 0) return 'lacks access'
  return rules.map((rule) => faultOf(rule, names, owners)).find((why) => why !== undefined)
}

/** Stops the start at the first topic that breaks a rule of the contract, or is served twice. */
export function validateTopics(served: readonly ServedTopic[], owners: ReadonlySet<string>): void {
  const shapes = new Set<string>()
  for (const { topic } of served) {
    const shape = topic.path.replaceAll(/:\w+/g, ':')
    const why = shapes.has(shape) ? 'is served twice' : topicFault(topic, owners)
    if (why) throw new StartError(`the topic ${topic.path} ${why}`)
    shapes.add(shape)
  }
}
