/** `$${` is an escaped `${`; anything that is no key is left alone, such as `${key:default}` of other programs. */
const placeholder = /\$\$\{|\$\{([A-Za-z_.-][A-Za-z0-9_.-]*)\}/g

/** The keys that a template needs, without duplicates. */
export const keysIn = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].flatMap(([, key]) => (key === undefined ? [] : [key]))),
]

/** Size of a rendered template in bytes, computed without rendering. */
export function renderedSize(template: string, sizes: ReadonlyMap<string, number>): number {
  let size = Buffer.byteLength(template)
  for (const [whole, key] of template.matchAll(placeholder))
    size += key === undefined ? -1 : (sizes.get(key) ?? 0) - Buffer.byteLength(whole)
  return size
}

/** Replaces keys by values. Values are not searched for keys; a missing value is empty. */
export const render = (template: string, values: ReadonlyMap<string, string>): string =>
  template.replaceAll(placeholder, (_, key?: string) => (key === undefined ? '${' : (values.get(key) ?? '')))
