const plural = new Intl.PluralRules('en')

/**
 * Fills a phrase's placeholders: `{count}` with the value, `{count:line|lines}` with the singular or the plural. A
 * placeholder without a value stays visible.
 */
export const fill = (text: string, vars: Record<string, string | number> = {}): string =>
  text.replaceAll(/\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g, (whole, name: string, one?: string, other?: string) => {
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined
    if (value === undefined) return whole
    if (one === undefined) return String(value)
    return (plural.select(Number(value)) === 'one' ? one : other) ?? whole
  })
