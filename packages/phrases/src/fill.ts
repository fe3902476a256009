/** Fills a phrase's {placeholders}. One without a value stays visible. */
export const fill = (text: string, vars: Record<string, string | number> = {}): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(vars, name) ? String(vars[name]) : whole))
