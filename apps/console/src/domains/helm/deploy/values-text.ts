import { isValues, type Values } from '@gantry/contract/helm/layers'
import { parse } from 'yaml'

/** Undefined if the text is not YAML, or not a mapping. */
export function valuesIn(text: string): Values | undefined {
  try {
    const parsed: unknown = parse(text)
    return parsed === null || parsed === undefined ? {} : isValues(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
