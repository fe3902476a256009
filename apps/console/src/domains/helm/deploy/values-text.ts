import { isValues, type Values } from '@gantry/contract/helm/layers'
import { parse } from 'yaml'

/** Undefined where it is no YAML, or no mapping. */
export function valuesIn(text: string): Values | undefined {
  try {
    const parsed: unknown = parse(text)
    return parsed === null || parsed === undefined ? {} : isValues(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
