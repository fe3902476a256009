/** `$${` stands for `${` itself; what is not a key is left as it is, such as the `${key:default}` of other programs. */
const placeholder = /\$\$\{|\$\{([A-Za-z_.-][A-Za-z0-9_.-]*)\}/g

/** The keys that a template needs, each once. */
export const keysIn = (template: string): string[] => [
  ...new Set([...template.matchAll(placeholder)].flatMap(([, key]) => (key === undefined ? [] : [key]))),
]

/** Bytes of what a template comes to, without making it. */
export function renderedSize(template: string, sizes: ReadonlyMap<string, number>): number {
  let size = Buffer.byteLength(template)
  for (const [whole, key] of template.matchAll(placeholder))
    size += key === undefined ? -1 : (sizes.get(key) ?? 0) - Buffer.byteLength(whole)
  return size
}

/** A template with the values in the place of its keys. Values are not searched for keys; one that is missing is empty. */
export const render = (template: string, values: ReadonlyMap<string, string>): string =>
  template.replaceAll(placeholder, (_, key?: string) => (key === undefined ? '${' : (values.get(key) ?? '')))
