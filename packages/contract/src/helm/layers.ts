/** Values of a chart: anything that YAML or JSON can express. */
export type Values = Record<string, unknown>

export const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges as helm does: mappings by key, everything else replaced as a whole, and null removes a key. */
export function mergeValues(below: Values, above: Values): Values {
  const result: Values = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const under = Object.hasOwn(below, key) ? below[key] : undefined
    if (value === null) delete result[key]
    else result[key] = isValues(under) && isValues(value) ? mergeValues(under, value) : value
  }
  return result
}

/** Like `mergeValues`, for values to be merged again: a removed key stays null, to remove it from lower layers. */
export function stackValues(below: Values, above: Values): Values {
  const result: Values = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const under = Object.hasOwn(below, key) ? below[key] : undefined
    result[key] = isValues(under) && isValues(value) ? stackValues(under, value) : value
  }
  return result
}

/** Where a value comes from: the chart, the last deployment, or the present one. */
export type Layer = 'chart' | 'last' | 'yours'

export interface LayeredValue {
  /** Keys from the outermost inwards. */
  path: string[]
  /** Undefined for a mapping, whose values follow. */
  value: unknown
  layer: Layer
}

/** Every value that helm will use, in the order of the text, with its layer. */
export function layersOf(chart: Values, last: Values, yours: Values, path: string[] = []): LayeredValue[] {
  const keys = [...new Set([chart, last, yours].flatMap(Object.keys))]
  return keys.flatMap((key): LayeredValue[] => {
    const found = (['yours', 'last', 'chart'] as const).find((layer) =>
      Object.hasOwn({ chart, last, yours }[layer], key),
    )
    if (found === undefined) return []
    const value = { chart, last, yours }[found][key]
    if (value === null && found !== 'chart') return []
    const at = [...path, key]
    if (!isValues(value)) return [{ path: at, value, layer: found }]
    const inner = ([chart, last, yours] as const).map((one) => (isValues(one[key]) ? one[key] : {}))
    const [a = {}, b = {}, c = {}] = inner
    const within = layersOf(a, b, c, at)
    return within.length === 0
      ? [{ path: at, value: {}, layer: found }]
      : [{ path: at, value: undefined, layer: found }, ...within]
  })
}
