import { callOf, type Endpoint, isInBody } from '@gantry/contract/endpoint'
import { z } from 'zod'
import { StartError } from '../kernel/fault.ts'

export const placeholders = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')

/** The reason why an endpoint must not be served; undefined where it may be. */
function fault(endpoint: Endpoint, owners: ReadonlySet<string>): string | undefined {
  const { method, path, access, audit, data, params, body } = endpoint as Partial<Endpoint>
  if (access === undefined || access === null) return 'lacks access'
  if (!(data instanceof z.ZodType)) return 'lacks the shape of its answer'
  if (method !== 'GET' && !audit) return 'lacks its audit name'
  const names = placeholders(path ?? '')
  const shape = params instanceof z.ZodObject ? Object.keys(params.shape) : []
  const undeclared = names.find((name) => !shape.includes(name))
  if (undeclared) return `does not declare the parameter ${undeclared}`
  if (typeof access !== 'object' || 'system' in access) return undefined
  const by = 'team' in access ? access.team : access.by
  if (isInBody(access)) {
    if (!(body instanceof z.ZodObject && by in body.shape))
      return `asks for access by ${by}, which its body does not have`
  } else if (!names.includes(by)) return `asks for access by ${by}, which its path does not have`
  if ('owner' in access && !owners.has(access.owner))
    return `asks for access by the owner of a ${access.owner}, for which no room declares the owner`
  return undefined
}

/** Stops the start at the first endpoint that breaks a rule of the contract. */
export function validateEndpoints(bound: Iterable<Endpoint>, owners: ReadonlySet<string>): void {
  for (const endpoint of bound) {
    const why = fault(endpoint, owners)
    if (why) throw new StartError(`${callOf(endpoint)} ${why}`)
  }
}
